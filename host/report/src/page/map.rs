//! The view of texts in two dimensions: where each is, its label, and which labels a model takes for each other.

use std::collections::BTreeMap;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde_json::{Value, json};

use super::samples::shorten_to;
use super::texts::show_name;
use crate::figure::MappedTexts;
use crate::reduction::{Place, Reduction, ReductionError, reduce};

/// Letters of a text.
const LETTERS: usize = 120;

/// Places are whole numbers up to this one, on either side of the middle.
const REACH: f64 = 1_000.0;

/// Texts of a task on a map.
#[derive(Clone, Debug)]
pub struct TextMap {
    task: String,
    model: String,
    method: Reduction,
    /// The labels, the most frequent first.
    labels: Vec<LabelOnMap>,
    /// Where each text is, and the place of its label.
    points: Vec<(Place, usize)>,
    /// The texts; nothing where their licence does not let a page show them.
    texts: Option<Vec<String>>,
}

/// A label, and how well a model tells its texts from those of others.
#[derive(Clone, Debug, Default, PartialEq)]
struct LabelOnMap {
    name: String,
    texts: usize,
    /// Texts whose most similar other text has the same label.
    alike: usize,
    /// The other label that the most similar text has most often, and how often.
    confused: Option<(usize, usize)>,
}

impl TextMap {
    /// A map of the texts of `task` by `model`; they themselves are on it if the page may show them.
    ///
    /// # Errors
    /// If there are too few texts for the method, or they all lie on a line.
    pub fn new(
        (task, model): (&str, &str),
        texts: &MappedTexts,
        method: Reduction,
        is_quotable: bool,
    ) -> Result<Self, ReductionError> {
        let places = reduce(&texts.rows, texts.texts.len(), method)?;
        let numbers = number_by_frequency(&texts.labels);
        let of: Vec<usize> = texts.labels.iter().map(|label| numbers[label]).collect();
        let mut labels = vec![LabelOnMap::default(); numbers.len()];
        for (label, number) in &numbers {
            labels[*number].name.clone_from(label);
        }
        count_neighbours(&texts.rows, &of, &mut labels);
        let shown_texts = || texts.texts.iter().map(|text| shorten_to(text, LETTERS)).collect();
        Ok(Self {
            task: task.to_owned(),
            model: model.to_owned(),
            method,
            labels,
            points: places.into_iter().zip(of).collect(),
            texts: is_quotable.then(shown_texts),
        })
    }

    /// The task whose texts they are.
    pub fn task(&self) -> &str {
        &self.task
    }

    /// What the script draws.
    pub(super) fn json(&self) -> Value {
        let label =
            |label: &LabelOnMap| json!([show_name(&label.name), label.texts, label.alike, label.confused]);
        let far =
            self.points.iter().flat_map(|(place, _)| place.map(f64::abs)).fold(f64::MIN_POSITIVE, f64::max);
        let whole = |axis: f64| (axis / far * REACH).round() as i64;
        let point = |(place, of): &(Place, usize)| json!([whole(place[0]), whole(place[1]), of]);
        json!({
            "task": show_name(&self.task),
            "model": show_name(&self.model),
            "method": match self.method { Reduction::Pca => "pca", Reduction::TSne => "tsne" },
            "labels": self.labels.iter().map(label).collect::<Vec<_>>(),
            "points": self.points.iter().map(point).collect::<Vec<_>>(),
            "texts": self.texts,
        })
    }
}

/// Numbers of labels, that of the most frequent first; of equal ones that of the first by name.
fn number_by_frequency(labels: &[String]) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    labels.iter().for_each(|label| *counts.entry(label).or_default() += 1);
    let mut counts: Vec<(&String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().enumerate().map(|(number, (label, _))| (label.clone(), number)).collect()
}

/// Counts the labels of the most similar other text of each text, by the cosine of their whole embeddings.
fn count_neighbours(rows: &[f64], of: &[usize], labels: &mut [LabelOnMap]) {
    let count = of.len().max(1);
    let dimension = (rows.len() / count).max(1);
    let rows: Vec<Vec<f64>> = rows.chunks_exact(dimension).map(normalise).collect();
    let nearest = |number: usize| {
        let own = &rows[number];
        let others = (0..rows.len()).filter(|other| *other != number);
        let cosine =
            |other: usize| own.iter().zip(&rows[other]).map(|(left, right)| left * right).sum::<f64>();
        // Of equals the first counts.
        let best = others
            .map(|other| (cosine(other), other))
            .reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map_or(number, |(_, other)| other)
    };
    let nearest: Vec<usize> = (0..of.len()).into_par_iter().map(nearest).collect();
    let mut confused: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (number, neighbour) in nearest.into_iter().enumerate() {
        let (own, other) = (of[number], of[neighbour]);
        labels[own].texts += 1;
        if own == other {
            labels[own].alike += 1;
        } else {
            *confused.entry((own, other)).or_default() += 1;
        }
    }
    for ((own, other), count) in confused {
        if labels[own].confused.is_none_or(|(_, most)| count > most) {
            labels[own].confused = Some((other, count));
        }
    }
}

fn normalise(row: &[f64]) -> Vec<f64> {
    let length = row.iter().map(|number| number * number).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    row.iter().map(|number| number / length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three texts of the label `a` along the first axis, two of `b`, of which one lies among them.
    fn texts() -> MappedTexts {
        let all =
            [("a", [1.0, 0.0]), ("a", [1.0, 0.1]), ("b", [1.0, 0.04]), ("a", [0.9, 0.0]), ("b", [0.0, 1.0])];
        MappedTexts {
            texts: (0..all.len()).map(|number| format!("text {number}")).collect(),
            labels: all.iter().map(|(label, _)| (*label).to_owned()).collect(),
            rows: all.iter().flat_map(|(_, row)| *row).collect(),
        }
    }

    #[test]
    fn a_label_is_confused_with_that_of_the_most_similar_text() {
        let map = TextMap::new(("T", "m"), &texts(), Reduction::Pca, true).unwrap().json();
        // The texts 0 and 3 point in one direction; 1 and 4 are nearest to 2 and 1.
        assert_eq!(map["labels"], json!([["a", 3, 2, [1, 1]], ["b", 2, 0, [0, 2]]]));
        let far = map["points"].as_array().unwrap().iter().flat_map(|point| [&point[0], &point[1]]);
        assert_eq!(far.map(|axis| axis.as_i64().unwrap().abs()).max(), Some(1_000));
        assert_eq!(
            (&map["points"][4][2], &map["texts"][4], &map["method"]),
            (&json!(1), &json!("text 4"), &json!("pca"))
        );
    }

    #[test]
    fn texts_that_may_not_be_shown_are_not_on_the_page() {
        let map = TextMap::new(("T", "m"), &texts(), Reduction::Pca, false).unwrap().json();
        assert_eq!(map["texts"], Value::Null);
        assert!(!map.to_string().contains("text 4"));
    }
}
