//! Scores by language: one panel under another, one line a model over names in a given order.

use plotters::prelude::*;

use super::canvas::{Area, FigureError, colour, fault, label, svg};
use crate::grid::{Grid, Value};

/// Letters of a name below a panel.
const LONGEST: usize = 18;

/// One panel.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// What stands above.
    pub title: String,
    /// What the score is.
    pub y_label: String,
    /// Names below, from left to right.
    pub names: Vec<String>,
    /// A model's name and its score in percent at each name.
    pub lines: Vec<(String, Vec<Option<f64>>)>,
}

/// Panels under each other.
#[derive(Clone, Debug, Default)]
pub struct Strips {
    /// The panels.
    pub panels: Vec<Panel>,
}

impl Strips {
    /// The figure as SVG.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn svg(&self) -> Result<String, FigureError> {
        let height = 350 * self.panels.len().max(1) as u32;
        svg((1000, height), |area| {
            for (area, panel) in area.split_evenly((self.panels.len().max(1), 1)).iter().zip(&self.panels) {
                panel.draw(area)?;
            }
            Ok(())
        })
    }

    /// The same as numbers.
    pub fn grid(&self) -> Grid {
        let mut grid = Grid::new(["Panel", "Name", "Model", "Score"]);
        for panel in &self.panels {
            for (model, scores) in &panel.lines {
                for (name, score) in panel.names.iter().zip(scores) {
                    let texts = [&panel.title, name, model].map(|text| Value::from(text.as_str()));
                    grid.rows.push(texts.into_iter().chain([Value::number(*score)]).collect());
                }
            }
        }
        grid
    }
}

impl Panel {
    /// Pixels below the plot that the longest name needs, which stands upright.
    fn room_for_names(&self) -> u32 {
        let letters = self.names.iter().map(|name| label(name, LONGEST).chars().count()).max().unwrap_or(0);
        16 + 6 * letters as u32
    }

    fn draw(&self, area: &Area) -> Result<(), FigureError> {
        let count = self.names.len().max(1);
        let (plot, key) = area.split_horizontally(780);
        let mut chart = ChartBuilder::on(&plot)
            .caption(&self.title, ("sans-serif", 16))
            .margin(6)
            .x_label_area_size(self.room_for_names())
            .y_label_area_size(48)
            .build_cartesian_2d(-0.5..count as f64 - 0.5, 0.0..100.0)
            .map_err(fault)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .y_labels(6)
            .y_max_light_lines(0)
            .y_label_formatter(&|score| format!("{score:.0}"))
            .y_desc(&self.y_label)
            .label_style(("sans-serif", 12))
            .draw()
            .map_err(fault)?;
        for (number, (model, scores)) in self.lines.iter().enumerate() {
            let places: Vec<(f64, f64)> = scores
                .iter()
                .enumerate()
                .filter_map(|(place, score)| Some((place as f64, (*score)?)))
                .collect();
            let shade = colour(number);
            chart.draw_series(LineSeries::new(places.clone(), shade.stroke_width(1))).map_err(fault)?;
            chart
                .draw_series(places.into_iter().map(|place| Circle::new(place, 3, shade.filled())))
                .map_err(fault)?;
            let y = 40 + 18 * number as i32;
            key.draw(&Circle::new((10, y), 4, shade.filled())).map_err(fault)?;
            key.draw(&Text::new(
                label(model.rsplit('/').next().unwrap_or(model), 27),
                (20, y - 7),
                ("sans-serif", 12),
            ))
            .map_err(fault)?;
        }
        let turned = ("sans-serif", 11).into_font().transform(FontTransform::Rotate90);
        for (place, name) in self.names.iter().enumerate() {
            let at = chart.backend_coord(&(place as f64, 0.0));
            area.draw(&Text::new(
                label(name, LONGEST),
                (at.0 + 5 - base(area).0, at.1 + 4 - base(area).1),
                turned.clone(),
            ))
            .map_err(fault)?;
        }
        Ok(())
    }
}

/// Where an area begins on the ground.
fn base(area: &Area) -> (i32, i32) {
    area.get_base_pixel()
}
