//! Embeddings in two dimensions, to be looked at: PCA, by the eigenvectors of linfa-linalg, and t-SNE, by linfa-tsne.
//!
//! Sources: Jolliffe 2002, "Principal component analysis", for the former; van der Maaten and Hinton 2008, "Visualizing
//! data using t-SNE", for the latter. Neither is part of any score.

use linfa::traits::Transformer;
use linfa_linalg::eigh::{EigSort, Eigh};
use linfa_tsne::TSneParams;
use ndarray_0_16::{Array2, Axis, s};

/// A place on the map.
pub type Place = [f64; 2];

/// Dimensions that t-SNE starts from, as is usual: what lies beyond is mostly noise.
const BEFORE: usize = 50;

/// Neighbours that t-SNE looks at for each text, at most.
const NEIGHBOURS: f64 = 30.0;

/// Steps of t-SNE.
const STEPS: usize = 1000;

/// Share of the largest variance below which there is none.
const ROUNDING: f64 = 1e-12;

/// How dimensions are made fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// The two directions of largest variance: distances keep their meaning.
    Pca,
    /// Neighbours stay neighbours; distances between groups mean nothing.
    TSne,
}

/// Why there is no map.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReductionError {
    /// The method needs more.
    #[error("expected {needed} texts or more for a map, found {found}")]
    TooFew {
        /// Texts that it needs.
        needed: usize,
        /// Texts there are.
        found: usize,
    },
    /// The embeddings have fewer than two dimensions, or all are the same.
    #[error("expected embeddings that differ in two directions or more")]
    Flat,
    /// What the library says.
    #[error("expected a map of the embeddings: {0}")]
    Failed(String),
}

/// Places of `count` rows, which lie one behind the other in `rows`. The same rows give the same places; of the two directions of
/// each axis it is the one in which the place farthest from the middle is positive.
///
/// # Errors
/// If there are too few rows, or they all lie on a line.
pub fn reduce(rows: &[f64], count: usize, method: Reduction) -> Result<Vec<Place>, ReductionError> {
    let needed = match method {
        Reduction::Pca => 3,
        // Each of five neighbours at least has to be one of a third of the others.
        Reduction::TSne => 16,
    };
    if count < needed {
        return Err(ReductionError::TooFew { needed, found: count });
    }
    let dimension = rows.len() / count;
    let rows = Array2::from_shape_vec((count, dimension), rows.to_vec()).map_err(refuse_reduction)?;
    let places = match method {
        Reduction::Pca => project_on_components(rows, 2)?,
        Reduction::TSne => {
            let most = BEFORE.min(dimension).min(count - 1);
            let rows = if dimension > most { project_on_components(rows, most)? } else { rows };
            place_by_tsne(rows, NEIGHBOURS.min((count - 1) as f64 / 3.0))?
        }
    };
    if places.ncols() < 2 || places.iter().any(|place| !place.is_finite()) {
        return Err(ReductionError::Flat);
    }
    Ok(turn_upright(places).outer_iter().map(|place| [place[0], place[1]]).collect())
}

/// The `size` principal components of `rows`, or as many as there are. The eigenvectors are those of the smaller of the two products
/// of the centred rows with themselves.
fn project_on_components(mut rows: Array2<f64>, size: usize) -> Result<Array2<f64>, ReductionError> {
    let middle = rows.mean_axis(Axis(0)).ok_or(ReductionError::Flat)?;
    rows -= &middle;
    let is_wide = rows.ncols() > rows.nrows();
    let product = if is_wide { rows.dot(&rows.t()) } else { rows.t().dot(&rows) };
    let (values, vectors) = product.eigh().map_err(refuse_reduction)?.sort_eig_desc();
    let largest = values.iter().copied().fold(0.0, f64::max);
    let size = values.iter().take(size).filter(|value| **value > ROUNDING * largest).count();
    let vectors = vectors.slice(s![.., ..size]);
    if is_wide {
        let lengths = values.slice(s![..size]).mapv(f64::sqrt);
        return Ok(&vectors * &lengths);
    }
    Ok(rows.dot(&vectors))
}

/// Places of the rows by t-SNE: the exact one, since the library's approximation draws at random, and on one thread, on which sums have
/// one order, so that the same rows have the same places.
fn place_by_tsne(rows: Array2<f64>, perplexity: f64) -> Result<Array2<f64>, ReductionError> {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(refuse_reduction)?;
    let parameters =
        TSneParams::embedding_size(2).perplexity(perplexity).approx_threshold(0.0).max_iter(STEPS);
    alone.install(|| parameters.transform(rows)).map_err(refuse_reduction)
}

fn turn_upright(mut places: Array2<f64>) -> Array2<f64> {
    let middle = places.mean_axis(Axis(0)).unwrap_or_default();
    for axis in 0..places.ncols().min(middle.len()) {
        let mut column = places.slice_mut(s![.., axis]);
        column -= middle[axis];
        let farthest = column
            .iter()
            .copied()
            .fold(0.0f64, |far, place| if place.abs() > far.abs() { place } else { far });
        if farthest < 0.0 {
            column.mapv_inplace(|place| -place);
        }
    }
    places
}

fn refuse_reduction(error: impl std::fmt::Display) -> ReductionError {
    ReductionError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two groups of 30 points of six dimensions, far from each other along the diagonal.
    fn groups() -> Vec<f64> {
        let point = |number: usize| {
            let far = if number < 30 { 0.0 } else { 10.0 };
            (0..6).map(move |axis| far + ((number * 7 + axis * 5) % 11) as f64 / 11.0)
        };
        (0..60).flat_map(point).collect()
    }

    fn distance(left: Place, right: Place) -> f64 {
        (left[0] - right[0]).hypot(left[1] - right[1])
    }

    #[test]
    fn principal_components_are_the_directions_of_largest_variance() {
        // Of these points the first axis has variance 8, the second 2, the third 0.
        let rows = [[4.0, 0.0], [-4.0, 0.0], [0.0, 2.0], [0.0, -2.0]].map(|[x, y]| [y, 7.0, x]).concat();
        let places = reduce(&rows, 4, Reduction::Pca).unwrap();
        let expected = [[4.0, 0.0], [-4.0, 0.0], [0.0, 2.0], [0.0, -2.0]];
        for (place, expected) in places.iter().zip(expected) {
            let is_there = (place[0].abs() - f64::abs(expected[0])).abs() < 1e-6;
            assert!(is_there && (place[1].abs() - f64::abs(expected[1])).abs() < 1e-6, "{places:?}");
        }
    }

    #[test]
    fn groups_stay_groups_and_the_map_is_the_same_each_time() {
        for method in [Reduction::Pca, Reduction::TSne] {
            let places = reduce(&groups(), 60, method).unwrap();
            assert_eq!(places, reduce(&groups(), 60, method).unwrap());
            for (number, place) in places.iter().enumerate() {
                let others = places.iter().enumerate().filter(|(other, _)| *other != number);
                let nearest = others
                    .min_by(|left, right| distance(*left.1, *place).total_cmp(&distance(*right.1, *place)));
                assert_eq!(nearest.map(|(other, _)| other < 30), Some(number < 30), "{method:?} {number}");
            }
        }
    }

    #[test]
    fn too_few_texts_and_texts_on_a_line_have_no_map() {
        let found = reduce(&[1.0, 2.0], 1, Reduction::TSne).unwrap_err().to_string();
        assert_eq!(found, "expected 16 texts or more for a map, found 1");
        assert!(reduce(&[1.0, 2.0, 3.0, 4.0], 4, Reduction::Pca).is_err());
    }
}
