//! Mini-batch k-means (Sculley 2010) as scikit-learn's `MiniBatchKMeans` with `init="k-means++"` and `n_init=1` runs it
//! (protocol 6.4 and 6.5), draw for draw.
//!
//! # Why not linfa-clustering
//!
//! linfa-clustering 0.8 has an incremental k-means (`KMeans` with `fit_with`), and it cannot give these clusters: the
//! caller must supply the batches, so the draws, on which every score depends, are not there; its k-means++ takes the
//! first candidate instead of the best of 2 + ⌊ln k⌋, and draws with xoshiro; it never reassigns a rarely chosen
//! centre; it ends when the centres stand still instead of when the smoothed inertia no longer falls. A score made
//! with it would compare with no published one.
//!
//! # What is equal
//!
//! Draws, updates and reassignments are those of scikit-learn bit for bit. The nearest centre is found from the same
//! sums in the same order as scikit-learn's with OpenBLAS 0.3.30 on x86-64 with AVX-512, hence from the same digits; the
//! inertia in the stopping rule is that of one thread. So is the potential of k-means++ (of one thread, and its first one with AVX-512),
//! and the order of equal counts, which is that of numpy's `argsort` with AVX-512.

mod batches;
mod eight;
mod nearest;
mod rows;
mod seeding;
mod small;
mod update;

pub use batches::Generation;
pub use rows::Rows;

use rayon::prelude::*;

use crate::random::RandomState;
use batches::Batches;
use nearest::{CHUNK, Centres};
use seeding::seed_centres;
use update::Clusters;

/// Passes over the rows after which a fit ends at the latest.
const PASSES: usize = 100;

/// Rows that are labelled together after the fit.
const TOGETHER: usize = 1024;

/// How to cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MiniBatchKMeans {
    /// Number of clusters, at least 1.
    pub clusters: usize,
    /// Rows in a mini-batch, at least 1.
    pub batch_size: usize,
    /// Whose mini-batches are drawn.
    pub generation: Generation,
    /// Seed of the random state, 42 in the protocol.
    pub seed: u32,
}

/// What a fit found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clustering {
    /// Cluster of each row that was clustered, from 0.
    pub labels: Vec<u32>,
    /// Mini-batches that were used.
    pub steps: usize,
}

impl MiniBatchKMeans {
    /// Clusters the rows at `drawn`, which may repeat rows: what depends on a row alone is computed once.
    ///
    /// `drawn` holds at least as many indices as there are clusters. The result does not depend on the number of
    /// threads.
    pub fn fit(&self, rows: Rows<'_>, drawn: &[u32]) -> Clustering {
        debug_assert!(self.clusters > 0 && self.clusters <= drawn.len() && self.batch_size > 0);
        let mut random = RandomState::new(self.seed);
        let seeds = self.seeds(rows, drawn, &mut random);
        let mut clusters = Clusters::new(rows, &seeds);
        let batches = Batches::new(self.generation, drawn.len(), self.batch_size.min(drawn.len()));
        let mut stopping = Stopping::new(batches.size(), drawn.len());
        let (mut batch, mut labels) = (Vec::new(), vec![0; batches.size()]);
        let mut steps = 0;
        while steps < PASSES * drawn.len() / batches.size() {
            steps += 1;
            batches.next(&mut random, drawn, &mut batch);
            self.centres(rows, &clusters).nearest(rows, &batch, &mut labels);
            let inertia = clusters.step(rows, &batch, &labels, &mut random);
            if stopping.ends(inertia / batches.size() as f64) {
                break;
            }
        }
        Clustering { labels: label_all(rows, drawn, &self.centres(rows, &clusters)), steps }
    }

    /// Indices of the rows that are the first centres.
    fn seeds(&self, rows: Rows<'_>, drawn: &[u32], random: &mut RandomState) -> Vec<u32> {
        let wanted = 3 * self.batch_size.min(drawn.len());
        let wanted = if wanted < self.clusters { 3 * self.clusters } else { wanted };
        let size = wanted.min(drawn.len());
        // The rows on which several seedings would be compared: there is one, but the draws are made.
        random.randint(drawn.len(), size);
        if size < drawn.len() {
            let sample: Vec<u32> =
                random.randint(drawn.len(), size).into_iter().map(|place| drawn[place]).collect();
            seed_centres(rows, &sample, self.clusters, random)
        } else {
            seed_centres(rows, drawn, self.clusters, random)
        }
    }

    fn centres<'a>(&self, rows: Rows<'_>, clusters: &'a Clusters) -> Centres<'a> {
        Centres::new(Rows::new(&clusters.centres, rows.dimension()))
    }
}

/// The nearest centre of every row at `drawn`: of those in whole chunks each distinct row's once.
fn label_all(rows: Rows<'_>, drawn: &[u32], centres: &Centres) -> Vec<u32> {
    let (whole, rest) = drawn.split_at(drawn.len() / CHUNK * CHUNK);
    let mut used = vec![false; rows.len()];
    whole.iter().for_each(|&index| used[index as usize] = true);
    let distinct: Vec<u32> = (0..rows.len() as u32).filter(|&index| used[index as usize]).collect();
    let mut labels = vec![0; distinct.len()];
    let parts = distinct.par_chunks(TOGETHER).zip(labels.par_chunks_mut(TOGETHER));
    parts.for_each(|(indices, labels)| centres.nearest_of_part(rows, indices, labels, CHUNK));
    let mut label_of = vec![0; rows.len()];
    distinct.iter().zip(&labels).for_each(|(&index, &label)| label_of[index as usize] = label);
    let mut all: Vec<u32> = whole.iter().map(|&index| label_of[index as usize]).collect();
    let mut last = vec![0; rest.len()];
    centres.nearest(rows, rest, &mut last);
    all.append(&mut last);
    all
}

/// Steps without improvement after which the fit ends.
const PATIENCE: usize = 10;

/// Watches the smoothed inertia of the batches (protocol 6.5, step 4).
struct Stopping {
    /// Weight of a new batch in the smoothed inertia.
    weight: f64,
    first_step: bool,
    smoothed: Option<f64>,
    lowest: f64,
    without_improvement: usize,
}

impl Stopping {
    /// Watches batches of `batch_size` rows out of `rows`.
    pub fn new(batch_size: usize, rows: usize) -> Self {
        let weight = (batch_size as f64 * 2.0 / (rows + 1) as f64).min(1.0);
        Self { weight, first_step: true, smoothed: None, lowest: f64::INFINITY, without_improvement: 0 }
    }

    /// True if the fit ends after a step with this mean inertia; the first step, which has the inertia of the seeds,
    /// does not count.
    pub fn ends(&mut self, mean_inertia: f64) -> bool {
        if std::mem::take(&mut self.first_step) {
            return false;
        }
        let smoothed = match self.smoothed {
            None => mean_inertia,
            Some(before) => before * (1.0 - self.weight) + mean_inertia * self.weight,
        };
        self.smoothed = Some(smoothed);
        if smoothed < self.lowest {
            self.lowest = smoothed;
            self.without_improvement = 0;
        } else {
            self.without_improvement += 1;
        }
        self.without_improvement >= PATIENCE
    }
}
