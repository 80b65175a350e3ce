//! Which pairs share a request: those of one query.

use std::collections::HashMap;

use crate::request::{Limits, tokens_of};

/// Documents for one query.
#[derive(Debug, PartialEq, Eq)]
pub struct Group<'a> {
    /// The query.
    pub query: &'a str,
    /// Numbers of the pairs.
    pub pairs: Vec<usize>,
}

/// The pairs in groups of one query each, within the limits; a query counts once for each of its documents, as models read it.
pub fn groups<'a>(queries: &[&'a str], documents: &[&str], limits: Limits) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut open: HashMap<&str, (usize, usize)> = HashMap::new();
    for (pair, (&query, document)) in queries.iter().zip(documents).enumerate() {
        let more = tokens_of(query) + tokens_of(document);
        match open.get_mut(query) {
            Some((group, tokens))
                if groups[*group].pairs.len() < limits.texts.max(1) && *tokens + more <= limits.tokens =>
            {
                groups[*group].pairs.push(pair);
                *tokens += more;
            }
            _ => {
                open.insert(query, (groups.len(), more));
                groups.push(Group { query, pairs: vec![pair] });
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_one_query_share_a_request_wherever_they_stand() {
        let limits = Limits { texts: 2, tokens: 1000 };
        let found = groups(&["a", "b", "a", "a"], &["1", "2", "3", "4"], limits);
        let found: Vec<(&str, &[usize])> = found.iter().map(|group| (group.query, &*group.pairs)).collect();
        assert_eq!(found, [("a", &[0, 2][..]), ("b", &[1]), ("a", &[3])]);
    }
}
