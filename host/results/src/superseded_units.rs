//! Which units of a file copies of it hold, as it was before scores in it were replaced.

use std::path::PathBuf;

use super::ResultFile;

/// True if a copy among `copies` holds each unit of `found` that `next` no longer has as it was, with what it was made from.
pub(super) fn is_kept_in(copies: &[(PathBuf, ResultFile)], found: &ResultFile, next: &ResultFile) -> bool {
    let mut lost = units(found).filter(|unit| !is_same(found, next, *unit)).peekable();
    lost.peek().is_some() && lost.all(|unit| copies.iter().any(|(_, copy)| is_same(found, copy, unit)))
}

/// The units of a file, as split and subset.
pub fn units(file: &ResultFile) -> impl Iterator<Item = (&str, &str)> {
    file.splits
        .iter()
        .flat_map(|split| split.entries.iter().map(|entry| (split.split.as_str(), entry.subset.as_str())))
}

/// True if both files have the same scores of a unit, made from the same by the same model.
fn is_same(one: &ResultFile, other: &ResultFile, (split, subset): (&str, &str)) -> bool {
    // As text, for a score that is no number equals none, not even itself.
    let entry = |file: &ResultFile| file.entry(split, subset).map(|entry| entry.json.to_python(0));
    entry(one) == entry(other)
        && one.model(split, subset) == other.model(split, subset)
        && one.made_from(split, subset) == other.made_from(split, subset)
        && one.revision_of(split, subset) == other.revision_of(split, subset)
}
