//! Where arrows run: only in gutters, three tracks each, so that none crosses a text or another glyph.
//!
//! ```text
//!   ┌────────┐ ┌────────┐ ┌────────┐
//!   │▐   1   │ │        │ →▐   2   │      up the gap left of the target, into its left edge
//!   └─•──────┘ └────────┘ │────────┘
//!     └──────────────────-┘              along the gutter under the row of the dot
//! ```

use super::arrow::{Arrow, ArrowKind, Tip};
use super::measure::{ELSEWHERE_X, MapSizes, px};
use super::shape::{Area, Point, Px};

/// Between two arrows in one gutter.
const TRACK: Px = 3.0;
/// Between the ends of two arrows on one track.
const CLEAR: Px = 4.0;

/// Where the cells lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    pub(super) origin: Point,
    pub(super) columns: u32,
    pub(super) pitch_x: Px,
    pub(super) pitch_y: Px,
    pub(super) cell_w: Px,
    pub(super) cell_h: Px,
}

impl Grid {
    /// A grid for `count` objects, under a row of bars or not.
    pub(super) fn of(sizes: &MapSizes, count: u32, bars: bool) -> Self {
        let columns = columns(sizes.columns, count);
        let dense = columns > sizes.columns;
        let gap = if dense { 6.0 } else { sizes.gap };
        let pitch_x = (sizes.span / px(columns)).floor();
        let top = sizes.origin.y + if bars { sizes.bar_height + 12.0 } else { 0.0 };
        let rows = px(count.div_ceil(columns).max(1));
        let gutter = sizes.row_pitch - sizes.cell_height;
        let room = (sizes.bottom - top + gutter) / rows;
        let (pitch_y, cell_h) = if room >= sizes.row_pitch {
            // One row of few objects may be as high as two.
            let tall = rows < 2.0 && count < sizes.columns && room >= 2.0 * sizes.row_pitch;
            let more = if tall { sizes.row_pitch } else { 0.0 };
            (sizes.row_pitch + more, sizes.cell_height + more)
        } else {
            let pitch = room.floor();
            (pitch, pitch - gutter.min((pitch * 0.3).floor()))
        };
        let origin = Point { x: sizes.origin.x, y: top };
        Self { origin, columns, pitch_x, pitch_y, cell_w: pitch_x - gap, cell_h }
    }

    /// Where an object's cell lies.
    pub(super) fn area(&self, index: u32) -> Area {
        let (column, row) = (px(index % self.columns), px(index / self.columns));
        let (x, y) = (self.origin.x + column * self.pitch_x, self.origin.y + row * self.pitch_y);
        Area::new(x, y, self.cell_w, self.cell_h)
    }

    /// The height of the gutter under a row.
    pub(super) fn gutter(&self) -> Px {
        self.pitch_y - self.cell_h
    }
}

/// Few objects share a row among them; over 64 more than 16 stand in one, so that all fit.
fn columns(usual: u32, count: u32) -> u32 {
    match count {
        0 => usual,
        few if few <= usual / 2 => few,
        65..=128 => usual * 2,
        129.. => usual * 5 / 2,
        _ => usual,
    }
}

/// Where an arrow leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum To {
    /// To an object of the slab.
    Cell(u32),
    /// To one that the list had before.
    Loop(u32),
    /// Nowhere: the list ends.
    End,
    /// To a box outside the slab.
    Box(Area),
    /// Out of the slab, where no box is beside the map.
    Away,
}

/// An arrow that is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub(super) key: u32,
    pub(super) from: u32,
    pub(super) dot: Point,
    pub(super) to: To,
    pub(super) kind: ArrowKind,
}

/// Hands out tracks, first come first served: an arrow that is routed later moves none that is there.
pub(super) struct Router {
    grid: Grid,
    rows: Vec<Track>,
    columns: Vec<Track>,
    right: Track,
}

/// The runs taken in one gutter: which of its lanes, from where to where.
#[derive(Clone, Default)]
struct Track {
    taken: Vec<(usize, Px, Px)>,
}

impl Track {
    fn is_free(&self, lane: usize, from: Px, to: Px) -> bool {
        self.taken.iter().all(|(other, start, end)| *other != lane || to + CLEAR < *start || from - CLEAR > *end)
    }

    fn lane(&self, lanes: usize, one: Px, other: Px) -> Option<usize> {
        (0..lanes).find(|lane| self.is_free(*lane, one.min(other), one.max(other)))
    }

