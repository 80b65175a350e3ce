//! nDCG of each query at one rank, for statistics over queries.

use rayon::prelude::*;

use super::curve::{At, Wanted, discounts};
use super::{Grades, Ranks, Unjudged};

/// nDCG at `k` (1 or more) of each query, for each system; NaN for queries that have no positive score.
pub fn ndcg_of_queries(systems: &[Ranks], grades: &Grades, k: usize, unjudged: Unjudged) -> Vec<Vec<f64>> {
    let discounts = discounts(k);
    let of_query = |query: usize| -> Vec<f64> {
        let wanted = Wanted::new(grades.query(query), f64::INFINITY, &discounts);
        let of_system = |system: &Ranks| {
            if !wanted.has_gain() {
                return f64::NAN;
            }
            let mut sums = vec![At::default(); k];
            wanted.add(system.query(query), &discounts, unjudged, &mut sums);
            sums.last().map_or(f64::NAN, |at| at.ndcg)
        };
        systems.iter().map(of_system).collect()
    };
    let queries: Vec<Vec<f64>> = (0..grades.len()).into_par_iter().map(of_query).collect();
    (0..systems.len()).map(|system| queries.iter().map(|query| query[system]).collect()).collect()
}
