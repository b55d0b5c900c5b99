//! A view from above: a cache's lists, or memory's pages. What is a slab leads down to it.

use super::drawing::Drawing;
use super::figure::figure;
use super::hit::leading;
use super::kept::{Piece, kept};
use super::marks::Way;
use crate::scene::{AboveScene, Area, Part, PartLook, Point};
use crate::session::Action;
use crate::text::filled;
use std::rc::Rc;
use yew::{Callback, Html, html};

/// The view.
pub fn from_above(scene: AboveScene, act: &Callback<Action>) -> Html {
    kept("above", scene, act)
}

impl Piece for AboveScene {
    fn draw(&self, act: &Callback<Action>) -> Html {
        let parts = self.parts.iter().map(|part| kept(part.key, AbovePart(Rc::clone(part)), act));
        let inside = html! {
            <>
                { Drawing::of(|svg| svg.outline(&lines(&self.rules), "none e-faint w2")) }
                <g class="parts">{ for parts }</g>
                { Drawing::mute("", |svg| {
                    svg.outline(&lines(&self.marks), "none e-line w2");
                    for (from, to) in &self.arrows {
                        svg.arrow_right(*from, to.x, 8.0, "none e-ink2 w2", "f-ink2");
                    }
                }) }
                { Drawing::of(|svg| svg.texts(&self.texts)) }
            </>
        };
        figure("above", format!("From above. {}", self.summary).into(), self.area, self.frame, inside)
    }
}

fn lines(lines: &[(Point, Point)]) -> String {
    lines.iter().map(|(from, to)| filled("M# #L# #", &[from.x, from.y, to.x, to.y])).collect()
}

#[derive(PartialEq)]
struct AbovePart(Rc<Part>);

impl Piece for AbovePart {
    fn draw(&self, act: &Callback<Action>) -> Html {
        let part = &*self.0;
        let Some(object) = part.leads_to else {
            return Drawing::image("", &part.label, |svg| draw(svg, part));
        };
        let hit = part.area.inset(-3.5);
        let says = format!("part-{}-says", part.key);
        let drawn = Drawing::over_button(&says, &part.label, "drawn", |svg| {
            draw(svg, part);
            svg.rect(hit, 7.0, "none light");
        });
        html! {
            <g class="part">
                { leading(hit, says, part.here, Action::GoDown(object), act) }
                { drawn }
            </g>
        }
    }
}

fn draw(svg: &mut Drawing, part: &Part) {
    let hollow = part.area.inset(1.0);
    match part.look {
        PartLook::Slab { full } => {
            svg.rect(hollow, 3.0, "f-paper e-line w2");
            svg.rect(Area { w: full, ..part.area.inset(2.0) }, 1.0, "f-alloc");
        }
        PartLook::Own => svg.rect(part.area, 3.0, "f-alloc"),
        PartLook::Other => svg.rect(part.area, 3.0, "f-faint"),
        PartLook::Hollow => svg.rect(hollow, 3.0, "f-paper e-line w2"),
        PartLook::Sheaf { capacity, filled, pitch, marks_top } => {
            sheaf(svg, part.area, capacity, filled, pitch, marks_top);
        }
        PartLook::Waiting => svg.rect(hollow, 3.0, "f-paper e-line w2 dashed"),
        PartLook::Count => svg.rect(part.area, 2.0, "f-line"),
    }
    if part.here {
        svg.rect(part.area.inset(-3.5), 6.0, "none e-ink w3 ring");
    }
    svg.texts(&part.texts);
}

/// Places side by side; over the next one out a mark.
fn sheaf(svg: &mut Drawing, area: Area, capacity: u32, filled: u32, pitch: f64, marks_top: bool) {
    // Places too narrow to be told apart are one run.
    const NARROWEST: f64 = 8.0;
    let full = f64::from(filled) * pitch;
    if pitch < NARROWEST {
        svg.rect(area, 3.0, "f-faint");
        if filled > 0 {
            svg.rect(Area { w: full, ..area }.inset(1.0), 3.0, "f-paper e-line w2");
        }
    } else {
        for nth in 0..capacity {
            let place = Area { x: area.x + f64::from(nth) * pitch, w: pitch - 2.0, ..area };
            if nth < filled {
                svg.rect(place.inset(1.0), 3.0, "f-paper e-line w2");
            } else {
                svg.rect(place, 3.0, "f-faint");
            }
        }
    }
    if marks_top {
        let top = Point { x: area.x + full - 0.5 * pitch - 1.0, y: area.y - 3.0 };
        svg.head(top, Way::Down, 7.0, "f-ink");
    }
}
