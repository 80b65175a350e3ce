//! The page: one self-contained HTML file a benchmark, which asks nobody for anything.

mod data;
mod graded;
mod html;
mod policy;
mod rows;
mod shown;
mod template;
mod texts;

pub use graded::{Graded, GradedPart, GradedSystem, JudgePair};
pub use html::page;
pub use texts::Language;
