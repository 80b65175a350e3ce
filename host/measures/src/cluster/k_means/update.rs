//! One step of mini-batch k-means: the centres move towards a batch, and centres that hardly any row chooses start again.

use pulp::{Arch, Simd, WithSimd};

use super::rows::Rows;
use crate::numeric::argsort;
use crate::random::RandomState;

/// Share of the largest count below which a centre starts again.
const RARE: f32 = 0.01;

/// Rows a centre must on average have been offered before rarely chosen centres start again.
const OFFERED: usize = 10;

/// The centres and how many rows each has taken so far.
pub(super) struct Clusters {
    /// Row-major.
    pub centres: Vec<f32>,
    counts: Vec<f32>,
    since_reassignment: usize,
}

impl Clusters {
    /// Begins with the rows at `seeds`.
    pub fn new(rows: Rows<'_>, seeds: &[u32]) -> Self {
        let centres = seeds.iter().flat_map(|&seed| rows.row(seed)).copied().collect();
        Self { centres, counts: vec![0.0; seeds.len()], since_reassignment: 0 }
    }

    /// Moves the centres towards the rows of `batch`, of which row i is nearest to centre `labels[i]`; returns the sum
    /// of the squared distances to the centres before they moved.
    pub fn step(&mut self, rows: Rows<'_>, batch: &[u32], labels: &[u32], random: &mut RandomState) -> f64 {
        let reassign = self.reassignment_is_due(batch.len());
        let centres = Rows::new(&self.centres, rows.dimension());
        let inertia = f64::from(inertia(rows, batch, labels, centres));
        self.take_in(rows, batch, labels);
        if reassign {
            self.reassign(rows, batch, random);
        }
        inertia
    }

    /// True if a centre has no row yet, or if enough rows went by since the last time.
    fn reassignment_is_due(&mut self, batch_size: usize) -> bool {
        self.since_reassignment += batch_size;
        let due = self.counts.contains(&0.0) || self.since_reassignment >= OFFERED * self.counts.len();
        if due {
            self.since_reassignment = 0;
        }
        due
    }

    /// Each centre becomes the mean of all rows that it has taken.
    fn take_in(&mut self, rows: Rows<'_>, batch: &[u32], labels: &[u32]) {
        let dimension = rows.dimension();
        let mut taken = vec![0.0f32; self.counts.len()];
        labels.iter().for_each(|&label| taken[label as usize] += 1.0);
        let scale = |centre: &mut [f32], factor: f32| centre.iter_mut().for_each(|value| *value *= factor);
        for ((centre, &count), &taken) in
            self.centres.chunks_exact_mut(dimension).zip(&self.counts).zip(&taken)
        {
            if taken > 0.0 {
                scale(centre, count);
            }
        }
        Arch::new().dispatch(Sums { rows, batch, labels, sums: &mut self.centres });
        for ((centre, count), &taken) in
            self.centres.chunks_exact_mut(dimension).zip(&mut self.counts).zip(&taken)
        {
            if taken > 0.0 {
                *count += taken;
                scale(centre, 1.0 / *count);
            }
        }
    }

    /// Puts rarely chosen centres on random rows of the batch, in ascending order of the centres.
    fn reassign(&mut self, rows: Rows<'_>, batch: &[u32], random: &mut RandomState) {
        let dimension = rows.dimension();
        let rare = self.rare(batch.len());
        if rare.is_empty() {
            return;
        }
        let places = random.choice_without_replacement(batch.len(), rare.len());
        for (&centre, place) in rare.iter().zip(places) {
            let start = centre * dimension;
            self.centres[start..start + dimension].copy_from_slice(rows.row(batch[place]));
        }
        let others = (0..self.counts.len()).filter(|centre| rare.binary_search(centre).is_err());
        let smallest = others.map(|centre| self.counts[centre]).fold(f32::INFINITY, f32::min);
        rare.iter().for_each(|&centre| self.counts[centre] = smallest);
    }

    /// The rarely chosen centres, ascending, at most half as many as the batch has rows: those with the smallest counts, of equal
    /// ones those that numpy's `argsort` puts first.
    fn rare(&self, batch_size: usize) -> Vec<usize> {
        let largest = self.counts.iter().copied().fold(0.0, f32::max);
        let is_rare = |centre: &usize| self.counts[*centre] < RARE * largest;
        let rare: Vec<usize> = (0..self.counts.len()).filter(is_rare).collect();
        if 2 * rare.len() <= batch_size {
            return rare;
        }
        let smallest = argsort(&self.counts).into_iter().take(batch_size / 2);
        let mut rare: Vec<usize> = smallest.filter(is_rare).collect();
        rare.sort_unstable();
        rare
    }
}

/// Adds each row of a batch to the sum of its centre.
struct Sums<'a> {
    rows: Rows<'a>,
    batch: &'a [u32],
    labels: &'a [u32],
    sums: &'a mut [f32],
}

impl WithSimd for Sums<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let dimension = self.rows.dimension();
        for (&index, &label) in self.batch.iter().zip(self.labels) {
            let start = label as usize * dimension;
            let sums = &mut self.sums[start..start + dimension];
            for (sum, &value) in sums.iter_mut().zip(self.rows.row(index)) {
                *sum += value;
            }
        }
    }
}

/// Sum of the squared distances of the rows to their centres, in the order of scikit-learn with one thread.
fn inertia(rows: Rows<'_>, batch: &[u32], labels: &[u32], centres: Rows<'_>) -> f32 {
    let distances = batch.iter().zip(labels).map(|(&index, &label)| (rows.row(index), centres.row(label)));
    distances.fold(0.0, |sum, (row, centre)| sum + squared_distance(row, centre))
}

/// The squared distance of two rows, four numbers after four.
fn squared_distance(left: &[f32], right: &[f32]) -> f32 {
    let square = |x: f32, y: f32| (x - y) * (x - y);
    let ((left, left_tail), (right, right_tail)) = (left.as_chunks(), right.as_chunks());
    let four = |[a, b, c, d]: [f32; 4], [e, f, g, h]: [f32; 4]| {
        square(a, e) + square(b, f) + square(c, g) + square(d, h)
    };
    let whole = left.iter().zip(right).fold(0.0, |sum, (&left, &right)| sum + four(left, right));
    left_tail.iter().zip(right_tail).fold(whole, |sum, (&x, &y)| sum + square(x, y))
}
