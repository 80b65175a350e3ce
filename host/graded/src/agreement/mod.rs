//! How far judges agree, and how much of a ranking of systems hangs on choices that could have been others.

mod distribution;
mod grades;
mod judges;
mod stability;

pub use distribution::{Distribution, distribution};
pub use grades::{GradeAgreement, OfGrade, with_grades};
pub use judges::{Agreement, PairAgreement, agreement};
pub use stability::{Stability, StabilityOptions, Unit, stability};
