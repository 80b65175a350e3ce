//! Figure 4 of the MTEB paper: score against speed, the area of a circle as large as an embedding.

use super::canvas::{Figure, FigureError};
use super::scatter::{Point, Scatter};
use crate::grid::{Grid, Value};

/// A model that was measured and scored.
#[derive(Clone, Debug, Default)]
pub struct Speed {
    /// What it is called.
    pub model: String,
    /// Its architecture, which has a colour.
    pub architecture: String,
    /// Texts a second.
    pub texts_per_second: f64,
    /// Kilobytes of an embedding.
    pub embedding_kb: f64,
    /// Mean over tasks, as a share.
    pub mean: f64,
}

/// Radius of the largest circle in pixels.
const LARGEST: f64 = 26.0;

/// Figure 4: mean score against texts a second on a logarithmic axis; a circle's area is the size of an embedding, its colour the
/// architecture.
///
/// # Errors
/// If it cannot be drawn.
pub fn figure_4(models: &[Speed]) -> Result<Figure, FigureError> {
    let mut architectures: Vec<&str> = models.iter().map(|model| model.architecture.as_str()).collect();
    architectures.sort_unstable();
    architectures.dedup();
    let largest = models.iter().map(|model| model.embedding_kb).fold(f64::MIN_POSITIVE, f64::max);
    let series =
        |model: &Speed| architectures.iter().position(|name| *name == model.architecture).unwrap_or(0);
    let point = |model: &Speed| Point {
        name: model.model.clone(),
        x: model.texts_per_second,
        y: 100.0 * model.mean,
        series: series(model),
        radius: (LARGEST * (model.embedding_kb / largest).sqrt()).max(2.0),
        is_named: true,
    };
    let scatter = Scatter {
        title: "Score against speed; area: size of an embedding".to_owned(),
        x_label: "texts per second".to_owned(),
        y_label: "Mean (Task) × 100".to_owned(),
        points: models.iter().map(point).collect(),
        lines: Vec::new(),
        series: architectures.iter().map(|name| (*name).to_owned()).collect(),
    };
    // The key has a line an architecture.
    let height = 560.max(60 + 18 * architectures.len() as u32);
    let (svg, unnamed) = scatter.svg((900, height))?;
    let missing = (unnamed > 0).then(|| {
        format!(
            "{unnamed} of {} names do not fit next to their circles; the CSV file has them all",
            models.len()
        )
    });
    Ok(Figure { svg, grid: grid(models), missing: missing.into_iter().collect() })
}

fn grid(models: &[Speed]) -> Grid {
    let mut grid =
        Grid::new(["Model", "Architecture", "Texts a second", "Kilobytes an embedding", "Mean (Task)"]);
    for model in models {
        grid.rows.push(vec![
            model.model.as_str().into(),
            model.architecture.as_str().into(),
            Value::Number(model.texts_per_second),
            Value::Number(model.embedding_kb),
            Value::Number(100.0 * model.mean),
        ]);
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_of_a_circle_is_the_size_of_an_embedding() {
        let model = |name: &str, embedding_kb| Speed {
            model: name.to_owned(),
            architecture: "bert".to_owned(),
            texts_per_second: 100.0 * embedding_kb,
            embedding_kb,
            mean: 0.5 + embedding_kb / 100.0,
        };
        let figure = figure_4(&[model("small", 1.5), model("large", 6.0)]).unwrap();
        for radius in ["r=\"13\"", "r=\"26\""] {
            assert!(figure.svg.contains(radius), "{radius}: {}", figure.svg);
        }
        assert_eq!(figure.grid.rows.len(), 2);
    }
}
