//! Where rows, bars and pages lie in the views from above, by the kind of screen.

use super::super::Frame;
use super::super::measure::{MARGIN, NARROW_MARGIN, RIGHT, px};
use super::super::shape::{Area, Point, Px};

/// The sizes of a cache's rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSizes {
    pub(super) area: Area,
    pub(super) heading: Option<Point>,
    /// The line over the first row.
    pub(super) top: Px,
    pub(super) left: Px,
    pub(super) right: Px,
    /// Height of a row with one line of bars.
    pub(super) row: Px,
    /// Baselines of a row's name and of the note under it, from its top.
    pub(super) name_at: Px,
    pub(super) note_at: Px,
    pub(super) name_size: Px,
    pub(super) note_size: Px,
    /// The first bar's left edge and its top from the row's top.
    pub(super) bars: Point,
    pub(super) bar: (Px, Px),
    pub(super) pitch: Px,
    pub(super) a_line: usize,
    /// Rows that fit.
    pub(super) rows: usize,
}

impl RowSizes {
    pub(super) fn of(frame: Frame) -> Self {
        match frame {
            Frame::Wide => Self::WIDE,
            Frame::Short => Self {
                area: Area::new(0.0, 108.0, 1280.0, 314.0),
                heading: Some(Point { x: MARGIN, y: 126.0 }),
                top: 134.0,
                row: 56.0,
                name_at: 26.0,
                note_at: 46.0,
                bars: Point { x: 216.0, y: 26.0 },
                bar: (176.0, 18.0),
                ..Self::WIDE
            },
            Frame::Presenter => Self {
                area: Area::new(0.0, 118.0, 1280.0, 466.0),
                heading: None,
                top: 130.0,
                row: 112.0,
                name_at: 48.0,
                note_at: 84.0,
                name_size: 28.0,
                note_size: 24.0,
                bars: Point { x: 316.0, y: 44.0 },
                bar: (276.0, 44.0),
                pitch: 320.0,
                a_line: 3,
                rows: 4,
                ..Self::WIDE
            },
            Frame::Narrow { width } => {
                let inner = px(width) - 2.0 * NARROW_MARGIN;
                let bar = ((inner - 16.0) / 2.0).floor();
                Self {
                    area: Area::new(0.0, 0.0, px(width), 0.0),
                    heading: Some(Point { x: NARROW_MARGIN, y: 18.0 }),
                    top: 32.0,
                    left: NARROW_MARGIN,
                    right: px(width) - NARROW_MARGIN,
                    row: 104.0,
                    name_at: 24.0,
                    note_at: 44.0,
                    name_size: 16.0,
                    note_size: 14.0,
                    bars: Point { x: NARROW_MARGIN, y: 70.0 },
                    bar: (bar, 24.0),
                    pitch: bar + 16.0,
                    a_line: 2,
                    rows: 70,
                }
            }
        }
    }

    const WIDE: Self = Self {
        area: Area::new(0.0, 118.0, 1280.0, 404.0),
        heading: Some(Point { x: MARGIN, y: 137.0 }),
        top: 146.0,
        left: MARGIN,
        right: RIGHT,
        row: 74.0,
        name_at: 38.0,
        note_at: 62.0,
        name_size: 20.0,
        note_size: 14.0,
        bars: Point { x: 216.0, y: 34.0 },
        bar: (176.0, 24.0),
        pitch: 215.0,
        a_line: 5,
        rows: 5,
    };
}

/// The sizes of sheaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct SheafSizes {
    pub(super) left: Px,
    pub(super) right: Px,
    /// Where a sheaf's first place is, and where its last one must end.
    pub(super) places: Px,
    pub(super) places_end: Px,
    /// The widest place, and the height of one.
    pub(super) widest: Px,
    pub(super) place: Px,
    /// Height of a sheaf's row.
    pub(super) row: Px,
    /// Between blocks.
    pub(super) gap: Px,
    pub(super) title: Px,
    pub(super) title_at: Px,
    pub(super) text: Px,
    /// Whether there is room beside a sheaf for what comes of it.
    pub(super) has_hints: bool,
    /// Whether names stand over their rows.
    pub(super) is_stacked: bool,
    pub(super) bar: (Px, Px),
    pub(super) pitch: Px,
    pub(super) a_line: usize,
    /// Height of a line of bars.
    pub(super) line: Px,
    /// CPUs that are drawn.
    pub(super) cpus: usize,
}

