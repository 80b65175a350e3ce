//! The order of found documents: by score, ties by id, both descending.

use std::cmp::Ordering;

/// A found document and its score.
pub type Found = (u32, f64);

/// The ids of documents, for ties; ids compare by code point.
pub trait DocumentIds: Sync {
    /// The id of `document`.
    fn id(&self, document: u32) -> &str;
}

impl<S: AsRef<str> + Sync> DocumentIds for [S] {
    fn id(&self, document: u32) -> &str {
        self[document as usize].as_ref()
    }
}

impl<S: AsRef<str> + Sync> DocumentIds for Vec<S> {
    fn id(&self, document: u32) -> &str {
        self[document as usize].as_ref()
    }
}

/// How `a` stands to `b` in (score, id); NaN counts as the smallest score.
pub fn compare<I: DocumentIds + ?Sized>(ids: &I, a: Found, b: Found) -> Ordering {
    let by_score = a.1.partial_cmp(&b.1).unwrap_or_else(|| b.1.is_nan().cmp(&a.1.is_nan()));
    by_score.then_with(|| ids.id(a.0).cmp(ids.id(b.0)))
}

/// The `depth` best of `found`, best first.
pub fn best_first<I: DocumentIds + ?Sized>(ids: &I, found: &[Found], depth: usize) -> Vec<u32> {
    let mut ranked = found.to_vec();
    if depth < ranked.len() {
        ranked.select_nth_unstable_by(depth, |&a, &b| compare(ids, b, a));
        ranked.truncate(depth);
    }
    ranked.sort_unstable_by(|&a, &b| compare(ids, b, a));
    ranked.into_iter().map(|(document, _)| document).collect()
}

/// The rank of `document` among `found`, starting at 1; one more than their number if it was not found.
pub fn rank_of<I: DocumentIds + ?Sized>(ids: &I, found: &[Found], document: u32) -> usize {
    match found.iter().find(|&&(other, _)| other == document) {
        Some(&entry) => {
            1 + found.iter().filter(|&&other| compare(ids, other, entry) == Ordering::Greater).count()
        }
        None => found.len() + 1,
    }
}
