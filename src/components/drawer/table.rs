//! The picture's twin as a table, built when it is opened.

use crate::text::TableRow;
use std::rc::Rc;
use yew::{AttrValue, Html, Properties, component, html};

/// What the table needs.
#[derive(Properties, PartialEq)]
pub(super) struct TableProps {
    /// Its caption.
    pub caption: AttrValue,
    /// Its rows.
    pub rows: Rc<[TableRow]>,
}

/// The table.
#[component]
pub(super) fn Table(props: &TableProps) -> Html {
    html! {
        <div class="table" tabindex="0" role="region" aria-label={props.caption.clone()}>
            <table>
                <caption>{ props.caption.clone() }</caption>
                <thead>
                    <tr>
                        { for HEADS.iter().map(|head| html! { <th key={*head} scope="col">{ *head }</th> }) }
                    </tr>
                </thead>
                <tbody>
                    { for props.rows.iter().map(|row| html! {
                        <tr key={row.index}>
                            <th scope="row">{ row.index }</th>
                            <td>{ &row.address }</td>
                            <td>{ row.mark }</td>
                            <td>{ &row.name }</td>
                            <td>{ &row.state }</td>
                            <td>{ &row.pointer }</td>
                            <td>{ &row.hits }</td>
                        </tr>
                    }) }
                </tbody>
            </table>
        </div>
    }
}

const HEADS: [&str; 7] = ["#", "address", "M/F", "name", "state", "points to", "written over"];
