//! One step of mini-batch k-means: the centres move towards a batch, and centres that hardly any row chooses start anew.

use pulp::{Arch, Simd, WithSimd};

use super::rows::Rows;
use crate::random::RandomState;

/// Share of the largest count below which a centre starts anew.
const RARE: f32 = 0.01;

/// Rows a centre must on average have been offered before rarely chosen centres start anew.
const OFFERED: usize = 10;

/// Running sums of one distance.
const LANES: usize = 16;

/// Numbers that are subtracted at once.
type Block = [f32; LANES];

/// The centres and how many rows each has taken in so far.
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
        let inertia = Arch::new().dispatch(Inertia { rows, batch, labels, centres });
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

    /// Each centre becomes the mean of all rows that it has taken in.
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
        let rare = self.rare(batch.len() / 2);
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

    /// The rarely chosen centres, ascending, at most `most` of them: those with the smallest counts. Of equal counts
    /// the first are kept, where the order of numpy's `argsort` depends on the processor.
    fn rare(&self, most: usize) -> Vec<usize> {
        let largest = self.counts.iter().copied().fold(0.0, f32::max);
        let mut rare: Vec<usize> =
            (0..self.counts.len()).filter(|&centre| self.counts[centre] < RARE * largest).collect();
        if rare.len() > most {
            rare.sort_by(|&a, &b| self.counts[a].total_cmp(&self.counts[b]));
            rare.truncate(most);
            rare.sort_unstable();
        }
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

/// Sum of the squared distances of the rows to their centres.
struct Inertia<'a> {
    rows: Rows<'a>,
    batch: &'a [u32],
    labels: &'a [u32],
    centres: Rows<'a>,
}

impl WithSimd for Inertia<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let mut sums = [0.0; LANES];
        for (&index, &label) in self.batch.iter().zip(self.labels) {
            let squares = squared_differences(self.rows.row(index), self.centres.row(label));
            sums.iter_mut().zip(squares).for_each(|(sum, square)| *sum += f64::from(square));
        }
        sums.iter().sum()
    }
}

/// The squared differences of two rows, added up in lanes.
#[inline(always)]
fn squared_differences(left: &[f32], right: &[f32]) -> Block {
    let ((left, left_tail), (right, right_tail)) = (left.as_chunks(), right.as_chunks());
    let mut sums = [0.0; LANES];
    for (left, right) in left.iter().zip(right) {
        sums = add_squares(sums, left, right);
    }
    if left_tail.is_empty() { sums } else { add_squares(sums, &padded(left_tail), &padded(right_tail)) }
}

#[inline(always)]
fn add_squares(mut sums: Block, left: &Block, right: &Block) -> Block {
    for ((sum, x), y) in sums.iter_mut().zip(left).zip(right) {
        *sum += (x - y) * (x - y);
    }
    sums
}

/// The numbers after the last whole block, and zeros.
#[inline(always)]
fn padded(tail: &[f32]) -> Block {
    std::array::from_fn(|place| tail.get(place).copied().unwrap_or(0.0))
}
