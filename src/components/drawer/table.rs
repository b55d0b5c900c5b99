//! The picture's twin as a table, built when it is opened.

use crate::components::kept::Piece;
use crate::session::Action;
use crate::text::TableRow;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, html};

/// The table.
#[derive(PartialEq)]
pub(super) struct Table {
    /// Its caption.
    pub caption: AttrValue,
    /// Its rows.
    pub rows: Rc<[TableRow]>,
}

impl Piece for Table {
    fn draw(&self, _: &Callback<Action>) -> Html {
        html! {
            <div class="table" tabindex="0" role="region" aria-label={self.caption.clone()}>
                <table>
                    <caption>{ self.caption.clone() }</caption>
                    <thead>
                        <tr>
                            { for HEADS.iter().map(|head| html! { <th key={*head} scope="col">{ *head }</th> }) }
                        </tr>
                    </thead>
                    <tbody>
                        { for self.rows.iter().map(|row| html! {
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
}

const HEADS: [&str; 7] = ["#", "address", "M/F", "name", "state", "points to", "written over"];
