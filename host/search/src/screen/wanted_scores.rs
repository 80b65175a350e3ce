//! The scores in f32 of a few documents of each query.

use std::ops::Range;

use rayon::prelude::*;

use super::exact::{InterleavedRows, PAIRS, ROWS, scores_of_sixteen};
use crate::product::Block;

/// Bytes of documents that are worked on together: about what is near to a core alone.
const NEAR: usize = 1 << 20;

/// Bytes of queries whose documents are looked up together.
const QUERIES: usize = 8 << 20;

/// Tasks a thread, so that none waits long for the last one.
const TASKS: usize = 8;

/// Scores of each query, in the order of its documents.
pub(super) struct WantedScores {
    /// Those of some queries each.
    blocks: Vec<QueryBlock>,
    /// Queries a block.
    length: usize,
}

/// Scores of some queries, in segments of the corpus.
struct QueryBlock(Vec<Segment>);

/// Scores in a part of the corpus, query by query.
struct Segment {
    scores: Vec<f32>,
    /// Where the scores of each query start, and at last where those of the last query end.
    starts: Vec<usize>,
}

impl WantedScores {
    /// Scores the documents `wanted` of each query, which rise.
    ///
    /// The queries go through the documents side by side, so that a document that several of them want is in the cache when
    /// they get to it.
    pub(super) fn of(queries: Block<'_>, documents: Block<'_>, wanted: &[&[u32]]) -> Self {
        let length = (QUERIES / (size_of::<f32>() * queries.dimension)).max(1);
        let block = |(block, wanted): (usize, &[&[u32]])| {
            let first = block * length;
            QueryBlock::of(queries.range(first..first + wanted.len()), documents, wanted)
        };
        Self { blocks: wanted.chunks(length).enumerate().map(block).collect(), length }
    }

    /// The scores of a query, in slices.
    pub(super) fn of_query(&self, query: usize) -> impl Iterator<Item = &[f32]> {
        let (block, query) = (&self.blocks[query / self.length], query % self.length);
        block.0.iter().map(move |segment| segment.of(query))
    }
}

impl QueryBlock {
    fn of(queries: Block<'_>, documents: Block<'_>, wanted: &[&[u32]]) -> Self {
        if wanted.iter().all(|wanted| wanted.is_empty()) {
            return Self(Vec::new());
        }
        let near = (NEAR / (size_of::<f32>() * documents.dimension)).max(ROWS);
        let length = documents.len().div_ceil(TASKS * rayon::current_num_threads()).next_multiple_of(near);
        let starts: Vec<usize> = (0..documents.len()).step_by(length).collect();
        let segment = |start: usize| {
            let within = start..(start + length).min(documents.len());
            let wanted = wanted.iter().map(|wanted| part(wanted, &within)).collect();
            Walk { queries, documents, near, within, wanted }
        };
        let interleaved = InterleavedRows::pay(queries.dimension).then(|| interleave(queries));
        let scores = |start| match &interleaved {
            Some(queries) => segment(start).score_interleaved(queries),
            None => segment(start).score(),
        };
        Self(starts.into_par_iter().map(scores).collect())
    }
}

impl Segment {
    fn of(&self, query: usize) -> &[f32] {
        &self.scores[self.starts[query]..self.starts[query + 1]]
    }
}

/// Those of `documents`, which rise, that are in the range.
fn part<'a>(documents: &'a [u32], range: &Range<usize>) -> &'a [u32] {
    let before = |end: usize| documents.partition_point(|&document| (document as usize) < end);
    &documents[before(range.start)..before(range.end)]
}

fn interleave(queries: Block<'_>) -> InterleavedRows {
    let mut rows = InterleavedRows::new(queries.len(), queries.dimension);
    (0..queries.len()).for_each(|query| rows.put(query, queries.row(query)));
    rows
}

/// All queries on their way through a part of the corpus.
struct Walk<'a> {
    queries: Block<'a>,
    documents: Block<'a>,
    /// Documents that are worked on together.
    near: usize,
    within: Range<usize>,
    /// The documents that each query wants there.
    wanted: Vec<&'a [u32]>,
}

impl Walk<'_> {
    /// Sixteen documents of a query at a time.
    fn score(self) -> Segment {
        let mut segment = self.make_segment();
        let mut rest = self.pair_starts(&segment);
        for near in self.within.clone().step_by(self.near) {
            let end = (near + self.near) as u32;
            for (query, (place, rest)) in rest.iter_mut().enumerate() {
                // The last group may reach beyond the end, so that only a query's very last one is not full.
                while rest.first().is_some_and(|&document| document < end) {
                    let (group, later) = rest.split_at(rest.len().min(ROWS));
                    // A group that is not full repeats its first document.
                    let row = |place| self.documents.row(*group.get(place).unwrap_or(&group[0]) as usize);
                    let scores = scores_of_sixteen(self.queries.row(query), &std::array::from_fn(row));
                    segment.scores[*place..*place + group.len()].copy_from_slice(&scores[..group.len()]);
                    (*place, *rest) = (*place + group.len(), later);
                }
            }
        }
        segment
    }

    /// Eight pairs of a query and a document at a time, of which runs lie interleaved.
    fn score_interleaved(self, queries: &InterleavedRows) -> Segment {
        let mut segment = self.make_segment();
        let mut rest = self.pair_starts(&segment);
        let mut rows = InterleavedRows::new(self.near, self.documents.dimension);
        let (mut pairs, mut places, mut is_wanted) = (Vec::new(), Vec::new(), vec![false; self.near]);
        for near in self.within.clone().step_by(self.near) {
            let end = near + self.near;
            pairs.clear();
            places.clear();
            is_wanted.fill(false);
            for (query, (place, rest)) in rest.iter_mut().enumerate() {
                while let Some((&document, later)) =
                    rest.split_first().filter(|&(&document, _)| (document as usize) < end)
                {
                    let index = document - near as u32;
                    pairs.push((query as u32, index));
                    places.push(*place);
                    is_wanted[index as usize] = true;
                    (*place, *rest) = (*place + 1, later);
                }
            }
            let wanted = (0..self.near).filter(|&index| is_wanted[index]);
            wanted.for_each(|index| rows.put(index, self.documents.row(near + index)));
            for (pairs, places) in pairs.chunks(PAIRS).zip(places.chunks(PAIRS)) {
                // A group that is not full repeats its first pair.
                let full = std::array::from_fn(|pair| *pairs.get(pair).unwrap_or(&pairs[0]));
                let scores = InterleavedRows::scores(queries, &rows, &full);
                places.iter().zip(scores).for_each(|(&place, score)| segment.scores[place] = score);
            }
        }
        segment
    }

    /// A segment with room for all scores.
    fn make_segment(&self) -> Segment {
        let (mut count, mut starts) = (0, vec![0]);
        for wanted in &self.wanted {
            count += wanted.len();
            starts.push(count);
        }
        Segment { scores: vec![0.0; count], starts }
    }

    /// For each query, where its next score goes, and the documents that it still wants.
    fn pair_starts(&self, segment: &Segment) -> Vec<(usize, &[u32])> {
        segment.starts.iter().copied().zip(self.wanted.iter().copied()).collect()
    }
}
