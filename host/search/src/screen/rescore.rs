//! Scores the survivors of a screening in f32 and keeps the best.

use mteb_measures::ranking::DocumentIds;
use rayon::prelude::*;

use super::kernel::scores_of_sixteen;
use super::tiles::GROUP;
use crate::best::Best;
use crate::product::Block;
use crate::scored::Scored;

/// What screening found for a query: its best documents, or `None` if it was given up.
pub(crate) type Screened = Option<Vec<Scored>>;

/// Bytes of documents, and of queries, that are worked on together: part of a core's cache each.
const NEAR: usize = 512 << 10;

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
    /// The best of each query's survivors, which rise; `None` where there is `None`.
    pub(super) fn best(&self, survivors: &[Option<Vec<u32>>], floors: &[f32]) -> Vec<Screened> {
        let fair = survivors.len().div_ceil(2 * rayon::current_num_threads());
        let length = self.rows_near().min(fair).max(1);
        let blocks = survivors.par_chunks(length).zip(floors.par_chunks(length)).enumerate();
        blocks
            .flat_map_iter(|(block, (survivors, floors))| {
                self.best_of_block(block * length, survivors, floors)
            })
            .collect()
    }

    /// The queries go through the documents side by side, so that most documents are in the cache when a query gets to
    /// them.
    fn best_of_block(&self, start: usize, survivors: &[Option<Vec<u32>>], floors: &[f32]) -> Vec<Screened> {
        let mut best: Vec<Best> = floors.iter().map(|&floor| Best::new(self.depth, floor)).collect();
        let mut rest: Vec<&[u32]> =
            survivors.iter().map(|found| found.as_deref().unwrap_or_default()).collect();
        for near in (0..self.documents.len()).step_by(self.rows_near()) {
            let end = (near + self.rows_near()) as u32;
            for (query, (best, rest)) in best.iter_mut().zip(&mut rest).enumerate() {
                // The last group may reach beyond the end, so that only a query's very last one is not full.
                while rest.first().is_some_and(|&document| document < end) {
                    let (group, later) = rest.split_at(rest.len().min(GROUP));
                    self.score(self.queries.row(start + query), group, best);
                    *rest = later;
                }
            }
        }
        let finish = |(best, found): (Best, &Option<Vec<u32>>)| {
            found.as_ref()?;
            best.finish(self.ids)
        };
        best.into_iter().zip(survivors).map(finish).collect()
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
        (NEAR / (size_of::<f32>() * self.documents.dimension)).max(GROUP)
    }
}