impl SheafSizes {
    pub(super) fn of(frame: Frame) -> Self {
        let wide = Self {
            left: MARGIN,
            right: RIGHT,
            places: 216.0,
            places_end: 972.0,
            widest: 27.0,
            place: 24.0,
            row: 34.0,
            gap: 6.0,
            title: 20.0,
            title_at: 24.0,
            text: 14.0,
            has_hints: true,
            is_stacked: false,
            bar: (121.0, 28.0),
            pitch: 137.0,
            a_line: 9,
            line: 66.0,
            cpus: 2,
        };
        match frame {
            Frame::Wide => wide,
            Frame::Short => Self {
                place: 18.0,
                row: 24.0,
                gap: 2.0,
                title: 16.0,
                title_at: 19.0,
                bar: (121.0, 20.0),
                line: 52.0,
                cpus: 1,
                ..wide
            },
            Frame::Presenter => Self {
                places: 330.0,
                places_end: 1100.0,
                place: 36.0,
                row: 46.0,
                gap: 4.0,
                title: 28.0,
                title_at: 34.0,
                text: 24.0,
                has_hints: false,
                bar: (220.0, 40.0),
                pitch: 245.0,
                a_line: 5,
                line: 90.0,
                cpus: 1,
                ..wide
            },
            Frame::Narrow { width } => {
                let inner = px(width) - 2.0 * NARROW_MARGIN;
                let bar = ((inner - 16.0) / 2.0).floor();
                Self {
                    left: NARROW_MARGIN,
                    right: px(width) - NARROW_MARGIN,
                    places: NARROW_MARGIN,
                    places_end: px(width) - NARROW_MARGIN - 84.0,
                    row: 54.0,
                    title: 16.0,
                    has_hints: false,
                    is_stacked: true,
                    bar: (bar, 28.0),
                    pitch: bar + 16.0,
                    a_line: 2,
                    cpus: 64,
                    ..wide
                }
            }
        }
    }
}

/// The sizes of memory's pages.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageSizes {
    pub(super) area: Area,
    pub(super) heading: Option<Point>,
    pub(super) origin: Point,
    pub(super) columns: u32,
    pub(super) rows: u32,
    pub(super) page: (Px, Px),
    pub(super) text: Px,
    /// Where free blocks are counted; `None` where there is no room.
    pub(super) orders: Option<Orders>,
}

/// Where free blocks are counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orders {
    pub(super) at: Point,
    pub(super) pitch: Px,
}

impl PageSizes {
    pub(super) fn of(frame: Frame) -> Self {
        let wide = Self {
            area: Area::new(0.0, 118.0, 1280.0, 404.0),
            heading: Some(Point { x: MARGIN, y: 137.0 }),
            origin: Point { x: MARGIN, y: 152.0 },
            columns: 32,
            rows: 8,
            page: (29.0, 34.0),
            text: 14.0,
            orders: Some(Orders { at: Point { x: 1000.0, y: 170.0 }, pitch: 25.0 }),
        };
        match frame {
            Frame::Wide => wide,
            Frame::Short => Self {
                area: Area::new(0.0, 108.0, 1280.0, 314.0),
                heading: Some(Point { x: MARGIN, y: 126.0 }),
                origin: Point { x: MARGIN, y: 138.0 },
                page: (29.0, 28.0),
                orders: Some(Orders { at: Point { x: 1000.0, y: 152.0 }, pitch: 23.0 }),
                ..wide
            },
            Frame::Presenter => Self {
                area: Area::new(0.0, 118.0, 1280.0, 466.0),
                heading: None,
                origin: Point { x: MARGIN, y: 130.0 },
                page: (38.0, 54.0),
                text: 24.0,
                orders: None,
                ..wide
            },
            Frame::Narrow { width } => Self {
                area: Area::new(0.0, 0.0, px(width), 16.0 * 38.0 + 40.0),
                heading: Some(Point { x: NARROW_MARGIN, y: 18.0 }),
                origin: Point { x: NARROW_MARGIN, y: 32.0 },
                columns: 8,
                rows: 16,
                page: (((px(width) - 2.0 * NARROW_MARGIN) / 8.0).floor(), 38.0),
                orders: None,
                ..wide
            },
        }
    }

    /// Pages that are drawn.
    pub(super) fn pages(&self) -> u32 {
        self.columns * self.rows
    }
}
