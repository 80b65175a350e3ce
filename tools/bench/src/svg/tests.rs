//! The writer of plots, held to a picture that was looked at.

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
        series("validate", vec![mark(1e4, 0.0, true), mark(1e5, 0.03, true), mark(1e6, 0.5, false)], None),
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
