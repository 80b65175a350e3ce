//! Scores the survivors of a screening in f32 and keeps the best.

use mteb_measures::ranking::DocumentIds;
use rayon::prelude::*;

use super::exact::{ROWS, scores_of_sixteen};
use super::survivors::{Found, Survivors};
use crate::best::{Best, Scored};
use crate::product::Block;

/// What screening found for a query: its best documents, or `None` if it was given up.
pub(crate) type Screened = Option<Vec<Scored>>;

/// Bytes of documents that are worked on together. Fewer would lie nearer to the core, but a query then has too few among
/// them to fill a group.
const NEAR: usize = 2 << 20;

/// Tasks a thread, so that none waits long for the last one.
const TASKS: usize = 8;

/// What is rescored.
pub(super) struct Rescoring<'a, I: ?Sized> {
    pub queries: Block<'a>,
    pub documents: Block<'a>,
    pub depth: usize,
    /// The first document's number in `ids`.
    pub first: u32,
    pub ids: &'a I,
}

impl<I: DocumentIds + ?Sized> Rescoring<'_, I> {
    /// The best of each query's survivors; `None` where it was given up.
    pub(super) fn best(&self, survivors: Vec<Survivors>, floors: &[f32]) -> Vec<Screened> {
        let survivors: Vec<Option<Found>> =
            survivors.into_par_iter().map(|found| found.finish(self.depth)).collect();
        let fair = survivors.len().div_ceil(TASKS * rayon::current_num_threads());
        let length = self.rows_near().min(fair).max(1);
        let blocks = survivors.par_chunks(length).zip(floors.par_chunks(length)).enumerate();
        blocks
            .flat_map_iter(|(block, (survivors, floors))| {
                self.best_of_block(block * length, survivors, floors)
            })
            .collect()
    }

    /// First as many documents as are wanted, those that are likely the best, and then those that may be better by the
    /// exact scores of the first.
    fn best_of_block(&self, start: usize, survivors: &[Option<Found>], floors: &[f32]) -> Vec<Screened> {
        let mut best: Vec<Best> = floors.iter().map(|&floor| Best::new(self.depth, floor)).collect();
        let likely: Vec<&[u32]> =
            survivors.iter().map(|found| found.as_ref().map_or(&[][..], |found| &found.likely)).collect();
        self.score_all(start, likely, &mut best);
        let others = |(best, found): (&mut Best, &Option<Found>)| {
            let found = found.as_ref()?;
            Some(found.others(best.reached(self.ids)))
        };
        let others: Vec<_> =
            best.iter_mut().zip(survivors).map(|pair| others(pair).unwrap_or_default()).collect();
        self.score_all(start, others.iter().map(Vec::as_slice).collect(), &mut best);
        let finish = |(best, found): (Best, &Option<Found>)| {
            found.as_ref()?;
            best.finish(self.ids)
        };
        best.into_iter().zip(survivors).map(finish).collect()
    }

    /// Scores the documents `rest` of each query, which rise.
    ///
    /// The queries go through the documents side by side, so that most documents are in the cache when a query gets to
    /// them.
    fn score_all(&self, start: usize, mut rest: Vec<&[u32]>, best: &mut [Best]) {
        for near in (0..self.documents.len()).step_by(self.rows_near()) {
            let end = (near + self.rows_near()) as u32;
            for (query, (best, rest)) in best.iter_mut().zip(&mut rest).enumerate() {
                // The last group may reach beyond the end, so that only a query's very last one is not full.
                while rest.first().is_some_and(|&document| document < end) {
                    let (group, later) = rest.split_at(rest.len().min(ROWS));
                    self.score(self.queries.row(start + query), group, best);
                    *rest = later;
                }
            }
        }
    }

    fn score(&self, query: &[f32], group: &[u32], best: &mut Best) {
        // A group that is not full repeats its first document.
        let row = |place| self.documents.row(*group.get(place).unwrap_or(&group[0]) as usize);
        let scores = scores_of_sixteen(query, &std::array::from_fn(row));
        for (&document, score) in group.iter().zip(scores) {
            best.offer(self.ids, self.first + document, &[score]);
        }
    }

    fn rows_near(&self) -> usize {
        (NEAR / (size_of::<f32>() * self.documents.dimension)).max(ROWS)
    }
}
