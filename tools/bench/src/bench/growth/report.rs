//! What was measured of growth: the power of the size that each figure grows with, then the figures, and a
//! plot for each kind of work.

use xtask::document::machine;

use super::jobs::GrowthJob;
use crate::measure::Cost;
use crate::svg::{Mark, Panel, Plot, Series, svg};

/// What a job needed.
pub struct Growth {
    pub job: &'static GrowthJob,
    /// That of the smallest size, which is taken off all others.
    pub empty: Cost,
    pub costs: Vec<(usize, Cost)>,
}

/// What is measured: name with unit, and how it is read.
type Figure = (&'static str, fn(&Cost) -> f64);

const TIME: Figure = ("seconds above an empty run", |cost| cost.seconds);
const MEMORY: Figure = ("MB above an empty run", |cost| cost.peak / 1e6);

/// Both tables, with the machine they were made on, and the plots.
pub fn table(grown: &[Growth]) -> String {
    let mut text = format!(
        "Machine: {}.\n\n| work | exponent of time | exponent of memory |\n|---|---:|---:|\n",
        machine()
    );
    for growth in grown {
        let [time, memory] = [TIME, MEMORY].map(|figure| exponent(growth.fit(figure).1));
        text += &format!("| {}, {} | {time} | {memory} |\n", growth.job.name, growth.job.unit);
    }
    text += "\n| work | size | seconds | above an empty run | microseconds each | memory, MB | above an empty run |\n\
             |---|---:|---:|---:|---:|---:|---:|\n";
    for growth in grown {
        let name = growth.job.name;
        let Cost { seconds, peak, .. } = growth.empty;
        text += &format!(
            "| {name} | {}, empty run | {seconds:.3} | | | {:.1} | |\n",
            growth.job.empty,
            peak / 1e6
        );
        for (size, cost) in &growth.costs {
            let more = cost.seconds - seconds;
            text += &format!(
                "| {name} | {size} | {:.3} | {more:.3} | {:.2} | {:.1} | {:.1} |\n",
                cost.seconds,
                more * 1e6 / *size as f64,
                cost.peak / 1e6,
                (cost.peak - peak) / 1e6
            );
        }
    }
    for name in names(grown) {
        text += &format!("\n![Growth of time and memory: {name}](growth-{name}.svg)\n");
    }
    text
}

fn exponent(fit: Option<Fit>) -> String {
    fit.map_or_else(|| "–".to_owned(), |fit| format!("{:.2}", fit.exponent))
}

/// Name and picture of every plot.
pub fn plots(grown: &[Growth]) -> Vec<(&'static str, String)> {
    let picture = |name: &'static str| {
        let drawn: Vec<&Growth> = grown.iter().filter(|growth| growth.job.plot == name).collect();
        let panels = [TIME, MEMORY].map(|figure| panel(&drawn, figure)).into();
        (name, svg(&Plot { title: format!("Growth: {name}"), panels }))
    };
    names(grown).into_iter().map(picture).collect()
}

fn names(grown: &[Growth]) -> Vec<&'static str> {
    let mut names: Vec<&str> = grown.iter().map(|growth| growth.job.plot).collect();
    names.dedup();
    names
}

fn panel(drawn: &[&Growth], figure: Figure) -> Panel {
    let unit = drawn.first().map_or("", |growth| growth.job.unit);
    let series = drawn.iter().map(|growth| growth.series(figure)).collect();
    Panel { x_label: unit.to_owned(), y_label: figure.0.to_owned(), series }
}

impl Growth {
    fn fit(&self, (_, figure): Figure) -> (Vec<Point>, Option<Fit>) {
        let figures: Vec<(f64, f64)> =
            self.costs.iter().map(|(size, cost)| (*size as f64, figure(cost))).collect();
        let points = above(&figures, figure(&self.empty));
        let fit = fit(&points);
        (points, fit)
    }

