//! Rankings and judgements of queries as the numbers that measures and types of packs map.

use std::collections::HashMap;

use mteb_card::{Place, RankedPlaces};
use mteb_measures::ranking::{DocumentIds, Found, Outcome, compare};
use rayon::prelude::*;

use super::runner::Block;

/// Rankings and judgements of some queries.
#[derive(Debug, Default)]
pub struct RankedBlocks {
    found_begins: Vec<u32>,
    found_grades: Vec<f64>,
    found_scores: Vec<f64>,
    judged_begins: Vec<u32>,
    judged_grades: Vec<f64>,
    named: Option<Named>,
}

/// The documents behind the numbers.
#[derive(Debug, Default)]
struct Named {
    /// Their ids, a JSON text a line.
    ids: Vec<u8>,
    found: Vec<u32>,
    judged: Vec<u32>,
}

/// A query: its documents best first, and those that are judged, highest grade first.
struct Ranked {
    found: Vec<Found>,
    judged: Vec<(u32, f64)>,
}

impl RankedBlocks {
    /// The `depth` best documents of each query, and its judgements. Ranks are those by which the host measures: by scores cut to
    /// `f32`, ties by id.
    pub fn new<I: DocumentIds + ?Sized>(queries: &[Outcome<'_>], ids: &I, depth: usize) -> Self {
        Self::of(&rank_queries(queries, ids, depth), queries)
    }

    /// The same with the ids of documents.
    pub fn with_ids<I: DocumentIds + ?Sized>(queries: &[Outcome<'_>], ids: &I, depth: usize) -> Self {
        let ranked = rank_queries(queries, ids, depth);
        let (mut named, mut lines) = (Named::default(), HashMap::new());
        let mut line = |document: u32, text: &mut Vec<u8>| -> u32 {
            let next = lines.len() as u32;
            *lines.entry(document).or_insert_with(|| {
                text.extend(serde_json::Value::from(ids.id(document)).to_string().bytes().chain([b'\n']));
                next
            })
        };
        for query in &ranked {
            named.found.extend(query.found.iter().map(|(document, _)| line(*document, &mut named.ids)));
            named.judged.extend(query.judged.iter().map(|(document, _)| line(*document, &mut named.ids)));
        }
        Self { named: Some(named), ..Self::of(&ranked, queries) }
    }

    fn of(ranked: &[Ranked], queries: &[Outcome<'_>]) -> Self {
        let mut blocks = Self { found_begins: vec![0], judged_begins: vec![0], ..Self::default() };
        for (query, outcome) in ranked.iter().zip(queries) {
            let grade = |(document, _): &Found| outcome.judgements.judged(*document).unwrap_or(f64::NAN);
            blocks.found_grades.extend(query.found.iter().map(grade));
            blocks.found_scores.extend(query.found.iter().map(|(_, score)| *score));
            blocks.judged_grades.extend(query.judged.iter().map(|(_, grade)| *grade));
            blocks.found_begins.push(blocks.found_grades.len() as u32);
            blocks.judged_begins.push(blocks.judged_grades.len() as u32);
        }
        blocks
    }

    /// The numbers, in the order of [`Self::places`].
    pub fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = vec![
            Block::Places(&self.found_begins),
            Block::Doubles(&self.found_grades),
            Block::Doubles(&self.found_scores),
            Block::Places(&self.judged_begins),
            Block::Doubles(&self.judged_grades),
        ];
        if let Some(named) = &self.named {
            blocks.extend([
                Block::Bytes(&named.ids),
                Block::Places(&named.found),
                Block::Places(&named.judged),
            ]);
        }
        blocks
    }

    /// Where they lie; `begins` has the first byte of each of the blocks.
    pub fn places(&self, begins: &[usize]) -> RankedPlaces {
        let mut blocks = self.blocks().into_iter().zip(begins).map(|(block, begin)| {
            let rows = match block {
                Block::Bytes(bytes) => bytes.iter().filter(|byte| **byte == b'\n').count(),
                Block::Doubles(numbers) => numbers.len(),
                Block::Floats(numbers) => numbers.len(),
                Block::Places(places) => places.len(),
            };
            let dimension = u64::from(!matches!(block, Block::Bytes(_)));
            Place { offset: *begin as u64, bytes: block.len() as u64, rows: rows as u64, dimension }
        });
        let mut next = || blocks.next().unwrap_or_default();
        RankedPlaces {
            found_begins: next(),
            found_grades: next(),
            found_scores: next(),
            judged_begins: next(),
            judged_grades: next(),
            documents: self.named.as_ref().map(|_| next()),
            found_documents: self.named.as_ref().map(|_| next()),
            judged_documents: self.named.as_ref().map(|_| next()),
        }
    }
}

fn rank_queries<I: DocumentIds + ?Sized>(queries: &[Outcome<'_>], ids: &I, depth: usize) -> Vec<Ranked> {
    let of_query = |query: &Outcome<'_>| {
        let cut = |&(document, score): &Found| (document, f64::from(score as f32));
        let mut found: Vec<Found> = query.found.to_vec();
        found.sort_unstable_by(|a, b| compare(ids, cut(b), cut(a)));
        found.truncate(depth);
        let mut judged = query.judgements.all().to_vec();
        judged.sort_by(|a, b| b.1.total_cmp(&a.1));
        Ranked { found, judged }
    };
    queries.par_iter().map(of_query).collect()
}

#[cfg(test)]
mod tests {
    use mteb_measures::ranking::Judgements;

    use super::super::runner::offsets;
    use super::*;

    #[test]
    fn what_nobody_judged_has_no_grade_and_a_query_without_documents_has_an_empty_range() {
        let judgements = Judgements::new(vec![(0, 1.0), (1, 3.0), (3, 0.0)]);
        let found = [(0, 0.5), (2, 0.9), (1, 0.7)];
        let queries = [
            Outcome { found: &[], judgements: &judgements },
            Outcome { found: &found, judgements: &judgements },
        ];
        let ids = ["a", "b", "c\n", "d"];
        let blocks = RankedBlocks::with_ids(&queries, &ids[..], 2);
        assert_eq!((&blocks.found_begins[..], &blocks.judged_begins[..]), (&[0, 0, 2][..], &[0, 3, 6][..]));
        assert!(blocks.found_grades[0].is_nan() && blocks.found_grades[1] == 3.0);
        assert_eq!(blocks.found_scores, [0.9, 0.7]);
        assert_eq!(blocks.judged_grades, [3.0, 1.0, 0.0, 3.0, 1.0, 0.0]);
        let named = blocks.named.as_ref().unwrap();
        assert_eq!(String::from_utf8_lossy(&named.ids), "\"b\"\n\"a\"\n\"d\"\n\"c\\n\"\n");
        assert_eq!((&named.found[..], &named.judged[..3]), (&[3, 0][..], &[0, 1, 2][..]));
        let places = blocks.places(&offsets(&blocks.blocks()).0);
        assert_eq!((places.found_grades.rows, places.found_grades.bytes), (2, 16));
        assert_eq!(places.documents.map(|place| place.rows), Some(4));
    }
}
