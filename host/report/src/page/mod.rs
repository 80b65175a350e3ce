//! The page: one self-contained HTML file a benchmark, which asks nobody for anything.

mod about;
mod controls;
mod data;
mod graded;
mod html;
mod language_parts;
mod map;
mod notes;
mod parts;
mod policy;
mod samples;
mod shown;
mod texts;
mod views;
mod words;

pub use graded::{Graded, GradedPart, GradedSystem, JudgePair};
pub use html::page;
pub use map::TextMap;
pub use parts::PageParts;
pub use samples::{Samples, TaskSamples, Withheld};
pub use texts::{ENGLISH, LanguageFault, LanguageFile, PageLanguages};
