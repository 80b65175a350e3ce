//! Scores the survivors of a screening in f32 and keeps the best.

use mteb_measures::ranking::DocumentIds;
use rayon::prelude::*;

use super::survivors::{Found, Survivors};
use super::wanted_scores::WantedScores;
use crate::best::{Best, Scored};
use crate::product::Block;

/// What screening found for a query: its best documents, or `None` if it was given up.
pub(crate) type Screened = Option<Vec<Scored>>;

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
    ///
    /// First as many documents are scored as are wanted, those that are likely the best, and then those that may be better by
    /// the exact scores of the first.
    pub(super) fn best(&self, survivors: Vec<Survivors>, floors: &[f32]) -> Vec<Screened> {
        let found: Vec<Option<Found>> =
            survivors.into_par_iter().map(|found| found.finish(self.depth)).collect();
        let likely: Vec<&[u32]> =
            found.iter().map(|found| found.as_ref().map_or(&[][..], |found| &found.likely)).collect();
        let scores = self.scores(&likely);
        let first_step = |(query, (found, &floor)): (usize, (&Option<Found>, &f32))| {
            let mut best = Best::new(self.depth, floor);
            self.offer(&mut best, likely[query], scores.of_query(query));
            let others = found.as_ref().map(|found| found.others(best.reached(self.ids)));
            (best, others)
        };
        let (best, others): (Vec<Best>, Vec<Option<Vec<u32>>>) =
            found.par_iter().zip(floors).enumerate().map(first_step).unzip();
        let lists: Vec<&[u32]> = others.iter().map(|others| others.as_deref().unwrap_or_default()).collect();
        let scores = self.scores(&lists);
        let last_step = |(query, (mut best, others)): (usize, (Best, &Option<Vec<u32>>))| {
            self.offer(&mut best, others.as_ref()?, scores.of_query(query));
            best.finish(self.ids)
        };
        best.into_par_iter().zip(&others).enumerate().map(last_step).collect()
    }

    fn scores(&self, wanted: &[&[u32]]) -> WantedScores {
        WantedScores::of(self.queries, self.documents, wanted)
    }

    fn offer<'s>(&self, best: &mut Best, documents: &[u32], scores: impl Iterator<Item = &'s [f32]>) {
        let mut documents = documents.iter();
        for &score in scores.flatten() {
            if let Some(&document) = documents.next() {
                best.offer(self.ids, self.first + document, &[score]);
            }
        }
    }
}
