//! The charts of the page: mean score against what a model costs, with the Pareto front.

use crate::figure::{Point, Scatter, pareto_front};
use crate::page::policy::escape;
use crate::table::{Board, Row};

/// Colour of the front; other models have the first.
const FRONT: usize = 1;

/// A cost, if it is known.
type Cost = fn(&Row) -> Option<f64>;

/// The charts for which enough is known.
pub fn charts(board: &Board) -> String {
    let costs: [(&str, Cost); 4] = [
        ("parameters", |row| row.facts.parameters.map(|count| count as f64)),
        ("numbers an embedding", |row| row.facts.dimension.map(f64::from)),
        ("memory of the weights in MB", |row| row.facts.memory_mb.map(|memory| memory as f64)),
        ("seconds of evaluation, as the results state them", seconds),
    ];
    costs.iter().filter_map(|(title, cost)| chart(board, title, *cost)).collect()
}

/// Seconds of all tasks together, where every result says them.
fn seconds(row: &Row) -> Option<f64> {
    row.cells.iter().map(|cell| cell.seconds.filter(|seconds| *seconds > 0.0)).sum()
}

fn chart(board: &Board, title: &str, cost: Cost) -> Option<String> {
    let known: Vec<(&Row, f64, f64)> = board
        .rows
        .iter()
        .filter_map(|row| Some((row, cost(row).filter(|cost| *cost > 0.0)?, 100.0 * row.mean?)))
        .collect();
    if known.len() < 3 {
        return None;
    }
    let front = pareto_front(&known.iter().map(|(_, cost, score)| (*cost, *score)).collect::<Vec<_>>());
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
        x_label: title.to_owned(),
        y_label: "Mean (Task) × 100".to_owned(),
        points: known.iter().enumerate().map(point).collect(),
        lines: vec![(FRONT, front)],
        series: Vec::new(),
    };
    let svg = scatter.svg((900, 460)).ok()?;
    let label = escape(&format!("Mean (Task) against {title}"));
    Some(format!("<figure class=\"chart\" role=\"img\" aria-label=\"{label}\">{svg}</figure>"))
}
