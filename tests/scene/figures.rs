//! What stands in the page for those who do not see it, and for the keyboard.

use crate::bench::{Bench, LESSON_3};
use slabscope::components::elsewhere::elsewhere;
use slabscope::components::lens::{Lens, LensProps};
use slabscope::components::map::{Map, MapProps};
use slabscope::components::next_out::next_out;
use slabscope::scene::{self, Frame};
use std::rc::Rc;
use tokio::runtime::Builder;
use tokio::task::LocalSet;
use yew::{BaseComponent, Callback, Html, LocalServerRenderer, Properties, component};

/// A component as the HTML that a browser would get.
fn html_of<C: BaseComponent>(props: C::Properties) -> String
where
    C::Properties: 'static,
{
    let runtime = Builder::new_current_thread().build().expect("a runtime");
    let renderer = LocalServerRenderer::<C>::with_props(props).hydratable(false);
    LocalSet::new().block_on(&runtime, renderer.render())
}

#[derive(Properties, PartialEq)]
struct DrawnProps {
    html: Html,
}

/// What a plain function drew.
#[component]
fn Drawn(props: &DrawnProps) -> Html {
    props.html.clone()
}

fn armed() -> Bench {
    Bench::play("5.6", 1, &LESSON_3).select("a").aim("a", 8)
}

#[track_caller]
fn check(html: &str, parts: &[(&str, usize)]) {
    for (part, count) in parts {
        assert_eq!(html.matches(part).count(), *count, "{part} in {html}");
    }
}

#[test]
fn the_map_is_a_group_of_named_buttons_with_one_tab_stop() {
    let bench = armed();
    let scene = Rc::new(scene::map(&bench.view(Frame::Wide, false)));
    let html = html_of::<Map>(MapProps { scene, hovered: None, act: Callback::noop() });
    check(
        &html,
        &[
            (r#"role="group""#, 1),
            (r#"role="button""#, 64),
            (r#"tabindex="0""#, 1),
            (r#"aria-label="v, free, 1st in list, +0x040""#, 1),
            (r#"aria-pressed="true""#, 1),
            ("url(#map-hatch-pointer-armed)", 1),
        ],
    );
}

#[test]
fn the_lens_says_what_would_be_hit() {
    let bench = armed();
    let scene = Rc::new(scene::lens(&bench.view(Frame::Wide, false)));
    let html = html_of::<Lens>(LensProps { scene, hovered: None, act: Callback::noop() });
    check(
        &html,
        &[
            (r#"role="button""#, 4),
            ("!?", 1),
            ("8 bytes would be written over, its free pointer among them", 1),
            ("pointer is 0x", 1),
            ("= target", 1),
        ],
    );
}

#[test]
fn next_out_shows_the_target_as_what_is_to_come() {
    let bench = armed();
    let scene = scene::next_out(&bench.view(Frame::Wide, false));
    let html = html_of::<Drawn>(DrawnProps { html: next_out(&scene, None, &Callback::noop()) });
    check(&html, &[("e-target forecast", 1), ("next out of kmalloc(64)", 1), ("61 lost", 2)]);
}

#[test]
fn elsewhere_names_the_target_and_why_it_is_elsewhere() {
    let bench = armed();
    let html = html_of::<Drawn>(DrawnProps { html: elsewhere(&scene::elsewhere(&bench.view(Frame::Wide, false))) });
    check(&html, &[(r#"role="img""#, 1), (">target<", 1), (">in another cache<", 1)]);
}

#[test]
fn a_slab_to_come_has_no_buttons() {
    let bench = Bench::play("6.1", 1, &[]);
    let scene = Rc::new(scene::map(&bench.view(Frame::Wide, false)));
    let html = html_of::<Map>(MapProps { scene, hovered: None, act: Callback::noop() });
    check(&html, &[(r#"role="button""#, 0), ("e-faint", 64)]);
}
