//! Tables: every model of some results on every task of a benchmark.

mod reference;

pub use reference::{ReferenceRow, ReferenceTable};
