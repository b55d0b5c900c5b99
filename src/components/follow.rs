//! What follows once a part is drawn, where something in it is another than it was.

use crate::browser::{bring_into_view, bring_to_top, focus, has_focus_within};
use yew::{AttrValue, Html, Properties, component, html, use_effect_with};

/// What is done with an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// The list around it is scrolled until it stands at the top.
    ToTop,
    /// What is around it is scrolled as little as it takes to show it.
    IntoView,
    /// It takes the focus, where that is on one of the elements around it that this finds.
    FocusWithin(&'static str),
}

#[derive(Properties, PartialEq)]
pub(super) struct FollowProps {
    /// Whenever this is another, it is done.
    pub when: AttrValue,
    /// The element's id.
    pub id: &'static str,
    /// What is done.
    pub by: Move,
}

/// A component, since Yew ties effects to one. It draws nothing.
#[component]
pub(super) fn Follow(props: &FollowProps) -> Html {
    let FollowProps { id, by, .. } = *props;
    use_effect_with(props.when.clone(), move |_| match by {
        Move::ToTop => bring_to_top(id),
        Move::IntoView => bring_into_view(id),
        Move::FocusWithin(around) if has_focus_within(around) => focus(id),
        Move::FocusWithin(_) => {}
    });
    html! {}
}
