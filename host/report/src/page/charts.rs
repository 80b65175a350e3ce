//! The charts of the page: mean score against what a model costs, with the Pareto front.

use std::collections::BTreeMap;

use super::policy::escape;
use crate::figure::{Point, Scatter, pareto_front};
use crate::table::{Board, Row, RowFootprint};

/// Colour of the front; other models have the first.
const FRONT: usize = 1;

/// Fewest models of a chart.
const FEWEST: usize = 2;

/// The text for a page without charts.
const NONE: &str = "noCharts";

/// What a model costs, or how fast it is.
struct Cost {
    /// Text that says what it is.
    key: &'static str,
    /// True if more is better.
    is_gain: bool,
    /// It, if it is known.
    of: fn(&Row, &RowFootprint) -> Option<f64>,
}

const fn cost(key: &'static str, of: fn(&Row, &RowFootprint) -> Option<f64>) -> Cost {
    Cost { key, is_gain: false, of }
}

/// First what cards state of models, then what their runs measured.
const COSTS: [Cost; 6] = [
    cost("parameters", |row, _| row.facts.parameters.map(|count| count as f64)),
    cost("dimension", |row, _| row.facts.dimension.map(f64::from)),
    cost("memory", |row, _| row.facts.memory_mb.map(|memory| memory as f64)),
    Cost { is_gain: true, ..cost("speed", |_, measured| measured.texts_per_second) },
    cost("peakMemory", |_, measured| measured.memory_mb),
    cost("seconds", |_, measured| measured.seconds),
];

/// The charts for which enough is known, or a sentence that says why there is none.
pub fn charts(board: &Board, texts: &BTreeMap<String, String>) -> String {
    let measured: Vec<RowFootprint> = board.rows.iter().map(Row::footprint).collect();
    let charts: String = COSTS.iter().filter_map(|cost| chart(board, &measured, cost, texts)).collect();
    if charts.is_empty() {
        return format!("<p data-text=\"{NONE}\">{}</p>", escape(&texts[NONE]));
    }
    charts
}

fn chart(
    board: &Board,
    measured: &[RowFootprint],
    cost: &Cost,
    texts: &BTreeMap<String, String>,
) -> Option<String> {
    let known: Vec<(&Row, f64, f64)> = board
        .rows
        .iter()
        .zip(measured)
        .filter_map(|(row, measured)| {
            Some((row, (cost.of)(row, measured).filter(|cost| *cost > 0.0)?, 100.0 * row.mean?))
        })
        .collect();
    if known.len() < FEWEST {
        return None;
    }
    let price = |cost: &Cost, x: f64| if cost.is_gain { -x } else { x };
    let front =
        pareto_front(&known.iter().map(|(_, x, score)| (price(cost, *x), *score)).collect::<Vec<_>>());
    let point = |(number, (row, x, y)): (usize, &(&Row, f64, f64))| {
        let is_front = front.contains(&number);
        Point {
            name: row.name.clone(),
            x: *x,
            y: *y,
            series: if is_front { FRONT } else { 0 },
            radius: 0.0,
            is_named: is_front,
        }
    };
    let scatter = Scatter {
        title: String::new(),
        x_label: texts[cost.key].clone(),
        y_label: texts[SCORE].clone(),
        points: known.iter().enumerate().map(point).collect(),
        lines: vec![(FRONT, front)],
        series: Vec::new(),
    };
    let svg = scatter.svg((900, 460)).ok()?;
    let [x, y] = ["x", "y"].map(|axis| format!("{}-{axis}", cost.key));
    let svg = named(&svg, &texts[cost.key], cost.key, &x);
    let svg = named(&svg, &texts[SCORE], SCORE, &y);
    Some(format!("<figure class=\"chart\" role=\"img\" aria-labelledby=\"{y} {x}\">{svg}</figure>"))
}

/// The text of the upright axis.
const SCORE: &str = "meanPercent";

/// The SVG with the text of an axis under a name of its own, which the script can put into another language.
fn named(svg: &str, text: &str, key: &str, id: &str) -> String {
    let text = escape(text);
    let found = format!(">\n{text}\n</text>");
    svg.replacen(&found, &format!(" id=\"{id}\" data-text=\"{key}\"{found}"), 1)
}
