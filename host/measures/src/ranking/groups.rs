//! Queries that belong together by the shape of their ids.

use std::collections::HashMap;

/// The places of `ids` by `key`, groups in order of first appearance.
pub(super) fn group_by<'a, K>(ids: &[&'a str], key: impl Fn(&'a str) -> K) -> Vec<(K, Vec<usize>)>
where
    K: Copy + Eq + std::hash::Hash,
{
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut groups: Vec<(K, Vec<usize>)> = Vec::new();
    for (query, id) in ids.iter().enumerate() {
        let key = key(id);
        let place = *places.entry(key).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(query);
    }
    groups
}

/// The part of `id` before its first underscore, the whole id if there is none.
pub(super) fn before_first_underscore(id: &str) -> &str {
    id.split_once('_').map_or(id, |(before, _)| before)
}

/// The part of `id` before its last underscore, nothing if there is none.
pub(super) fn before_last_underscore(id: &str) -> &str {
    id.rsplit_once('_').map_or("", |(before, _)| before)
}
