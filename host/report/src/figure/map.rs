//! A map of texts: their embeddings in two dimensions, coloured by label.

use std::collections::BTreeMap;

use plotters::prelude::*;

use super::canvas::{Area, Figure, FigureError, NO_SERIES, colour, draw_series_key, fault, label, svg};
use crate::grid::{Grid, Value};
use crate::reduction::{Place, Reduction, reduce};

/// Size in pixels, and the width of the key beside it.
const SIDE: u32 = 760;
const KEY: u32 = 200;

/// Most labels that have a colour; the others are grey.
const MOST: usize = 8;

/// Letters of a text that stand in the numbers.
const LETTERS: usize = 120;

/// Texts with labels, and the embedding of each.
#[derive(Clone, Debug, Default)]
pub struct MappedTexts {
    /// The texts.
    pub texts: Vec<String>,
    /// Their labels.
    pub labels: Vec<String>,
    /// Their embeddings, row after row.
    pub rows: Vec<f64>,
}

/// A map of `texts` under `title`. The eight most frequent labels have colours.
///
/// # Errors
/// If there are too few texts for the method, or it cannot be drawn.
pub fn figure_map(texts: &MappedTexts, method: Reduction, title: &str) -> Result<Figure, FigureError> {
    let places = reduce(&texts.rows, texts.texts.len(), method)?;
    let coloured = most_frequent(&texts.labels);
    let series = |label: &String| coloured.iter().position(|one| one == label).unwrap_or(NO_SERIES);
    let svg = svg((SIDE + KEY, SIDE), |area| {
        let (plot, key) = area.split_horizontally(SIDE as i32);
        draw(&plot, &places, texts.labels.iter().map(series), title)?;
        draw_series_key(&key, &coloured)
    })?;
    let mut grid = Grid::new(["Label", "x", "y", "Text"]);
    for ((place, of), text) in places.iter().zip(&texts.labels).zip(&texts.texts) {
        let number = |value| Value::number(Some(value));
        grid.rows.push(vec![
            of.as_str().into(),
            number(place[0]),
            number(place[1]),
            label(text, LETTERS).as_str().into(),
        ]);
    }
    let others = texts.labels.iter().filter(|label| series(label) == NO_SERIES).count();
    let missing = (others > 0)
        .then(|| format!("{others} texts are grey: their labels are none of the {MOST} most frequent ones"));
    Ok(Figure { svg, grid, missing: missing.into_iter().collect() })
}

fn most_frequent(labels: &[String]) -> Vec<String> {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    labels.iter().for_each(|label| *counts.entry(label).or_default() += 1);
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().take(MOST).map(|(label, _)| label.clone()).collect()
}

/// Both axes have one scale, and no ticks: only distances mean something.
fn draw(
    area: &Area,
    places: &[Place],
    series: impl Iterator<Item = usize>,
    title: &str,
) -> Result<(), FigureError> {
    let span = |axis: usize| {
        let values = places.iter().map(|place| place[axis]);
        let (low, high) =
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max));
        ((low + high) / 2.0, (high - low) / 2.0)
    };
    let (across, down) = (span(0), span(1));
    let half = across.1.max(down.1).max(f64::MIN_POSITIVE) * 1.05;
    let around = |middle: f64| middle - half..middle + half;
    let mut chart = ChartBuilder::on(area)
        .caption(label(title, 90), ("sans-serif", 17))
        .margin(12)
        .build_cartesian_2d(around(across.0), around(down.0))
        .map_err(fault)?;
    let mut points: Vec<(usize, &Place)> = series.zip(places).collect();
    // What is grey lies beneath the others.
    points.sort_by_key(|(series, _)| *series != NO_SERIES);
    let circles = points
        .into_iter()
        .map(|(series, place)| Circle::new((place[0], place[1]), 3, colour(series).mix(0.7).filled()));
    chart.draw_series(circles).map_err(fault)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_label_have_a_colour_and_rare_labels_are_counted() {
        let count = 20;
        let texts = MappedTexts {
            texts: (0..count).map(|number| format!("text {number}")).collect(),
            labels: (0..count).map(|number| (if number < 11 { number } else { 11 }).to_string()).collect(),
            rows: (0..count * 3).map(|place| (place * place % 17) as f64).collect(),
        };
        let map = figure_map(&texts, Reduction::Pca, "Task, model").unwrap();
        assert_eq!(map.grid.rows.len(), count);
        assert_eq!(map.missing, ["4 texts are grey: their labels are none of the 8 most frequent ones"]);
        assert_eq!(map.svg.matches("<circle").count(), count + MOST);
    }
}