    /// Points and line; the line spans the points that it was fitted to.
    fn series(&self, figure: Figure) -> Series {
        let (points, fit) = self.fit(figure);
        let counted = || points.iter().filter(|point| point.counts).map(|point| point.size);
        let line = fit.and_then(|fit| {
            let (first, last) = (counted().next()?, counted().next_back()?);
            Some([first, last].map(|size| (size, fit.at(size))))
        });
        let mark = |point: &Point| Mark { x: point.size, y: point.above, hollow: !point.counts };
        let name = format!("{}: exponent {}", self.job.name, exponent(fit));
        Series { name, points: points.iter().map(mark).collect(), line }
    }
}

/// `factor · size ^ exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fit {
    pub exponent: f64,
    pub factor: f64,
}

impl Fit {
    /// The figure of a size.
    pub fn at(&self, size: f64) -> f64 {
        self.factor * size.powf(self.exponent)
    }
}

/// A figure above that of an empty run.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    pub size: f64,
    /// May be 0 or less where an empty run happens to need more.
    pub above: f64,
    /// Whether it stands out enough from the empty run to say something about growth.
    pub counts: bool,
}

/// A figure counts if it is larger than that of an empty run by so much of it.
const STANDS_OUT: f64 = 0.1;

/// The points of `(size, figure)`.
fn above(figures: &[(f64, f64)], empty: f64) -> Vec<Point> {
    let point = |&(size, figure): &(f64, f64)| {
        let above = figure - empty;
        Point { size, above, counts: above > STANDS_OUT * empty }
    };
    figures.iter().map(point).collect()
}

/// Least squares of the logarithms, over the points that count; none if these are fewer than two.
fn fit(points: &[Point]) -> Option<Fit> {
    let logarithms: Vec<(f64, f64)> = points
        .iter()
        .filter(|point| point.counts && point.above > 0.0)
        .map(|point| (point.size.ln(), point.above.ln()))
        .collect();
    if logarithms.len() < 2 {
        return None;
    }
    let count = logarithms.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logarithms.iter().map(of).sum::<f64>() / count;
    let (x_mean, y_mean) = (mean(|point| point.0), mean(|point| point.1));
    let shared: f64 = logarithms.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    let spread: f64 = logarithms.iter().map(|(x, _)| (x - x_mean).powi(2)).sum();
    let exponent = shared / spread;
    exponent.is_finite().then(|| Fit { exponent, factor: (y_mean - exponent * x_mean).exp() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-9 * other.abs()
    }

    #[test]
    fn a_power_is_found_again() {
        let figures = [10.0, 100.0, 1000.0].map(|size: f64| (size, 5.0 + 3.0 * size.powf(1.5)));
        let found = fit(&above(&figures, 5.0)).unwrap();
        assert!(near(found.exponent, 1.5) && near(found.factor, 3.0), "{found:?}");
        assert!(near(found.at(100.0), 3000.0));
    }

    /// `numpy.polyfit(numpy.log([1e3, 1e4, 1e5]), numpy.log([0.02, 0.15, 2.2]), 1)`
    #[test]
    fn figures_off_the_line_give_what_numpy_gives() {
        let found = fit(&above(&[(1e3, 0.03), (1e4, 0.16), (1e5, 2.21)], 0.01)).unwrap();
        assert!(near(found.exponent, 1.020696342579112), "{found:?}");
        assert!(near(found.factor.ln(), -11.074522608234743), "{found:?}");
    }

    #[test]
    fn figures_that_an_empty_run_hides_do_not_count() {
        let points = above(&[(10.0, 1.05), (100.0, 0.9), (1000.0, 2.0), (10_000.0, 11.0)], 1.0);
        assert_eq!(points.iter().map(|point| point.counts).collect::<Vec<_>>(), [false, false, true, true]);
        assert!(near(fit(&points).unwrap().exponent, 1.0));
        assert_eq!(fit(&points[..3]), None);
    }
}
