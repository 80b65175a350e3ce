//! The page: one self-contained HTML file a benchmark, which asks nobody for anything.

mod charts;
mod data;
mod graded;
mod html;
mod policy;
mod rows;
mod shown;
mod texts;

pub use graded::{Graded, GradedSystem};
pub use html::page;
pub use texts::Language;
