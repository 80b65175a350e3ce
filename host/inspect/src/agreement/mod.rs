//! How far annotators agree: Cohen's and Fleiss' kappa, Krippendorff's alpha, with intervals, and the table of confusion.

mod coefficients;
mod interval;
mod krippendorff;

pub use coefficients::{Ratings, agreement_share, cohen, confusion, fleiss};
pub use interval::interval;
pub use krippendorff::{Level, krippendorff};
