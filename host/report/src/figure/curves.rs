//! Scores along ranks: a line a system, by its place from 1 on.

use plotters::prelude::*;

use super::canvas::{FigureError, colour, fault, label, svg};

/// Curves of several systems.
#[derive(Clone, Debug, Default)]
pub struct RankCurves {
    /// What the score is.
    pub y_label: String,
    /// A system's name, and its score as a share at each rank from 1 on.
    pub lines: Vec<(String, Vec<Option<f64>>)>,
}

/// Height of a line of the key in pixels.
const KEY: i32 = 18;

impl RankCurves {
    /// The figure as SVG: the key beside it names the lines from the best at the last rank down.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn svg(&self) -> Result<String, FigureError> {
        let ranks = self.lines.iter().map(|(_, scores)| scores.len()).max().unwrap_or(1).max(2);
        let all = self.lines.iter().flat_map(|(_, scores)| scores.iter().flatten());
        let top = all.fold(0.0f64, |top, score| top.max(100.0 * score)).clamp(5.0, 100.0);
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        let last = |line: &usize| self.lines[*line].1.iter().rev().find_map(|score| *score).unwrap_or(-1.0);
        order.sort_by(|left, right| last(right).total_cmp(&last(left)));
        let height = 420.max(40 + KEY as u32 * self.lines.len() as u32);
        svg((900, height), |area| {
            let (plot, key) = area.split_horizontally(660);
            let mut chart = ChartBuilder::on(&plot)
                .margin(8)
                .x_label_area_size(42)
                .y_label_area_size(52)
                .build_cartesian_2d(1.0..ranks as f64, 0.0..1.05 * top)
                .map_err(fault)?;
            chart
                .configure_mesh()
                .disable_mesh()
                .x_desc("k")
                .y_desc(&self.y_label)
                .x_label_formatter(&|value| format!("{value:.0}"))
                .y_label_formatter(&|value| format!("{value:.0}"))
                .label_style(("sans-serif", 13))
                .draw()
                .map_err(fault)?;
            for (place, line) in order.iter().enumerate() {
                let (name, scores) = &self.lines[*line];
                let shade = colour(*line);
                let points = scores
                    .iter()
                    .enumerate()
                    .filter_map(|(rank, score)| Some(((rank + 1) as f64, 100.0 * (*score)?)));
                chart.draw_series(LineSeries::new(points, shade.stroke_width(2))).map_err(fault)?;
                let y = 24 + KEY * place as i32;
                key.draw(&Circle::new((10, y), 4, shade.filled())).map_err(fault)?;
                key.draw(&Text::new(label(name, 34), (20, y - 7), ("sans-serif", 12))).map_err(fault)?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_begins_with_the_best_and_ranks_without_a_score_are_left_out() {
        let lines = [("worse", vec![Some(0.2), None, Some(0.3)]), ("better", vec![Some(0.1), Some(0.4)])];
        let lines = lines.map(|(name, scores)| (name.to_owned(), scores)).into();
        let svg = RankCurves { y_label: "nDCG × 100".to_owned(), lines }.svg().unwrap();
        assert!(svg.find("better").unwrap() < svg.find("worse").unwrap(), "{svg}");
        // Axes and ticks are black.
        let lines = svg.split("<polyline").skip(1).filter(|line| !line.contains("stroke=\"#000000\""));
        assert_eq!(lines.count(), 2, "{svg}");
    }
}
