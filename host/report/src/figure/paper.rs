//! The figures of the MTEB paper, from a board; which families of models have a line in figure 3.
//!
//! Source: Muennighoff et al. 2023, "MTEB: Massive Text Embedding Benchmark", figures 3, 5 and 6.

use std::collections::{BTreeMap, BTreeSet};

use mteb_measures::correlation::pearson;
use plotters::prelude::*;

use super::canvas::{Area, Figure, FigureError, NO_SERIES, colour, fault, is_dashed, label, svg};
use super::matrix::Matrix;
use super::scatter::{Point, Scatter};
use super::strips::{Panel, Strips};
use crate::grid::{Grid, Value};
use crate::table::{Board, Row};

/// Width of the panels of figure 3 in pixels, and that of their key.
const PANELS: u32 = 1200;
const KEY: u32 = 210;

/// Most panels of figure 3.
const PANELS_MOST: usize = 6;

/// Most dots of a panel that have names beside them.
const NAMED_MOST: usize = 8;

/// Fewest things that two others must both have, so that a correlation says something.
const SHARED: usize = 3;

/// Figure 3: the mean of each task type against the number of parameters, on a logarithmic axis; models of a family are joined by a
/// line, which looks the same in every panel and stands in the key. Up to six panels, the types with most tasks.
///
/// # Errors
/// If it cannot be drawn.
pub fn figure_3(board: &Board) -> Result<Figure, FigureError> {
    let mut types: Vec<usize> = (0..board.types.len()).collect();
    types.sort_by_key(|number| std::cmp::Reverse(board.tasks_of(&board.types[*number]).len()));
    types.truncate(PANELS_MOST);
    let mut grid = Grid::new(["Task type", "Model", "Family", "Parameters", "Score"]);
    let families = largest_families(board);
    let mut panels: Vec<Scatter> =
        types.iter().map(|number| plot_by_size(board, *number, &families, &mut grid)).collect();
    // Few dots have room for their names; the key names the lines of many.
    let is_few = panels.iter().all(|panel| panel.points.len() <= NAMED_MOST);
    let points = panels.iter_mut().flat_map(|panel| &mut panel.points);
    points.for_each(|point| point.is_named = is_few && point.series == NO_SERIES);
    let key_width = if families.is_empty() { 0 } else { KEY };
    let svg = svg((PANELS + key_width, 760), |area| {
        let (plots, key) = area.split_horizontally(PANELS as i32);
        for (area, panel) in plots.split_evenly((2, 3)).iter().zip(&panels) {
            panel.draw(area)?;
        }
        draw_key(&key, &families)
    })?;
    Ok(Figure { svg, grid, missing: list_models_without_size(board) })
}

/// The models with scores that no card states the parameters of, and the types beyond the panels.
fn list_models_without_size(board: &Board) -> Vec<String> {
    let mut missing = Vec::new();
    let has_no_size = |row: &&Row| {
        row.facts.parameters.is_none_or(|count| count == 0) && row.types.iter().any(Option::is_some)
    };
    let rows: Vec<&str> = board.rows.iter().filter(has_no_size).map(|row| row.name.as_str()).collect();
    if !rows.is_empty() {
        missing.push(format!("left out: the number of parameters is unknown for {}", name_first(&rows)));
    }
    if board.types.len() > PANELS_MOST {
        missing.push(format!(
            "left out: {} of {} task types, those with the fewest tasks",
            board.types.len() - PANELS_MOST,
            board.types.len()
        ));
    }
    missing
}

/// The first of some names, and how many more there are.
fn name_first(names: &[&str]) -> String {
    const NAMED: usize = 5;
    let more = names.len().saturating_sub(NAMED);
    let named = names[..names.len().min(NAMED)].join(", ");
    if more > 0 { format!("{named} and {more} more models") } else { named }
}

fn plot_by_size(board: &Board, number: usize, families: &[String], grid: &mut Grid) -> Scatter {
    let name = &board.types[number];
    let mut points = Vec::new();
    let mut members = vec![Vec::new(); families.len()];
    for row in &board.rows {
        let (Some(parameters), Some(mean)) =
            (row.facts.parameters.filter(|count| *count > 0), row.types[number])
        else {
            continue;
        };
        let family = family(&row.model);
        grid.rows.push(vec![
            name.as_str().into(),
            row.name.as_str().into(),
            family.as_str().into(),
            Value::Number(parameters as f64),
            Value::Number(100.0 * mean),
        ]);
        let series = families.iter().position(|name| *name == family);
        if let Some(series) = series {
            members[series].push(points.len());
        }
        points.push(Point {
            name: row.name.clone(),
            x: parameters as f64,
            y: 100.0 * mean,
            series: series.unwrap_or(NO_SERIES),
            ..Point::default()
        });
    }
    let lines = members.into_iter().enumerate().filter(|(_, members)| members.len() >= FEWEST);
    let by_cost = |(series, mut members): (usize, Vec<usize>)| {
        members.sort_by(|left, right| points[*left].x.total_cmp(&points[*right].x));
        (series, members)
    };
    let lines = lines.map(by_cost).collect();
    Scatter {
        title: format!("{name} ({})", board.tasks_of(name).len()),
        x_label: "parameters".to_owned(),
        y_label: "score × 100".to_owned(),
        points,
        lines,
        ..Scatter::default()
    }
}

