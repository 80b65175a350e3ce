//! Scores against a cost on a logarithmic axis, with lines for families or a Pareto front, and
//! names of points where there is room for them.

use std::ops::Range;

use plotters::prelude::*;

use super::canvas::{
    Area, FigureError, NO_SERIES, colour, draw_series_key, fault, is_dashed, label, svg, tick,
};

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
            .x_label_formatter(&|value| abbreviate(*value))
            .y_label_formatter(&tick(y.0 - margin, y.1 + margin))
            .label_style(("sans-serif", 13))
            .draw()
            .map_err(fault)?;
        let plot = chart.plotting_area();
        let named =
            self.choose_names(|point| plot.map_coordinate(&(point.x, point.y)), &plot.get_pixel_range());
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
    fn choose_names(
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
        let lines = lines.flat_map(|ends| list_pixels(at(ends[0]), at(ends[1])));
        let covered: Vec<Pixel> = (0..self.points.len()).map(at).chain(lines).collect();
        place_names(&wanted, &covered, (across, down))
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
fn abbreviate(value: f64) -> String {
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

/// Pixels of a letter, of a line of text, and from a point to its name.
const LETTER: i32 = 7;
const LINE: i32 = 14;
const GAP: i32 = 6;

/// Pixels between two places of a line that a name should not cover.
const STEP: i32 = 6;

/// A pixel.
pub(super) type Pixel = (i32, i32);

/// A point that wants a name.
pub(super) struct Named {
    /// Its number.
    pub number: usize,
    /// Where it is.
    pub at: Pixel,
    /// Letters of its name.
    pub letters: usize,
}

/// A rectangle of pixels.
struct NameBox {
    across: Range<i32>,
    down: Range<i32>,
}

impl NameBox {
    fn meets(&self, other: &Self) -> bool {
        let apart =
            |left: &Range<i32>, right: &Range<i32>| left.end <= right.start || right.end <= left.start;
        !apart(&self.across, &other.across) && !apart(&self.down, &other.down)
    }

    fn is_within(&self, (across, down): (&Range<i32>, &Range<i32>)) -> bool {
        across.start <= self.across.start
            && self.across.end <= across.end
            && down.start <= self.down.start
            && self.down.end <= down.end
    }
}

/// Of each point whose name has room, in the order given: its number, and how far from it the upper left corner of its name is.
/// `covered` are the pixels that a name should leave free, `plot` is where names may be.
fn place_names(wanted: &[Named], covered: &[Pixel], plot: (&Range<i32>, &Range<i32>)) -> Vec<(usize, Pixel)> {
    let mut taken: Vec<NameBox> = Vec::new();
    let mut shown = Vec::new();
    for named in wanted {
        let width = LETTER * named.letters as i32;
        let area = |(right, below): Pixel| NameBox {
            across: named.at.0 + right..named.at.0 + right + width,
            down: named.at.1 + below..named.at.1 + below + LINE,
        };
        // Towards the middle first.
        let is_right = named.at.0 > i32::midpoint(plot.0.start, plot.0.end);
        let sides = if is_right { [-width - GAP, GAP] } else { [GAP, -width - GAP] };
        let middle = -width / 2;
        let shifts = [-LINE, GAP - 2, -LINE / 2].iter().flat_map(|below| sides.map(|right| (right, *below)));
        let shifts = shifts.chain([(middle, -LINE - GAP), (middle, GAP)]);
        let free = shifts.filter(|shift| {
            let own = area(*shift);
            own.is_within(plot) && !taken.iter().any(|other| own.meets(other))
        });
        let best = free.min_by_key(|shift| {
            let own = area(*shift);
            covered.iter().filter(|(x, y)| own.across.contains(x) && own.down.contains(y)).count()
        });
        if let Some(shift) = best {
            taken.push(area(shift));
            shown.push((named.number, shift));
        }
    }
    shown
}

/// Pixels along the line from `start` to `end`.
fn list_pixels(start: Pixel, end: Pixel) -> impl Iterator<Item = Pixel> {
    let (across, down) = (end.0 - start.0, end.1 - start.1);
    let steps = (across.abs().max(down.abs()) / STEP).max(1);
    (0..=steps).map(move |step| (start.0 + across * step / steps, start.1 + down * step / steps))
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
        assert_eq!([1.5e6, 2e8, 1e10].map(abbreviate), ["1.5M", "200M", "10B"]);
    }

    #[test]
    fn a_name_stands_where_it_covers_neither_a_point_nor_a_name_nor_the_edge() {
        let plot = (&(0..200), &(0..100));
        let alone = [Named { number: 7, at: (20, 50), letters: 5 }];
        assert_eq!(place_names(&alone, &[], plot), [(7, (GAP, -LINE))]);
        // A point where the name would stand sends it to the other side, which is outside the plot, or below.
        assert_eq!(place_names(&alone, &[(40, 45)], plot), [(7, (GAP, GAP - 2))]);
        let two =
            [Named { number: 0, at: (100, 50), letters: 9 }, Named { number: 1, at: (102, 50), letters: 9 }];
        let shown = place_names(&two, &[], plot);
        assert_eq!(shown.len(), 2);
        assert_ne!(shown[0].1, shown[1].1);
        assert!(place_names(&[Named { number: 0, at: (100, 50), letters: 60 }], &[], plot).is_empty());
    }

    #[test]
    fn a_line_is_covered_along_its_way() {
        assert_eq!(list_pixels((0, 0), (12, 6)).collect::<Vec<_>>(), [(0, 0), (6, 3), (12, 6)]);
        assert_eq!(list_pixels((3, 3), (3, 3)).collect::<Vec<_>>(), [(3, 3), (3, 3)]);
    }
}
