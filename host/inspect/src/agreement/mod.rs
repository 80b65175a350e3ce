//! How far annotators agree: Cohen's and Fleiss' kappa, Krippendorff's alpha, with intervals, and the table of confusion.

mod coefficients;
mod interval;
mod krippendorff;

pub use coefficients::{agreement_share, cohen, confusion, fleiss};
pub use interval::interval;
pub use krippendorff::{Level, krippendorff};

/// Labels by item and annotator, as numbers of a list of labels or as scores; `None` where an annotator gave none.
pub type Ratings = Vec<Vec<Option<f64>>>;
