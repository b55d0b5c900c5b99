//! What can be taken home: a picture, the script, the numbers, the link.

use crate::components::button::Button;
use crate::session::{Action, Export as What};
use yew::{Callback, Html, Properties, component, html};

/// What the part needs.
#[derive(Properties, PartialEq)]
pub(super) struct ExportProps {
    /// Whom it tells.
    pub act: Callback<Action>,
}

const OFFERS: [(What, &str, &str); 3] = [
    (What::Picture, "Picture", "SVG of this stage, with its styles: for slides and articles"),
    (What::Script, "Script", "this kernel, luck and commands as text: drop it on the page to go on"),
    (What::Numbers, "Numbers", "/proc/slabinfo at this step"),
];

/// The part.
#[component]
pub(super) fn Export(props: &ExportProps) -> Html {
    html! {
        <div class="export">
            <ul>
                { for OFFERS.iter().map(|(what, words, note)| html! {
                    <li key={*words}>
                        <Button words={*words} action={Action::Export(*what)} act={&props.act} />
                        <span>{ *note }</span>
                    </li>
                }) }
            </ul>
            <p>{ "The page’s address is a link to this very step: copy it." }</p>
        </div>
    }
}
