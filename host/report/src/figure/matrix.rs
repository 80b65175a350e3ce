//! A matrix of similarities: rows and columns of the same names, the lower triangle. Figure 2 of
//! the MTEB paper is one: how alike datasets are, by the mean embedding of some of their texts.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::{Figure, FigureError, fault, label, svg};
use crate::grid::{Grid, Value};

/// Similarities of things, from -1 to 1.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    /// What stands above.
    pub title: String,
    /// Names of the things.
    pub names: Vec<String>,
    /// `values[row][column]`; `None` where it is not defined.
    pub values: Vec<Vec<Option<f64>>>,
}

impl Matrix {
    /// The figure as SVG: similarity × 100 in each cell of the lower triangle.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn svg(&self) -> Result<String, FigureError> {
        let count = self.names.len().max(1);
        let (cell, left, top) = (if count > 30 { 22 } else { 36 }, 230, 40);
        let below = 190;
        let size = (left + cell * count as i32 + 20, top + cell * count as i32 + below);
        svg((size.0 as u32, size.1 as u32), |area| {
            area.draw(&Text::new(label(&self.title, 90), (10, 10), ("sans-serif", 17))).map_err(fault)?;
            for (row, name) in self.names.iter().enumerate() {
                let y = top + cell * row as i32;
                let name = label(name, 32);
                area.draw(&Text::new(name.clone(), (10, y + cell / 2 - 7), ("sans-serif", 12)))
                    .map_err(fault)?;
                let below = ("sans-serif", 12).into_font().transform(FontTransform::Rotate90);
                let x = left + cell * row as i32 + cell / 2 + 6;
                area.draw(&Text::new(name, (x, top + cell * count as i32 + 6), below)).map_err(fault)?;
                for column in 0..=row {
                    let Some(value) = self.values[row][column] else { continue };
                    let x = left + cell * column as i32;
                    area.draw(&Rectangle::new([(x, y), (x + cell, y + cell)], tint(value).filled()))
                        .map_err(fault)?;
                    let text = format!("{:.0}", 100.0 * value);
                    let shade = if value > 0.6 { WHITE } else { BLACK };
                    let style = ("sans-serif", if cell > 30 { 12 } else { 9 }).into_font().color(&shade);
                    let style = style.pos(Pos::new(HPos::Center, VPos::Center));
                    area.draw(&Text::new(text, (x + cell / 2, y + cell / 2), style)).map_err(fault)?;
                }
            }
            Ok(())
        })
    }

    /// The same as numbers.
    pub fn grid(&self) -> Grid {
        let mut grid = Grid::new(std::iter::once("Name").chain(self.names.iter().map(String::as_str)));
        for (name, values) in self.names.iter().zip(&self.values) {
            // What is 1 but for rounding is 1.
            let cells =
                values.iter().map(|value| Value::number(value.map(|value| (value * 1e12).round() / 1e12)));
            grid.rows.push(std::iter::once(name.as_str().into()).chain(cells).collect());
        }
        grid
    }
}

/// Blue by how large the value is.
fn tint(value: f64) -> RGBColor {
    let depth = value.clamp(0.0, 1.0);
    let shade = |light: f64, dark: f64| (light + (dark - light) * depth) as u8;
    RGBColor(shade(250.0, 8.0), shade(250.0, 69.0), shade(252.0, 130.0))
}

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
