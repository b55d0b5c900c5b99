//! The sizes of a stage, by the kind of screen: every number that the figures of one frame share.

use super::Frame;
use super::shape::{Area, Point, Px};

/// The right edge of everything on a wide stage.
pub(super) const RIGHT: Px = 1252.0;
/// The page's margin on a wide stage.
pub(super) const MARGIN: Px = 28.0;
/// The page's margin on a narrow one.
pub(super) const NARROW_MARGIN: Px = 16.0;
/// Where elsewhere begins.
pub(super) const ELSEWHERE_X: Px = 1080.0;
/// A break in the axis of a wide lens: `144 bytes` fits between its zigzags.
pub(super) const BREAK: Px = 88.0;
/// What the zigzags of a break take of it, with paper beside them.
pub(super) const ZIGZAGS: Px = 14.0;
/// Between neighbouring objects in the lens.
pub(super) const LENS_GAP: Px = 4.0;

/// A number of things as px.
pub(super) fn px(count: u32) -> Px {
    f64::from(count)
}

/// A number of bytes as a factor of px. Past 4 GiB all are alike: nothing that is drawn is that long.
pub(super) fn px_count(bytes: u64) -> Px {
    f64::from(u32::try_from(bytes).unwrap_or(u32::MAX))
}

/// The map's sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct MapSizes {
    pub(super) area: Area,
    pub(super) heading: Option<Point>,
    /// The first cell's corner.
    pub(super) origin: Point,
    /// The width that all columns share, a gap included.
    pub(super) span: Px,
    pub(super) columns: u32,
    pub(super) cell_height: Px,
    pub(super) row_pitch: Px,
    /// Between columns.
    pub(super) gap: Px,
    /// The lowest row's bottom, at most.
    pub(super) bottom: Px,
    /// Size of names and of numbers.
    pub(super) name_size: Px,
    pub(super) number_size: Px,
    /// The last place in the list that is written; `u32::MAX` for all.
    pub(super) last_number: u32,
    pub(super) bar_height: Px,
    /// Whether the cache's other slabs stand above it.
    pub(super) draws_bars: bool,
}

impl MapSizes {
    pub(super) fn of(frame: Frame) -> Self {
        match frame {
            Frame::Wide => Self::WIDE,
            Frame::Short => Self {
                area: Area::new(0.0, 108.0, 1082.0, 152.0),
                heading: Some(Point { x: MARGIN, y: 126.0 }),
                origin: Point { x: MARGIN, y: 136.0 },
                cell_height: 20.0,
                row_pitch: 32.0,
                bottom: 252.0,
                last_number: 3,
                bar_height: 16.0,
                ..Self::WIDE
            },
            Frame::Presenter => Self {
                area: Area::new(0.0, 118.0, 1082.0, 196.0),
                heading: None,
                origin: Point { x: MARGIN, y: 130.0 },
                cell_height: 36.0,
                row_pitch: 46.0,
                bottom: 304.0,
                name_size: 28.0,
                number_size: 24.0,
                last_number: 3,
                ..Self::WIDE
            },
            Frame::Narrow { width } => {
                let span = px(width) - 2.0 * NARROW_MARGIN + 5.0;
                Self {
                    area: Area::new(0.0, 0.0, px(width), 0.0),
                    heading: Some(Point { x: NARROW_MARGIN, y: 18.0 }),
                    origin: Point { x: NARROW_MARGIN, y: 32.0 },
                    span,
                    // Two digits beside a mark in the middle need 50 px, beside one at the start 36.
                    columns: if width < 360 { 5 } else { 8 },
                    cell_height: 36.0,
                    row_pitch: 44.0,
                    gap: 5.0,
                    bottom: f64::INFINITY,
                    name_size: 14.0,
                    ..Self::WIDE
                }
            }
        }
    }

    const WIDE: Self = Self {
        area: Area::new(0.0, 118.0, 1082.0, 206.0),
        heading: Some(Point { x: MARGIN, y: 137.0 }),
        origin: Point { x: MARGIN, y: 148.0 },
        span: 1024.0,
        columns: 16,
        cell_height: 32.0,
        row_pitch: 44.0,
        gap: 10.0,
        bottom: 316.0,
        name_size: 16.0,
        number_size: 14.0,
        last_number: u32::MAX,
        bar_height: 24.0,
        draws_bars: true,
    };
}

/// The lens's sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct LensSizes {
    pub(super) area: Area,
    pub(super) heading: Option<Point>,
    pub(super) top: Px,
    pub(super) height: Px,
    pub(super) left: Px,
    pub(super) right: Px,
    /// Px of a byte.
    pub(super) scale: Px,
    pub(super) name_size: Px,
    pub(super) text_size: Px,
    /// Baselines of the names, from the top.
    pub(super) name_at: Px,
    /// From there to the first line under it, and from line to line.
    pub(super) first_line: Px,
    pub(super) line: Px,
    /// Lines under the name, at most.
    pub(super) lines: usize,
    pub(super) tag: Px,
    pub(super) armed_tag: Px,
    /// How far the handle's line stands out, above and below.
    pub(super) handle_out: Px,
    /// From the objects' bottom to the grip's middle.
    pub(super) grip: Px,
}

impl LensSizes {
    pub(super) fn of(frame: Frame) -> Self {
        match frame {
            Frame::Wide => Self::WIDE,
            Frame::Short => Self {
                area: Area::new(0.0, 260.0, 1280.0, 166.0),
                heading: Some(Point { x: MARGIN, y: 276.0 }),
                top: 288.0,
                height: 80.0,
                name_size: 28.0,
                name_at: 51.0,
                lines: 0,
                handle_out: 12.0,
                grip: 32.0,
                ..Self::WIDE
            },
            Frame::Presenter => Self {
                area: Area::new(0.0, 310.0, 1280.0, 264.0),
                heading: None,
                top: 328.0,
                height: 176.0,
                name_size: 56.0,
                text_size: 28.0,
                name_at: 74.0,
                first_line: 58.0,
                line: 40.0,
                lines: 2,
                tag: 34.0,
                armed_tag: 34.0,
                grip: 40.0,
                ..Self::WIDE
            },
            Frame::Narrow { width } => Self {
                area: Area::new(0.0, 0.0, px(width), 0.0),
                heading: Some(Point { x: NARROW_MARGIN, y: 16.0 }),
                top: 26.0,
                height: 76.0,
                left: NARROW_MARGIN,
                right: px(width) - NARROW_MARGIN - 23.0,
                scale: if width < 375 { 4.0 } else { 5.0 },
                name_size: 28.0,
                name_at: 30.0,
                first_line: 28.0,
                lines: 1,
                tag: 20.0,
                armed_tag: 20.0,
                ..Self::WIDE
            },
        }
    }

    const WIDE: Self = Self {
        area: Area::new(0.0, 324.0, 1280.0, 198.0),
        heading: Some(Point { x: MARGIN, y: 340.0 }),
        top: 352.0,
        height: 112.0,
        left: MARGIN,
        right: RIGHT,
        scale: 6.0,
        name_size: 40.0,
        text_size: 16.0,
        name_at: 47.0,
        first_line: 27.0,
        line: 22.0,
        lines: 2,
        tag: 28.0,
        armed_tag: 24.0,
        handle_out: 14.0,
        grip: 34.0,
    };
}
