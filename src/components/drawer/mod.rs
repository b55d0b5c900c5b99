//! The drawer, over map and elsewhere only: script, log, numbers, table, and every switch. One part at a time.

mod export;
mod keys;
mod log;
mod more;
mod numbers;
mod script;
mod table;

use super::kept::kept;
use super::send::send;
use super::time::PARTS;
use crate::session::{Action, Drawer as Part, LineError};
use crate::text::{self, TableRow};
use export::export;
use keys::keys;
use log::Log;
pub use log::LogRow;
pub use more::Chosen;
use numbers::Numbers;
use script::Script;
use std::rc::Rc;
use table::Table;
use yew::{AttrValue, Callback, Html, classes, html};

/// What stands in the open part.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// The commands, how many of them are done, and what is wrong with the line typed last.
    Script {
        /// The commands.
        lines: Rc<[AttrValue]>,
        /// How many are done.
        cursor: u32,
        /// What is wrong.
        error: Option<LineError>,
        /// How many typed lines were carried out.
        taken: u32,
    },
    /// What happened, a line each.
    Log(Rc<[LogRow]>),
    /// `/proc/slabinfo` and its like, with the line of the cache in hand.
    Numbers(Rc<text::Numbers>),
    /// The slab in hand, and its name.
    Table {
        /// `kmalloc-64, slab 3`.
        caption: AttrValue,
        /// Its objects.
        rows: Rc<[TableRow]>,
    },
    /// The kernel, its luck, and objects in a slab.
    More(Chosen),
    /// Which key does what.
    Keys,
    /// What can be taken home.
    Export,
}

impl Content {
    const fn part(&self) -> Part {
        match self {
            Self::Script { .. } => Part::Script,
            Self::Log(_) => Part::Log,
            Self::Numbers(_) => Part::Numbers,
            Self::Table { .. } => Part::Table,
            Self::More(_) => Part::More,
            Self::Keys => Part::Keys,
            Self::Export => Part::Export,
        }
    }
}

/// The drawer.
pub fn drawer(content: &Content, act: &Callback<Action>) -> Html {
    let part = content.part();
    let width = match part {
        Part::Script | Part::Numbers => "narrow",
        Part::Log | Part::Table => "wide",
        Part::More | Part::Keys | Part::Export => "full",
    };
    html! {
        <section class={classes!("drawer", width)} aria-label={name_of(part)}>
            <div class="drawer-head">
                if width != "full" {
                    <div class="tabs" role="tablist">
                        { for PARTS.iter().map(|(other, words)| tab(act, part, *other, words)) }
                    </div>
                }
                <button type="button" class="close" aria-label="Close" onclick={send(act, Action::Drawer(None))}>
                    <svg width="12" height="12" aria-hidden="true"><path d="M1 1l10 10m0 -10l-10 10" /></svg>
                </button>
            </div>
            <div class="drawer-body">
                { match content {
                    Content::Script { lines, cursor, error, taken } => html! {
                        <Script lines={Rc::clone(lines)} cursor={*cursor} error={error.clone()} taken={*taken} {act} />
                    },
                    Content::Log(lines) => kept("log", Log { lines: Rc::clone(lines) }, act),
                    Content::Numbers(numbers) => kept("numbers", Numbers(Rc::clone(numbers)), act),
                    Content::Table { caption, rows } => {
                        kept("table", Table { caption: caption.clone(), rows: Rc::clone(rows) }, act)
                    }
                    Content::Keys => keys(),
                    Content::Export => export(act),
                    Content::More(chosen) => kept("more", chosen.clone(), act),
                } }
            </div>
        </section>
    }
}

fn tab(act: &Callback<Action>, open: Part, part: Part, words: &'static str) -> Html {
    let is_open = open == part;
    html! {
        <button
            type="button"
            key={words}
            data-words={words}
            class={classes!("tab", is_open.then_some("open"))}
            role="tab"
            aria-selected={is_open.to_string()}
            onclick={(!is_open).then(|| send(act, Action::Drawer(Some(part))))}
        >
            { words }
        </button>
    }
}

const fn name_of(part: Part) -> &'static str {
    match part {
        Part::Script => "Script",
        Part::Log => "Log",
        Part::Numbers => "Numbers",
        Part::Table => "Table",
        Part::More => "Every switch of the kernel",
        Part::Keys => "Keys",
        Part::Export => "Export",
    }
}
