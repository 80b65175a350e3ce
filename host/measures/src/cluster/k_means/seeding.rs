//! The first centres: greedy k-means++ (Arthur and Vassilvitskii 2007).

use super::rows::{Rows, squared_distances, squared_norms};
use crate::numeric::{dot, row_sum};
use crate::random::{RandomState, cumulative};

/// Chooses `count` of the rows at `sample` as centres, and returns their indices (protocol 6.5, step 3).
///
/// Every centre but the first is the best of a few candidates, drawn with a chance that grows with the squared
/// distance to the nearest centre so far. `count` is at most the length of `sample`, which may repeat rows.
pub(super) fn seed_centres(
    rows: Rows<'_>,
    sample: &[u32],
    count: usize,
    random: &mut RandomState,
) -> Vec<u32> {
    let trials = 2 + (count as f64).ln() as usize;
    let sample = Sample::new(rows, sample);
    let first = random.choice_from_cdf(&uniform(sample.places.len()));
    let mut chosen = Vec::with_capacity(count);
    chosen.push(sample.row_of(first));
    let mut closest = sample.distances(&[sample.places[first]]).remove(0);
    let ones = vec![1.0; sample.places.len()];
    let mut potential = dot(&sample.select_drawn(&closest), &ones);
    while chosen.len() < count {
        let draws: Vec<f64> = (0..trials).map(|_| random.random_sample() * f64::from(potential)).collect();
        let candidates = sample.at_cumulated(&closest, &draws);
        let places: Vec<usize> = candidates.iter().map(|&candidate| sample.places[candidate]).collect();
        let mut lists = sample.distances(&places);
        let mut best = (f32::INFINITY, 0);
        for (number, list) in lists.iter_mut().enumerate() {
            list.iter_mut().zip(&closest).for_each(|(distance, &so_far)| *distance = distance.min(so_far));
            let sum = row_sum(&sample.select_drawn(list), number, trials);
            if sum < best.0 {
                best = (sum, number);
            }
        }
        potential = best.0;
        closest = lists.swap_remove(best.1);
        chosen.push(sample.row_of(candidates[best.1]));
    }
    chosen
}

/// The cumulative chances of `n` draws with the equal weights 1/n, which are `f32`.
pub(super) fn uniform(n: usize) -> Vec<f64> {
    cumulative(&vec![f64::from(1.0 / n as f32); n])
}

/// Rows drawn with repetition; whatever depends on a row alone is computed once for each distinct row.
struct Sample<'a> {
    rows: Rows<'a>,
    /// Indices of the distinct rows, in the order in which they were first drawn.
    distinct: Vec<u32>,
    /// Squared norms of the distinct rows.
    norms: Vec<f64>,
    /// For each draw its place among the distinct rows.
    places: Vec<usize>,
}

impl<'a> Sample<'a> {
    fn new(rows: Rows<'a>, drawn: &[u32]) -> Self {
        let mut place_of = vec![usize::MAX; rows.len()];
        let mut distinct = Vec::new();
        let places = drawn
            .iter()
            .map(|&index| {
                let place = &mut place_of[index as usize];
                if *place == usize::MAX {
                    *place = distinct.len();
                    distinct.push(index);
                }
                *place
            })
            .collect();
        let norms = squared_norms(rows, &distinct);
        Self { rows, distinct, norms, places }
    }

    fn row_of(&self, draw: usize) -> u32 {
        self.distinct[self.places[draw]]
    }

    /// Squared distances of the distinct rows to those at `places`.
    fn distances(&self, places: &[usize]) -> Vec<Vec<f32>> {
        squared_distances(self.rows, &self.distinct, &self.norms, places)
    }

    /// Of `distances` of the distinct rows that of each draw.
    fn select_drawn(&self, distances: &[f32]) -> Vec<f32> {
        self.places.iter().map(|&place| distances[place]).collect()
    }

    /// For each of `levels` the first draw at which the running `f32` sum of `distances` reaches it, or the last draw.
    fn at_cumulated(&self, distances: &[f32], levels: &[f64]) -> Vec<usize> {
        let mut sum = 0.0f32;
        let sums: Vec<f32> = self
            .places
            .iter()
            .map(|&place| {
                sum += distances[place];
                sum
            })
            .collect();
        let last = sums.len() - 1;
        levels.iter().map(|&level| sums.partition_point(|&sum| f64::from(sum) < level).min(last)).collect()
    }
}
