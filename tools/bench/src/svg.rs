//! Plots with logarithmic axes as SVG: points, fitted lines, ticks and labels, readable on light and dark ground.

use std::fmt::Write as _;

/// Panels side by side under one title.
pub struct Plot {
    pub title: String,
    pub panels: Vec<Panel>,
}

/// A pair of axes.
pub struct Panel {
    pub x_label: String,
    pub y_label: String,
    pub series: Vec<Series>,
}

/// What one colour stands for; at most as many a panel as there are colours.
pub struct Series {
    pub name: String,
    /// `(x, y)`; a point with a coordinate that is not above 0 has no place and is left out.
    pub points: Vec<Mark>,
    /// Two ends of a line.
    pub line: Option<[(f64, f64); 2]>,
}

/// A point, hollow if it did not count for the line.
#[derive(Clone, Copy)]
pub struct Mark {
    pub x: f64,
    pub y: f64,
    pub hollow: bool,
}

const COLOURS: usize = 4;

const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;
/// Decades left free at each end of an axis, so that no point lies on another axis.
const AIR: f64 = 0.15;
/// Height of a line of the list of series.
const LINE: f64 = 18.0;

/// Greys between black and white and colours of middle lightness read on either ground; where the reader says that the
/// ground is dark, all become lighter.
const STYLE: &str = "\
  text { font: 12px system-ui, sans-serif; fill: #333 }
  .title { font-size: 15px; font-weight: 600 }
  .axis { stroke: #666; fill: none }
  .grid { stroke: #888; stroke-opacity: 0.25 }
  .fit { stroke-width: 1.5; fill: none }
  .hollow { fill-opacity: 0 }
  .s0 { stroke: #1f6fb4; fill: #1f6fb4 }
  .s1 { stroke: #c2571a; fill: #c2571a }
  .s2 { stroke: #2a8a4a; fill: #2a8a4a }
  .s3 { stroke: #8a4fb0; fill: #8a4fb0 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd }
    .axis { stroke: #aaa }
    .s0 { stroke: #6db3f2; fill: #6db3f2 }
    .s1 { stroke: #f29b62; fill: #f29b62 }
    .s2 { stroke: #6fcf8f; fill: #6fcf8f }
    .s3 { stroke: #c79be6; fill: #c79be6 }
  }
";

/// Draws the plot.
pub fn svg(plot: &Plot) -> String {
    let rows = plot.panels.iter().map(|panel| panel.series.len()).max().unwrap_or(0);
    let (width, height) = (WIDTH * plot.panels.len() as f64, HEIGHT + LINE * rows as f64);
    let title = escape(&plot.title);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
         <text class=\"title\" x=\"{}\" y=\"24\" text-anchor=\"middle\">{title}</text>\n",
        width / 2.0
    );
    for (place, panel) in plot.panels.iter().enumerate() {
        let _ = writeln!(text, "<g transform=\"translate({} 0)\">", WIDTH * place as f64);
        panel.draw(&mut text);
        text += "</g>\n";
    }
    text + "</svg>\n"
}

impl Panel {
    fn draw(&self, text: &mut String) {
        let marks = || self.series.iter().flat_map(|series| &series.points).filter(|mark| mark.has_place());
        let across = Axis::new(marks().map(|mark| mark.x), LEFT, WIDTH - RIGHT);
        let up = Axis::new(marks().map(|mark| mark.y), HEIGHT - BOTTOM, TOP);
        let (left, right, top, bottom) = (across.from, across.to, up.to, up.from);
        for tick in across.ticks() {
            let x = across.at(tick.value());
            let _ = writeln!(
                text,
                "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{top}\" x2=\"{x:.1}\" y2=\"{bottom}\"/>"
            );
            let (y, label) = (bottom + 18.0, tick.power());
            let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>");
        }
        for tick in up.ticks() {
            let y = up.at(tick.value());
            let _ = writeln!(
                text,
                "<line class=\"grid\" x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\"/>"
            );
            let (x, y, label) = (left - 6.0, y + 4.0, tick.number());
            let _ = writeln!(text, "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{label}</text>");
        }
        let _ = writeln!(text, "<path class=\"axis\" d=\"M{left} {top}V{bottom}H{right}\"/>");
        self.label(text, f64::midpoint(left, right), f64::midpoint(top, bottom));
        for (place, series) in self.series.iter().enumerate() {
            series.draw(text, place, &across, &up);
        }
    }

    /// Names of the axes, in the middle of each.
    fn label(&self, text: &mut String, x: f64, y: f64) {
        let (below, across, up) = (HEIGHT - 18.0, escape(&self.x_label), escape(&self.y_label));
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{below}\" text-anchor=\"middle\">{across}</text>");
        let _ = writeln!(
            text,
            "<text transform=\"translate(20 {y}) rotate(-90)\" text-anchor=\"middle\">{up}</text>"
        );
    }
}

impl Series {
    /// Line, points, and the line of the list that says whose they are.
    fn draw(&self, text: &mut String, place: usize, across: &Axis, up: &Axis) {
        let colour = place % COLOURS;
        if let Some([(x1, y1), (x2, y2)]) = self.line {
            let [x1, x2] = [x1, x2].map(|x| across.at(x));
            let [y1, y2] = [y1, y2].map(|y| up.at(y));
            let _ = writeln!(
                text,
                "<line class=\"fit s{colour}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
            );
        }
        for mark in self.points.iter().filter(|mark| mark.has_place()) {
            let (x, y) = (across.at(mark.x), up.at(mark.y));
            let hollow = if mark.hollow { " hollow" } else { "" };
            let _ =
                writeln!(text, "<circle class=\"s{colour}{hollow}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
        }
        let y = HEIGHT + LINE * place as f64;
        let (middle, name) = (y - 4.0, escape(&self.name));
        let _ = writeln!(text, "<circle class=\"s{colour}\" cx=\"{LEFT}\" cy=\"{middle}\" r=\"4\"/>");
        let _ = writeln!(text, "<text x=\"{}\" y=\"{y}\">{name}</text>", LEFT + 12.0);
    }
}

impl Mark {
    fn has_place(&self) -> bool {
        [self.x, self.y].iter().all(|value| value.is_finite() && *value > 0.0)
    }
}

/// A logarithmic axis over whole powers of ten, on the picture between `from` and `to`.
struct Axis {
    least: i32,
    most: i32,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Axis {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            (least, most) = (least.min(value), most.max(value));
        }
        if least > most {
            (least, most) = (1.0, 10.0);
        }
        let (least, most) = (least.log10().floor() as i32, most.log10().ceil() as i32);
        Axis { least, most: most.max(least + 1), from, to }
    }

    fn at(&self, value: f64) -> f64 {
        let decades = f64::from(self.most - self.least) + 2.0 * AIR;
        let share = (value.log10() - f64::from(self.least) + AIR) / decades;
        self.from + share * (self.to - self.from)
    }

    /// Powers of ten, and multiples of them unless these are many.
    fn ticks(&self) -> Vec<Tick> {
        let multiples: &[i32] = if self.most - self.least > 2 { &[1] } else { &[1, 2, 5] };
        let of = |exponent| multiples.iter().map(move |&times| Tick { times, exponent });
        (self.least..self.most).flat_map(of).chain([Tick { times: 1, exponent: self.most }]).collect()
    }
}

/// A multiple of a power of ten.
struct Tick {
    times: i32,
    exponent: i32,
}

impl Tick {
    fn value(&self) -> f64 {
        f64::from(self.times) * 10f64.powi(self.exponent)
    }

    /// A power of ten with its exponent raised; empty for a multiple.
    fn power(&self) -> String {
        if self.times != 1 {
            return String::new();
        }
        let digits = self.exponent.to_string();
        let raised = digits.chars().map(|digit| match digit.to_digit(10) {
            Some(digit) => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize],
            None => '⁻',
        });
        format!("10{}", raised.collect::<String>())
    }

    /// In full.
    fn number(&self) -> String {
        let decimals = self.exponent.min(0).unsigned_abs() as usize;
        format!("{:.decimals$}", self.value())
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The writer of plots, held to a picture that was looked at.
#[cfg(test)]
mod tests {
    use super::*;

    const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/plot/plot.svg");

    fn example() -> Plot {
        let mark = |x: f64, y: f64, hollow| Mark { x, y, hollow };
        let series = |name: &str, points, line| Series { name: name.to_owned(), points, line };
        let panel = |y_label: &str, series| Panel {
            x_label: "documents".to_owned(),
            y_label: y_label.to_owned(),
            series,
        };
        let seconds = vec![
            series(
                "list, n < 10⁶ & linear",
                vec![mark(1e4, 0.12, false), mark(1e5, 1.1, false), mark(1e6, 12.0, false)],
                Some([(1e4, 0.115), (1e6, 11.5)]),
            ),
            series(
                "validate",
                vec![mark(1e4, 0.0, true), mark(1e5, 0.03, true), mark(1e6, 0.5, false)],
                None,
            ),
        ];
        let megabytes = vec![series("list", vec![mark(1e4, 40.0, false), mark(1e6, 71.0, false)], None)];
        Plot {
            title: "Growth of an example".to_owned(),
            panels: vec![panel("seconds", seconds), panel("MB", megabytes)],
        }
    }

    /// With `MTEB_WRITE_GOLDEN` in the environment the picture is written; look at it before it is kept.
    #[test]
    fn a_plot_is_drawn_as_it_was_seen() {
        let drawn = svg(&example());
        if std::env::var_os("MTEB_WRITE_GOLDEN").is_some() {
            std::fs::write(GOLDEN, &drawn).unwrap();
        }
        let seen = std::fs::read_to_string(GOLDEN).expect("fixture is part of the project");
        assert!(drawn == seen, "{GOLDEN} differs; write it anew with MTEB_WRITE_GOLDEN=1:\n{drawn}");
    }

    #[test]
    fn an_axis_spans_whole_decades() {
        let axis = Axis::new([30.0, 400.0].into_iter(), 0.0, 100.0);
        assert_eq!((axis.least, axis.most), (1, 3));
        assert_eq!(axis.at(100.0), 50.0);
        let ticks = axis.ticks();
        let numbers: Vec<String> = ticks.iter().map(Tick::number).collect();
        assert_eq!(numbers, ["10", "20", "50", "100", "200", "500", "1000"]);
        assert_eq!(Tick { times: 5, exponent: -3 }.number(), "0.005");
        assert_eq!(Tick { times: 1, exponent: -3 }.power(), "10⁻³");
    }

    #[test]
    fn no_points_give_empty_axes() {
        let panel = Panel { x_label: String::new(), y_label: String::new(), series: Vec::new() };
        let drawn = svg(&Plot { title: String::new(), panels: vec![panel] });
        assert!(drawn.ends_with("</svg>\n") && !drawn.contains("NaN"), "{drawn}");
    }
}
