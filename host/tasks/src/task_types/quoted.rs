//! Labels as messages name them: in quotes, so that an empty one or a space at its end is seen.

/// The labels, of many only the first.
pub(super) fn some_quoted<'a>(mut labels: impl Iterator<Item = &'a String>) -> String {
    const SHOWN: usize = 5;
    let mut shown: Vec<String> = labels.by_ref().take(SHOWN).map(|label| format!("“{label}”")).collect();
    let more = labels.count();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    shown.join(", ")
}
