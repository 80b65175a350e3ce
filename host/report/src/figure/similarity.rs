//! Figure 2 of the MTEB paper: how alike datasets are, by the mean embedding of some of their texts.

use super::canvas::FigureError;
use super::matrix::Matrix;
use super::paper::Figure;

/// A dataset, and the mean of the embeddings of some of its texts.
#[derive(Clone, Debug)]
pub struct MeanEmbedding {
    /// What the dataset is called.
    pub name: String,
    /// The mean of the embeddings, as many numbers as the model's dimension.
    pub mean: Vec<f64>,
}

/// Figure 2: the cosine of the means of each two datasets.
///
/// # Errors
/// If it cannot be drawn.
pub fn figure_2(datasets: &[MeanEmbedding], texts: usize, model: &str) -> Result<Figure, FigureError> {
    let values = datasets
        .iter()
        .map(|left| datasets.iter().map(|right| cosine(&left.mean, &right.mean)).collect())
        .collect();
    let matrix = Matrix {
        title: format!("Cosine × 100 of mean embeddings of {texts} texts, {model}"),
        names: datasets.iter().map(|dataset| dataset.name.clone()).collect(),
        values,
    };
    let zero = datasets.iter().filter(|dataset| cosine(&dataset.mean, &dataset.mean).is_none());
    let missing =
        zero.map(|dataset| format!("{}: its texts have no direction in common", dataset.name)).collect();
    Ok(Figure { svg: matrix.svg()?, grid: matrix.grid(), missing })
}

/// `None` where a mean is zero: it has no direction.
fn cosine(left: &[f64], right: &[f64]) -> Option<f64> {
    let dot =
        |left: &[f64], right: &[f64]| left.iter().zip(right).map(|(left, right)| left * right).sum::<f64>();
    let norms = (dot(left, left) * dot(right, right)).sqrt();
    Some(dot(left, right) / norms).filter(|cosine| cosine.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Value;

    #[test]
    fn datasets_are_as_alike_as_the_angle_between_their_means() {
        let dataset = |name: &str, mean: [f64; 2]| MeanEmbedding { name: name.to_owned(), mean: mean.into() };
        let all = [dataset("a", [2.0, 0.0]), dataset("b", [1.0, 1.0]), dataset("c", [0.0, 0.0])];
        let figure = figure_2(&all, 100, "m").unwrap();
        let Value::Number(found) = figure.grid.rows[1][1] else { panic!("{:?}", figure.grid) };
        assert!((found - 0.5f64.sqrt()).abs() < 1e-12, "{found}");
        assert_eq!(figure.grid.rows[2][1], Value::None);
        assert!(figure.svg.contains("71"));
    }
}
