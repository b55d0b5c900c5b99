//! What is drawn, without a browser: where arrows run, what the figures of a lesson hold.

mod arrows;
mod bench;
mod figures;
mod listing;
mod overlaps;
mod slabs;
