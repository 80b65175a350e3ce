//! The most similar row of one matrix for every row of another.

use mteb_measures::numeric::largest;
use mteb_search::{Scored, Search, SearchError, Similarity};

use crate::Matrix;

/// Rows of which the reference finds the first of equal ones.
const FEW: usize = 64;

/// For every row of `queries` the index of the most similar row of `corpus`, of several equal ones that which the reference finds: the first, but
/// not among few.
///
/// # Errors
/// If the dimensions differ or a similarity is not a number.
pub(super) fn nearest(
    kind: Similarity,
    queries: Matrix,
    mut corpus: Matrix,
) -> Result<Vec<usize>, SearchError> {
    let depth = if corpus.rows() < FEW { corpus.rows().max(1) } else { 1 };
    // A search gives ties to the larger id, so ids that fall let the first row win.
    let ids: Vec<String> = (0..corpus.rows()).rev().map(|rank| format!("{rank:010}")).collect();
    let floors = vec![f32::NEG_INFINITY; queries.rows()];
    let search = Search::new(kind, queries.values, queries.dimension, depth);
    let best = search.best(&mut corpus.values, corpus.dimension, 0, &ids, &floors)?;
    Ok(best.iter().filter_map(|found| if depth > 1 { among_few(found) } else { first(found) }).collect())
}

fn first(found: &[Scored]) -> Option<usize> {
    found.first().map(|&(document, _)| document as usize)
}

/// The place of the best of all rows.
fn among_few(found: &[Scored]) -> Option<usize> {
    let mut scores = vec![f32::NEG_INFINITY; found.len()];
    found.iter().for_each(|&(document, score)| scores[document as usize] = score);
    largest(&scores)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Similarity; 4] =
        [Similarity::Cosine, Similarity::Dot, Similarity::Euclidean, Similarity::Manhattan];

    /// `count` unit vectors, one a degree apart.
    fn circle(count: usize) -> Matrix {
        let point =
            |degrees: usize| [(degrees as f32).to_radians().cos(), (degrees as f32).to_radians().sin()];
        Matrix::new((0..count).flat_map(point).collect(), 2)
    }

    fn found(kind: Similarity, queries: Matrix, corpus: Matrix) -> Vec<usize> {
        nearest(kind, queries, corpus).expect("nothing overflows")
    }

    #[test]
    fn every_point_is_nearest_to_itself() {
        for kind in KINDS {
            assert_eq!(found(kind, circle(180), circle(180)), (0..180).collect::<Vec<_>>(), "{kind:?}");
        }
    }

    #[test]
    fn the_first_of_equal_rows_wins() {
        let corpus = Matrix::new(circle(90).values.repeat(200), 2);
        for kind in KINDS {
            assert_eq!(found(kind, circle(90), corpus.clone()), (0..90).collect::<Vec<_>>(), "{kind:?}");
        }
    }

    #[test]
    fn length_matters_to_the_inner_product_alone() {
        let query = Matrix::new(vec![1.0, 0.0], 2);
        let corpus = Matrix::new(vec![2.0, 0.1, 9.0, 9.0], 2);
        assert_eq!(found(Similarity::Cosine, query.clone(), corpus.clone()), [0]);
        assert_eq!(found(Similarity::Dot, query, corpus), [1]);
    }

    #[test]
    fn a_zero_row_takes_the_first_when_nothing_is_nearer() {
        let query = Matrix::new(vec![0.0, 0.0], 2);
        assert_eq!(found(Similarity::Cosine, query, circle(3)), [0]);
    }

    /// As `torch.topk` of 10, 40 and 64 equal numbers.
    #[test]
    fn of_few_equal_rows_the_one_wins_that_the_reference_finds() {
        for (count, place) in [(10, 8), (40, 28), (64, 0)] {
            let corpus = Matrix::new([1.0, 0.0].repeat(count), 2);
            assert_eq!(found(Similarity::Dot, Matrix::new(vec![1.0, 0.0], 2), corpus), [place]);
        }
    }

    #[test]
    fn embeddings_of_unequal_length_are_an_error() {
        assert!(nearest(Similarity::Dot, circle(3), Matrix::new(vec![1.0, 2.0, 3.0], 3)).is_err());
    }
}
