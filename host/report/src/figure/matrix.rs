//! A matrix of similarities: rows and columns of the same names, the lower triangle.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::{FigureError, fault, label, svg};
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