/// Figure 5: scores by language in three panels: bitext mining, multilingual classification, multilingual STS. Models are those
/// with most languages; languages stand by falling score of the first model.
///
/// # Errors
/// If it cannot be drawn.
pub fn figure_5(board: &Board, models: usize) -> Result<Figure, FigureError> {
    let panels = ["BitextMining", "Classification", "STS"].map(|name| draw_by_subset(board, name, models));
    let strips = Strips { panels: panels.into_iter().filter(|panel| !panel.names.is_empty()).collect() };
    let drawn: BTreeSet<&str> =
        strips.panels.iter().flat_map(|panel| &panel.lines).map(|(model, _)| model.as_str()).collect();
    let left_out = board.rows.len() - drawn.len();
    let missing = (left_out > 0 && !drawn.is_empty()).then(|| {
        format!(
            "left out: {left_out} of {} models, those with the fewest languages or lowest ranks",
            board.rows.len()
        )
    });
    Ok(Figure { svg: strips.svg()?, grid: strips.grid(), missing: missing.into_iter().collect() })
}

fn draw_by_subset(board: &Board, task_type: &str, models: usize) -> Panel {
    let tasks = board.tasks_of(task_type);
    let scores = |row: &Row| {
        let mut sums: BTreeMap<String, (f64, usize)> = BTreeMap::new();
        for number in &tasks {
            let (column, cell) = (&board.columns[*number], &row.cells[*number]);
            // Of one language alone nothing is seen by language.
            let subsets: BTreeSet<&str> = column.units.iter().map(|(_, subset)| subset.as_str()).collect();
            if subsets.len() < 2 {
                continue;
            }
            for ((_, subset), score) in column.units.iter().zip(&cell.units) {
                let Some(score) = score else { continue };
                let sum = sums.entry(subset.clone()).or_default();
                *sum = (sum.0 + 100.0 * score, sum.1 + 1);
            }
        }
        sums.into_iter()
            .map(|(name, (sum, count))| (name, sum / count as f64))
            .collect::<BTreeMap<String, f64>>()
    };
    let mut all: Vec<(String, BTreeMap<String, f64>)> = board
        .rows
        .iter()
        .map(|row| (row.name.clone(), scores(row)))
        .filter(|(_, scores)| !scores.is_empty())
        .collect();
    // Rows stand by rank; of models with as many languages the better comes first.
    all.sort_by_key(|(_, scores)| std::cmp::Reverse(scores.len()));
    all.truncate(models);
    let mut names: Vec<String> =
        all.first().map(|(_, scores)| scores.keys().cloned().collect()).unwrap_or_default();
    if let Some((_, first)) = all.first() {
        names.sort_by(|left, right| first[right].total_cmp(&first[left]));
    }
    let lines = all.into_iter().map(|(model, scores)| {
        let scores = names.iter().map(|name| scores.get(name).copied()).collect();
        (model, scores)
    });
    let lines = lines.collect();
    Panel { title: task_type.to_owned(), y_label: "score × 100".to_owned(), names, lines }
}

/// Figure 6, models: Pearson's correlation of the scores of each two models over the tasks that both have; the best `models`.
///
/// # Errors
/// If it cannot be drawn.
pub fn figure_6_models(board: &Board, models: usize) -> Result<Figure, FigureError> {
    let rows: Vec<&Row> = board.rows.iter().filter(|row| row.is_complete()).take(models).collect();
    let lacking = board.rows.iter().filter(|row| !row.is_complete()).count();
    let scores: Vec<Vec<Option<f64>>> = rows.iter().map(|row| row.scores()).collect();
    let names = rows.iter().map(|row| row.name.clone()).collect();
    let mut figure = matrix("Correlation of models over tasks (Pearson × 100)", names, &scores)?;
    if lacking > 0 {
        figure.missing.push(format!("left out: {lacking} of {} models, which lack a task", board.rows.len()));
    }
    Ok(figure)
}

