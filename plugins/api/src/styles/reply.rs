//! What is found in a reply of a provider.

use mteb_remote::{Unfit, Usage};

/// Rows of a reply, each with the number of its text where the reply says it.
pub type Rows = Vec<(Option<usize>, Vec<f32>)>;

/// Scores of a reply, each with the number of its document.
pub type Scores = Vec<(usize, f32)>;

/// What was found in a reply, and what it has cost if the reply says so.
pub type Found<T> = Result<(T, Option<Usage>), Unfit>;
