//! The page: a session over a timeline, scenes drawn from it, and the components that show them.
//!
//! Arrows: `session` and `scene` know no Yew and no browser; `components` know no `Machine`; only `browser` names
//! web-sys.

pub mod app;
pub mod browser;
pub mod components;
pub mod lessons;
pub mod scene;
pub mod session;
pub mod stage;
pub mod text;
