//! What is drawn again only where it changed. One component does it for all of the page that keeps no state: each
//! component of its own brings another two kilobytes of Yew's program.

use crate::session::Action;
use std::any::Any;
use std::rc::Rc;
use yew::virtual_dom::Key;
use yew::{Callback, Html, Properties, component, html};

/// A piece of the page: equal ones look alike.
pub(super) trait Piece: PartialEq + 'static {
    /// What it looks like; `act` is whom it tells.
    fn draw(&self, act: &Callback<Action>) -> Html;
}

/// `piece`, drawn again only where it differs from what has its key now.
pub(super) fn kept(key: impl Into<Key>, piece: impl Piece, act: &Callback<Action>) -> Html {
    of(key.into(), Rc::new(piece), act.clone())
}

fn of(key: Key, piece: Rc<dyn AnyPiece>, act: Callback<Action>) -> Html {
    html! { <Kept {key} {piece} {act} /> }
}

/// A piece of whichever type.
trait AnyPiece: Any {
    fn is_like(&self, other: &dyn Any) -> bool;
    fn draw(&self, act: &Callback<Action>) -> Html;
}

impl<P: Piece> AnyPiece for P {
    fn is_like(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn draw(&self, act: &Callback<Action>) -> Html {
        Piece::draw(self, act)
    }
}

#[derive(Properties)]
struct KeptProps {
    piece: Rc<dyn AnyPiece>,
    act: Callback<Action>,
}

/// Not derived: pieces of several types are compared.
impl PartialEq for KeptProps {
    fn eq(&self, other: &Self) -> bool {
        let other_piece: &dyn Any = &*other.piece;
        self.act == other.act && self.piece.is_like(other_piece)
    }
}

#[component]
fn Kept(props: &KeptProps) -> Html {
    props.piece.draw(&props.act)
}
