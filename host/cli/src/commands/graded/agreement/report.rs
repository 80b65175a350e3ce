//! What is said of judges and systems, before it takes a form.

use mteb_graded::agreement::{Agreement, Distribution, GradeAgreement, Stability};
use mteb_graded::evaluate::SystemName;

/// What is said of judges and systems.
pub(super) struct Report {
    pub judges: Vec<String>,
    pub agreement: Agreement,
    /// Of each task and judge.
    pub distributions: Vec<(String, String, Distribution)>,
    pub systems: Vec<SystemName>,
    pub stability: Vec<Stability>,
    /// Of each task and judge, beside the task's own grades.
    pub grades: Vec<(String, String, GradeAgreement)>,
}
