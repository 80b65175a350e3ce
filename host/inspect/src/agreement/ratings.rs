//! What annotators said of items.

/// Labels by item and annotator, as numbers of a list of labels or as scores; `None` where an annotator gave none.
pub type Ratings = Vec<Vec<Option<f64>>>;
