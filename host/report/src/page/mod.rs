//! The page: one self-contained HTML file a benchmark, which asks nobody for anything.

mod data;
mod frame;
mod graded;
mod html;
mod language_parts;
mod map;
mod notes;
mod samples;
mod texts;
mod views;

pub use data::PageParts;
pub use graded::{Graded, GradedPart, GradedSystem, JudgePair};
pub use html::page;
pub use map::TextMap;
pub use samples::{Samples, TaskSamples, Withheld};
pub use texts::{ENGLISH, LanguageFault, LanguageFile, PageLanguages};
