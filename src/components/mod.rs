//! What is seen: one part of the page a file, each with a stylesheet of its name. They draw scenes and emit actions; none
//! knows a machine.

pub mod above;
pub mod bar;
pub mod button;
pub mod crumbs;
pub mod doors;
pub mod drawer;
mod drawing;
pub mod elsewhere;
mod figure;
mod follow;
pub mod grip;
pub mod handle_row;
mod hit;
mod kept;
pub mod lens;
pub mod map;
mod marks;
pub mod menu;
pub mod next_out;
pub mod reach;
mod send;
pub mod sentence;
pub mod stamp;
pub mod switch;
pub mod time;
