//! How far judges agree, and how much of a ranking of systems hangs on choices that could have been others.

mod grades;
mod judges;
mod stability;

pub use grades::{GradeAgreement, OfGrade, with_grades};
pub use judges::{Agreement, Distribution, PairAgreement, agreement, distribution};
pub use stability::{Stability, StabilityOptions, Unit, stability};
