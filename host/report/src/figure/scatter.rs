//! Scores against a cost on a logarithmic axis, with lines for families or a Pareto front.

use std::ops::Range;

use plotters::prelude::*;

use super::canvas::{
    Area, FigureError, NO_SERIES, colour, draw_series_key, fault, is_dashed, label, svg, tick,
};
use super::names::{Named, Pixel, along, placed};

/// Width of the key in pixels.
const KEY: i32 = 180;

/// A model in a figure.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// What it is called.
    pub name: String,
    /// Cost; above 0.
    pub x: f64,
    /// Score in percent.
    pub y: f64,
    /// Its series, which has a colour.
    pub series: usize,
    /// Radius in pixels; 0 for the usual one.
    pub radius: f64,
    /// True if its name stands beside it.
    pub is_named: bool,
}

/// Scores against a cost.
#[derive(Clone, Debug, Default)]
pub struct Scatter {
    /// What stands above.
    pub title: String,
    /// What the cost is, with its unit.
    pub x_label: String,
    /// What the score is.
    pub y_label: String,
    /// The models.
    pub points: Vec<Point>,
    /// Lines through points, by their numbers, each with its series.
    pub lines: Vec<(usize, Vec<usize>)>,
    /// Names of the series, for the key.
    pub series: Vec<String>,
}

impl Point {
    /// What stands beside it.
    fn label(&self) -> String {
        label(self.name.rsplit('/').next().unwrap_or(&self.name), 28)
    }
}

impl Scatter {
    /// The figure as SVG, and how many names found no room in it.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn svg(&self, size: (u32, u32)) -> Result<(String, usize), FigureError> {
        let mut unnamed = 0;
        let svg = svg(size, |area| {
            unnamed = self.draw(area)?;
            Ok(())
        })?;
        Ok((svg, unnamed))
    }

    /// Draws it, and gives how many names found no room.
    pub(super) fn draw(&self, area: &Area) -> Result<usize, FigureError> {
        let (x, y) =
            (range(self.points.iter().map(|point| point.x)), range(self.points.iter().map(|point| point.y)));
        // The names of the series stand beside the plot, where no point is.
        let has_key = !self.series.is_empty();
        let (plot, key) =
            area.split_horizontally(if has_key { area.dim_in_pixel().0 as i32 - KEY } else { 0 });
        let area = if has_key { &plot } else { area };
        // No circle leaves the figure.
        let largest = self.points.iter().map(|point| point.radius).fold(0.0, f64::max);
        let height = f64::from(area.dim_in_pixel().1).max(200.0) - 100.0;
        let margin = (0.04 * (y.1 - y.0)).max(1.0).max(1.3 * largest / height * (y.1 - y.0));
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 17))
            .margin(8)
            .x_label_area_size(42)
            .y_label_area_size(52)
            .build_cartesian_2d(
                (x.0 / 1.3..x.1 * 1.3).log_scale().with_key_points(ticks(x.0 / 1.3, x.1 * 1.3)),
                y.0 - margin..y.1 + margin,
            )
            .map_err(fault)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .x_label_formatter(&|value| short(*value))
            .y_label_formatter(&tick(y.0 - margin, y.1 + margin))
            .label_style(("sans-serif", 13))
            .draw()
            .map_err(fault)?;
        let plot = chart.plotting_area();
        let named = self.named(|point| plot.map_coordinate(&(point.x, point.y)), &plot.get_pixel_range());
        for (series, line) in &self.lines {
            let places = line.iter().map(|number| (self.points[*number].x, self.points[*number].y));
            let style = colour(*series).stroke_width(2);
            if is_dashed(*series) {
                chart.draw_series(DashedLineSeries::new(places, 5, 4, style)).map_err(fault)?;
            } else {
                chart.draw_series(LineSeries::new(places, style)).map_err(fault)?;
            }
        }
        // What belongs to no series lies beneath the others.
        let mut points: Vec<&Point> = self.points.iter().collect();
        points.sort_by_key(|point| point.series != NO_SERIES);
        let circles = points.into_iter().map(|point| {
            let radius = if point.radius > 0.0 { point.radius } else { 3.5 };
            Circle::new((point.x, point.y), radius as i32, colour(point.series).mix(0.75).filled())
        });
        chart.draw_series(circles).map_err(fault)?;
        let unnamed = self.points.iter().filter(|point| point.is_named).count() - named.len();
        let texts = named.into_iter().map(|(number, shift)| {
            let point = &self.points[number];
            EmptyElement::at((point.x, point.y)) + Text::new(point.label(), shift, ("sans-serif", 12))
        });
        chart.draw_series(texts).map_err(fault)?;
        if has_key {
            draw_series_key(&key, &self.series)?;
        }
        Ok(unnamed)
    }

    /// The points whose names are shown, the better first where two have no room, and where from the point each name begins; `place`
    /// gives the pixel of a point, and `plot` is where the plot is.
    fn named(
        &self,
        place: impl Fn(&Point) -> Pixel,
        (across, down): &(Range<i32>, Range<i32>),
    ) -> Vec<(usize, Pixel)> {
        let at = |number: usize| place(&self.points[number]);
        let mut numbers: Vec<usize> =
            (0..self.points.len()).filter(|number| self.points[*number].is_named).collect();
        numbers.sort_by(|left, right| self.points[*right].y.total_cmp(&self.points[*left].y));
        let named = |number: usize| Named {
            number,
            at: at(number),
            letters: self.points[number].label().chars().count(),
        };
        let wanted: Vec<Named> = numbers.into_iter().map(named).collect();
        let lines = self.lines.iter().flat_map(|(_, line)| line.windows(2));
        let lines = lines.flat_map(|ends| along(at(ends[0]), at(ends[1])));
        let covered: Vec<Pixel> = (0..self.points.len()).map(at).chain(lines).collect();
        placed(&wanted, &covered, (across, down))
    }
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high { (1.0, 10.0) } else { (low, high) }
}