/// Figure 6, task types: Pearson's correlation of the means of each two types over the models that have both.
///
/// # Errors
/// If it cannot be drawn.
pub fn figure_6_types(board: &Board) -> Result<Figure, FigureError> {
    let scores: Vec<Vec<Option<f64>>> = (0..board.types.len())
        .map(|number| board.rows.iter().map(|row| row.types[number]).collect())
        .collect();
    matrix("Correlation of task types over models (Pearson × 100)", board.types.clone(), &scores)
}

fn matrix(title: &str, names: Vec<String>, scores: &[Vec<Option<f64>>]) -> Result<Figure, FigureError> {
    let correlate = |left: &[Option<f64>], right: &[Option<f64>]| {
        let both: Vec<(f64, f64)> =
            left.iter().zip(right).filter_map(|(left, right)| Some(((*left)?, (*right)?))).collect();
        let (left, right): (Vec<f64>, Vec<f64>) = both.into_iter().unzip();
        (left.len() >= SHARED).then(|| pearson(&left, &right)).filter(|value| value.is_finite())
    };
    let values =
        scores.iter().map(|left| scores.iter().map(|right| correlate(left, right)).collect()).collect();
    let values: Vec<Vec<Option<f64>>> = values;
    let is_empty = |row: usize| (0..names.len()).all(|column| column == row || values[row][column].is_none());
    let alone: Vec<&str> =
        (0..names.len()).filter(|row| is_empty(*row)).map(|row| names[row].as_str()).collect();
    if alone.len() == names.len() {
        return Err(FigureError::Unrelated { shared: SHARED, found: names.len() });
    }
    let why =
        format!("no correlation: fewer than {SHARED} scores are shared with the others, or they do not vary");
    let missing = alone.iter().map(|name| format!("{name}: {why}")).collect();
    let matrix = Matrix { title: title.to_owned(), names: names.clone(), values };
    Ok(Figure { svg: matrix.svg()?, grid: matrix.grid(), missing })
}

/// Families that have a line; as many as colours and kinds of lines tell apart.
const MOST_FAMILIES: usize = 16;

/// Fewest models that make a line.
const FEWEST: usize = 3;

/// The families with most models of known size, the larger first; the place of a family is its series in all panels.
fn largest_families(board: &Board) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in &board.rows {
        if row.facts.parameters.is_some_and(|count| count > 0) && row.types.iter().any(Option::is_some) {
            *counts.entry(family(&row.model)).or_default() += 1;
        }
    }
    let mut families: Vec<(String, usize)> =
        counts.into_iter().filter(|(_, count)| *count >= FEWEST).collect();
    families.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    families.into_iter().take(MOST_FAMILIES).map(|(name, _)| name).collect()
}

/// The key: the line of each family, and its name.
fn draw_key(area: &Area, families: &[String]) -> Result<(), FigureError> {
    for (series, name) in families.iter().enumerate() {
        let y = 50 + 20 * series as i32;
        let ends = [(4, y), (34, y)];
        let style = colour(series).stroke_width(2);
        if is_dashed(series) {
            area.draw(&plotters::element::DashedPathElement::new(ends, 5, 4, style)).map_err(fault)?;
        } else {
            area.draw(&PathElement::new(ends, style)).map_err(fault)?;
        }
        area.draw(&Circle::new((19, y), 3, colour(series).filled())).map_err(fault)?;
        area.draw(&Text::new(label(name, 24), (40, y - 7), ("sans-serif", 13))).map_err(fault)?;
    }
    Ok(())
}

/// The family of a model: its name without organisation, sizes and versions.
pub(crate) fn family(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    let is_size = |part: &str| {
        let is_word = matches!(
            part,
            "tiny" | "mini" | "small" | "base" | "large" | "xl" | "xxl" | "xs" | "s" | "m" | "l" | "nano"
        );
        let digits = part.strip_suffix(['b', 'm']).unwrap_or("");
        is_word
            || (!digits.is_empty()
                && digits.chars().all(|character| character.is_ascii_digit() || character == '.'))
    };
    let parts: Vec<&str> = name.split(['-', '_']).filter(|part| !part.is_empty() && !is_size(part)).collect();
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_no_part_of_a_family() {
        assert_eq!(family("intfloat/multilingual-e5-small"), family("intfloat/multilingual-e5-large"));
        assert_eq!(family("Qwen/Qwen3-Embedding-0.6B"), family("Qwen/Qwen3-Embedding-8B"));
        assert_ne!(family("intfloat/e5-small"), family("intfloat/multilingual-e5-small"));
    }
}
