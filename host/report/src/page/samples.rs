//! Examples of the data of tasks, as the page of a task shows them: few, short, and only where that is allowed.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::texts::show_name;
use crate::visible;

/// Letters of a cell, and columns of an example.
const LETTERS: usize = 280;
const COLUMNS: usize = 8;

/// Bytes of all examples of a page.
const MOST: usize = 250_000;

/// What the page of a task says of its data.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskSamples {
    /// Examples of one split and subset: the names of columns with their cells.
    Shown {
        /// The split and the subset.
        unit: [String; 2],
        /// An example each.
        rows: Vec<Vec<(String, String)>>,
    },
    /// None, and why.
    Withheld(Withheld),
}

/// Why there are no examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Withheld {
    /// The licence has conditions that a page may not meet.
    License,
    /// The card states no licence.
    NoLicense,
    /// The task is private.
    Private,
    /// The data is not on the machine that made the page, or cannot be read there.
    Absent,
    /// The data is large.
    Large,
    /// The page has as many as it should have.
    Full,
}

impl TaskSamples {
    /// Examples, cut to what a page should hold.
    pub fn of(unit: (&str, &str), samples: &[Map<String, Value>]) -> Self {
        let cell = |(name, value): (&String, &Value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            (show_name(name), shorten(&text))
        };
        let row = |sample: &Map<String, Value>| {
            sample.iter().filter(|(_, value)| !value.is_null()).take(COLUMNS).map(cell).collect()
        };
        let unit = [unit.0, unit.1].map(show_name);
        Self::Shown { unit, rows: samples.iter().map(row).collect() }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Shown { rows, .. } => {
                rows.iter().flatten().map(|(name, text)| name.len() + text.len() + 8).sum()
            }
            Self::Withheld(_) => 0,
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Shown { unit, rows } => json!({ "unit": unit, "rows": rows }),
            Self::Withheld(why) => json!({ "why": why.key() }),
        }
    }
}

impl Withheld {
    /// The key of the text that says it.
    fn key(self) -> &'static str {
        match self {
            Self::License => "samplesLicense",
            Self::NoLicense => "samplesNoLicense",
            Self::Private => "samplesPrivate",
            Self::Absent => "samplesAbsent",
            Self::Large => "samplesLarge",
            Self::Full => "samplesFull",
        }
    }
}

/// Examples by task.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    by_task: BTreeMap<String, TaskSamples>,
    bytes: usize,
}

impl Samples {
    /// Adds the examples of a task, or that the page has enough.
    pub fn add(&mut self, task: &str, samples: TaskSamples) {
        let bytes = samples.bytes();
        let is_full = self.bytes + bytes > MOST;
        let samples = if is_full { TaskSamples::Withheld(Withheld::Full) } else { samples };
        self.bytes += if is_full { 0 } else { bytes };
        self.by_task.insert(task.to_owned(), samples);
    }

    /// What the script shows of a task; nothing where nobody asked for examples.
    pub(super) fn json(&self, task: &str) -> Value {
        self.by_task.get(task).map_or(Value::Null, TaskSamples::json)
    }
}

/// The begin of a text, with what nobody would see made visible.
pub(super) fn shorten(text: &str) -> String {
    shorten_to(text, LETTERS)
}

/// The first `most` letters of a text.
pub(super) fn shorten_to(text: &str, most: usize) -> String {
    let mut letters = text.chars();
    let begin: String = letters.by_ref().take(most).collect();
    let more = if letters.next().is_some() { "…" } else { "" };
    format!("{}{more}", visible(&begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(text: &str) -> Map<String, Value> {
        let Value::Object(sample) = json!({ "text": text, "title": null, "label": [1, 2] }) else { panic!() };
        sample
    }

    #[test]
    fn an_example_is_short_and_has_no_empty_cell() {
        let found = TaskSamples::of(("test", "ind"), &[sample(&"x".repeat(9_000))]).json();
        assert_eq!(found["unit"], json!(["test", "ind"]));
        assert_eq!(found["rows"][0][1], json!(["label", "[1,2]"]));
        assert_eq!(found["rows"][0][0][1].as_str().unwrap().chars().count(), LETTERS + 1);
        assert_eq!(found["rows"][0].as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_page_has_so_many_examples_and_says_where_it_leaves_some_out() {
        let mut samples = Samples::default();
        for number in 0..2_000 {
            let of_task = TaskSamples::of(("test", "ind"), &[sample(&"x".repeat(400))]);
            samples.add(&format!("T{number}"), of_task);
        }
        assert!(samples.bytes <= MOST);
        assert_eq!(samples.json("T1999"), json!({ "why": "samplesFull" }));
        assert_eq!(samples.json("T0")["rows"].as_array().map(Vec::len), Some(1));
        assert_eq!(samples.json("nobody"), Value::Null);
    }
}
