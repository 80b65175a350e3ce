//! What was measured of growth: exponents first, then the figures, and a plot for each kind of work.

use super::fit::{Fit, Point, above, fit};
use super::jobs::GrowthJob;
use crate::measure::Cost;
use crate::svg::{Mark, Panel, Plot, Series, svg};
use xtask::document::machine;

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
