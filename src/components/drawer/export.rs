//! What can be taken home: a picture, the script, the numbers, the link.

use crate::components::button::{Fill, button};
use crate::session::{Action, Export as What};
use yew::{Callback, Html, html};

const OFFERS: [(What, &str, &str); 3] = [
    (What::Picture, "Picture", "SVG of this stage, with its styles: for slides and articles"),
    (What::Script, "Script", "this kernel, luck and commands as text: drop it on the page to go on"),
    (What::Numbers, "Numbers", "/proc/slabinfo at this step"),
];

/// The part.
pub(super) fn export(act: &Callback<Action>) -> Html {
    html! {
        <div class="export">
            <ul>
                { for OFFERS.iter().map(|(what, words, note)| html! {
                    <li key={*words}>
                        { button(*words, None, Fill::Plain, Action::Export(*what), act) }
                        <span>{ *note }</span>
                    </li>
                }) }
            </ul>
            <p>{ "The page’s address is a link to this very step: copy it." }</p>
        </div>
    }
}