/// Ticks that a logarithmic axis has at most.
const TICKS: usize = 7;

/// The ticks of a logarithmic axis: 1, 2 and 5 of each power of ten where these are few, else the powers, or some of them.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let powers = || (low.log10().floor() as i32..=high.log10().ceil() as i32).map(|power| 10f64.powi(power));
    let within = |tick: &f64| (low..=high).contains(tick);
    let fine: Vec<f64> =
        powers().flat_map(|power| [power, 2.0 * power, 5.0 * power]).filter(within).collect();
    if fine.len() <= TICKS {
        return fine;
    }
    let coarse: Vec<f64> = powers().filter(within).collect();
    let step = coarse.len().div_ceil(TICKS).max(1);
    coarse.into_iter().step_by(step).collect()
}

/// A number with its power of ten as a letter.
fn short(value: f64) -> String {
    let (scaled, letter) = match value {
        1e9.. => (value / 1e9, "B"),
        1e6.. => (value / 1e6, "M"),
        1e3.. => (value / 1e3, "k"),
        _ => (value, ""),
    };
    // 1.5M is not 2M.
    let text = format!("{scaled:.1}");
    format!("{}{letter}", text.strip_suffix(".0").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_few_round_ticks_however_short_or_long_it_is() {
        assert_eq!(ticks(90e6, 280e6), [1e8, 2e8]);
        assert_eq!(ticks(20e6, 2e9), [2e7, 5e7, 1e8, 2e8, 5e8, 1e9, 2e9]);
        assert_eq!(ticks(2e6, 2e10), [1e7, 1e8, 1e9, 1e10]);
        assert!((3..=TICKS).contains(&ticks(1.0, 1e18).len()));
        assert_eq!([1.5e6, 2e8, 1e10].map(short), ["1.5M", "200M", "10B"]);
    }
}