    fn take(&mut self, lane: usize, one: Px, other: Px) {
        self.taken.push((lane, one.min(other), one.max(other)));
    }
}

impl Router {
    pub(super) fn new(grid: Grid, rows: u32) -> Self {
        let many = |count: u32| (0..=count).map(|_| Track::default()).collect();
        Self { grid, rows: many(rows), columns: many(grid.columns), right: Track::default() }
    }

    /// Routes an arrow, or makes it a stub where its gutters are full.
    pub(super) fn route(&mut self, request: &Request) -> Arrow {
        let Request { key, kind, dot, .. } = *request;
        let routed = match request.to {
            To::Cell(index) => self.reach_cell(request, index).map(|legs| (legs, Tip::Head)),
            To::Loop(index) => self.reach_cell(request, index).map(|legs| (legs, Tip::Loop)),
            To::Box(area) => self.reach_box(request, area).map(|legs| (legs, Tip::Head)),
            To::End => Some((vec![dot, self.under(request, 2.0)], Tip::Ground)),
            To::Away => Some((vec![dot, self.under(request, self.grid.gutter() - 1.0)], Tip::Head)),
        };
        let (legs, tip) = routed.unwrap_or_else(|| (vec![dot, self.under(request, 3.0)], Tip::Stub));
        Arrow { key, kind, legs, tip }
    }

    /// Straight below the dot, in the gutter.
    fn under(&self, request: &Request, below: Px) -> Point {
        Point { x: request.dot.x, y: self.grid.area(request.from).bottom() + below }
    }

    fn reach_cell(&mut self, request: &Request, index: u32) -> Option<Vec<Point>> {
        let target = self.grid.area(index);
        let gap = self.grid.pitch_x - self.grid.cell_w;
        let into = target.y + (target.h * 0.375).min(16.0);
        let row = self.row_of(request.from);
        let column = usize::try_from(index % self.grid.columns).ok()?;
        let middle = self.grid.area(request.from).bottom() + self.grid.gutter() / 2.0;
        let column_lane = self.columns.get(column)?.lane(if gap >= 9.0 { 2 } else { 1 }, middle, into)?;
        let x = target.x - gap / 2.0 - TRACK * lane_shift(column_lane).abs();
        let (row_lane, y) = self.row_lane(request, row, request.dot.x, x)?;
        self.rows.get_mut(row)?.take(row_lane, request.dot.x, x);
        self.columns.get_mut(column)?.take(column_lane, y, into);
        let tip = Point { x: target.x, y: into };
        Some(vec![request.dot, Point { x: request.dot.x, y }, Point { x, y }, Point { x, y: into }, tip])
    }

    fn reach_box(&mut self, request: &Request, area: Area) -> Option<Vec<Point>> {
        let row = self.row_of(request.from);
        let (row_lane, y) = self.row_lane(request, row, request.dot.x, ELSEWHERE_X)?;
        let bend = Point { x: request.dot.x, y };
        let legs = if y > area.y + 8.0 && y < area.bottom() - 8.0 {
            vec![request.dot, bend, Point { x: ELSEWHERE_X, y }]
        } else {
            let into = area.y + area.h / 2.0;
            let lane = self.right.lane(3, y, into)?;
            self.right.take(lane, y, into);
            let x = ELSEWHERE_X - 18.0 + TRACK * lane_shift(lane);
            vec![request.dot, bend, Point { x, y }, Point { x, y: into }, Point { x: ELSEWHERE_X, y: into }]
        };
        self.rows.get_mut(row)?.take(row_lane, request.dot.x, ELSEWHERE_X);
        Some(legs)
    }

    /// A free lane in the gutter under a row, and its height.
    fn row_lane(&self, request: &Request, row: usize, from: Px, to: Px) -> Option<(usize, Px)> {
        let gutter = self.grid.gutter();
        let lanes = if gutter >= 10.0 { 3 } else { 1 };
        let lane = self.rows.get(row)?.lane(lanes, from, to)?;
        let middle = self.grid.area(request.from).bottom() + gutter / 2.0;
        Some((lane, middle + TRACK * lane_shift(lane)))
    }

    fn row_of(&self, index: u32) -> usize {
        slabscope_core::units::index_from(index / self.grid.columns)
    }
}

/// The middle lane first, then the one after it, then the one before: there the ring of a cell above is.
fn lane_shift(lane: usize) -> Px {
    match lane {
        0 => 0.0,
        1 => 1.0,
        _ => -1.0,
    }
}
