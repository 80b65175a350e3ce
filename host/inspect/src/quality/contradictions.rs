//! Rows that say different things of the same text: other labels, or scores or values that are far apart.

use std::collections::{BTreeSet, HashMap};

use mteb_base::counted::count;
use mteb_data::written;
use mteb_measures::numeric::standard_deviation;
use mteb_tasks::{Gold, Part, Unit, beginning, facts, seen_text};
use serde_json::Value;

use super::data::{ColumnTexts, SubsetData, TextAt};
use super::fault::{DataFault, RowPlace, enumeration_of_first};
use super::limits::scale;

/// Part of the scale by which the scores of the same pair may differ.
const SCALE_APART: f64 = 0.25;

/// Standard deviations by which the values of the same text may differ: the best prediction of two values lies between them, half of
/// their difference from each, and that squared is a quarter of the variance.
const DEVIATIONS_APART: f64 = 1.0;

/// Rows that are named of one text; more are counted.
const SHOWN: usize = 4;

/// The same text with different labels or scores.
#[derive(Clone, Debug)]
pub struct Contradiction<'a> {
    /// The unit of the first of the rows that is evaluated.
    pub unit: &'a Unit,
    /// The rows.
    pub rows: Vec<RowPlace>,
    /// The texts as they are compared: one, or the sides of a pair.
    pub texts: Vec<String>,
    /// True if training and evaluation rows are among them.
    pub is_leak: bool,
    /// What they say.
    pub message: String,
}

/// One row, or one text of a list in it.
struct Example<'a> {
    unit: &'a Unit,
    part: Part,
    row: usize,
    label: Value,
}

/// Finds texts, or pairs of texts, that several rows give different labels, or numbers that are far apart, within and across splits. Pairs
/// whose sides have scores are the same in either order.
pub fn contradictions<'a>(data: &SubsetData<'a>) -> Vec<Contradiction<'a>> {
    let gold = facts(data.card.task_type).gold;
    let (Gold::Labels(name) | Gold::Scores(name) | Gold::Values(name)) = gold else { return Vec::new() };
    let mut order: Vec<Vec<String>> = Vec::new();
    let mut by_text: HashMap<Vec<String>, Vec<Example>> = HashMap::new();
    for (index, unit) in data.units.iter().enumerate() {
        for part in [Part::Rows, Part::Train].into_iter().filter(|part| *part == Part::Rows || index == 0) {
            for (mut texts, example) in examples(data, unit, part, name) {
                if matches!(gold, Gold::Scores(_)) {
                    texts.sort_unstable();
                }
                let of_text = by_text.entry(texts.clone()).or_default();
                if of_text.is_empty() {
                    order.push(texts);
                }
                of_text.push(example);
            }
        }
    }
    let numbers = by_text.values().flatten().filter_map(|example| number(&example.label));
    let allowed = allowed_difference(data, gold, numbers);
    let is_other = |examples: &[Example]| match allowed {
        Some(allowed) => are_apart(examples, allowed),
        None => examples.windows(2).any(|pair| shown(&pair[0].label) != shown(&pair[1].label)),
    };
    let found = order.iter().filter_map(|texts| Some((texts, by_text.get(texts)?)));
    let found = found.filter(|(_, examples)| is_other(examples));
    found.filter_map(|(texts, examples)| contradiction(data, texts, examples)).collect()
}

/// The faults of a set that declares its quality; none of another one, which is told of what was `found` in a note. That a training text is
/// tested is told here, too.
pub fn check(data: &SubsetData, found: Vec<Contradiction>) -> Vec<DataFault> {
    if data.limits.is_none() {
        return Vec::new();
    }
    let fault = |found: Contradiction| {
        let advice = match found.is_leak {
            true => "remove or rewrite the training row, and correct the other one if it is wrong",
            false => "correct one of them, or remove the row",
        };
        data.fault(found.unit, "contradictions", found.rows, found.message, advice)
    };
    found.into_iter().map(fault).collect()
}

/// What is said of all contradictions of one split together, with the first; `None` if there are none.
pub fn note(found: &[Contradiction], unit: &Unit) -> Option<String> {
    let mut own = found.iter().filter(|found| found.unit.split == unit.split);
    let first = own.next()?;
    let number = 1 + own.count();
    let (texts, have) = (count(number, "text"), if number == 1 { "has" } else { "have" });
    let rows = first.rows.iter().map(RowPlace::words).collect();
    Some(format!(
        "{texts} {have} rows that contradict each other, the first in {}: {}",
        enumeration_of_first(rows, SHOWN),
        first.message
    ))
}

/// The texts of each example of a part, and the example; of rows whose texts and labels do not match one by one none.
fn examples<'a>(
    data: &SubsetData<'a>,
    unit: &'a Unit,
    part: Part,
    name: &str,
) -> Vec<(Vec<String>, Example<'a>)> {
    let Some(table) = unit.get(part) else { return Vec::new() };
    let Some(labels) = table.get(name) else { return Vec::new() };
    let is_own = |column: &&ColumnTexts| column.part == part && column.unit.split == unit.split;
    let columns: Vec<Vec<Vec<&TextAt>>> = data
        .columns
        .iter()
        .filter(is_own)
        .map(|column| {
            let mut by_row = vec![Vec::new(); table.rows()];
            column.texts.iter().for_each(|at| by_row[at.row].push(at));
            by_row
        })
        .collect();
    if columns.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for row in 0..table.rows() {
        let label = labels.value(row);
        let of_row: Vec<&Vec<&TextAt>> = columns.iter().map(|column| &column[row]).collect();
        let each: Vec<Value> = match label {
            Value::Array(cells) if of_row.iter().all(|texts| texts.len() == cells.len()) => cells,
            label if of_row.iter().all(|texts| texts.len() == 1) => vec![label],
            _ => continue,
        };
        for (number, label) in each.into_iter().enumerate() {
            let texts: Vec<String> = of_row.iter().map(|texts| as_compared(&texts[number].text)).collect();
            if !label.is_null() && texts.iter().all(|text| !text.is_empty()) {
                found.push((texts, Example { unit, part, row, label }));
            }
        }
    }
    found
}

/// What is seen of a text in lower case and with single spaces; punctuation and symbols may make another meaning and stay.
fn as_compared(text: &str) -> String {
    seen_text(text).to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How far apart the numbers of one text may be; scores have a scale, values have not. `None` of labels.
fn allowed_difference(data: &SubsetData, gold: Gold, all: impl Iterator<Item = f64>) -> Option<f64> {
    let declared = data.limits.as_ref().and_then(|limits| limits.max_difference);
    match gold {
        Gold::Scores(_) => {
            let limits = data.limits.as_ref();
            let [lowest, highest] = limits.map_or_else(|| scale(data.card), |limits| limits.score_scale);
            Some(declared.unwrap_or(SCALE_APART) * (highest - lowest))
        }
        Gold::Values(_) => {
            let mut values: Vec<f64> = all.collect();
            // In one order, so that a sum is the same in every run.
            values.sort_by(f64::total_cmp);
            Some(declared.unwrap_or(DEVIATIONS_APART) * standard_deviation(&values))
        }
        Gold::Pairs | Gold::Labels(_) | Gold::Judgements | Gold::Unknown => None,
    }
}

/// A number, also one that is written as a text.
fn number(label: &Value) -> Option<f64> {
    let number = label.as_f64().or_else(|| label.as_str()?.trim().parse().ok());
    number.filter(|number| number.is_finite())
}

fn are_apart(examples: &[Example], allowed: f64) -> bool {
    let numbers = || examples.iter().filter_map(|example| number(&example.label));
    let (least, most) =
        (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max));
    // As numbers are stored, 4.4 - 3.15 is a little more than 1.25.
    most - least > allowed * (1.0 + 1e-9)
}

/// A label as text; of several their set.
fn shown(label: &Value) -> String {
    match label {
        Value::Array(labels) => {
            let labels: BTreeSet<String> = labels.iter().map(written).collect();
            labels.into_iter().collect::<Vec<_>>().join(", ")
        }
        label => written(label),
    }
}

fn contradiction<'a>(
    data: &SubsetData<'a>,
    texts: &[String],
    examples: &[Example<'a>],
) -> Option<Contradiction<'a>> {
    let unit = examples.iter().find(|example| example.part == Part::Rows).or(examples.first())?.unit;
    let rows = examples.iter().map(|example| data.place(example.unit, example.part, example.row)).collect();
    let labels: BTreeSet<String> = examples.iter().map(|example| shown(&example.label)).collect();
    let mut labels: Vec<String> = labels.into_iter().collect();
    let value = |label: &String| label.parse::<f64>().ok();
    if labels.iter().all(|label| value(label).is_some()) {
        labels.sort_by(|one, other| value(one).unwrap_or(0.0).total_cmp(&value(other).unwrap_or(0.0)));
    }
    let labels = enumeration_of_first(labels, SHOWN);
    let shown: Vec<String> = texts.iter().map(|text| beginning(text)).collect();
    let has = |part| examples.iter().any(|example| example.part == part);
    let what = match facts(data.card.task_type).gold {
        Gold::Scores(_) => "scores",
        Gold::Values(_) => "values",
        _ => "labels",
    };
    Some(Contradiction {
        unit,
        rows,
        texts: texts.to_vec(),
        is_leak: has(Part::Train) && has(Part::Rows) && unit.split != data.card.dataset.training_split(),
        message: format!("the same text with the {what} {labels}: {}", shown.join(" and ")),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mteb_card::TaskCard;
    use mteb_data::read_json_lines;

    use super::*;

    fn found(task_type: &str, rows: &str, train: &str) -> Vec<(String, String)> {
        found_with(task_type, "", rows, train)
    }

    /// The same for a card that ends with `more`.
    fn found_with(task_type: &str, more: &str, rows: &str, train: &str) -> Vec<(String, String)> {
        let card = format!(
            "schema = 1\nname = \"T\"\ntype = \"{task_type}\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"d\"\n{more}"
        );
        let card = TaskCard::from_toml(&card).unwrap();
        let table = |lines: &str| read_json_lines("f.jsonl", lines.as_bytes()).unwrap();
        let mut parts = BTreeMap::from([(Part::Rows, table(rows))]);
        if !train.is_empty() {
            parts.insert(Part::Train, table(train));
        }
        let units = [Unit::of(&card, "test", "default", parts)];
        let data = SubsetData::new(&card, &units).unwrap();
        let place = |place: &RowPlace| format!("{} {}", place.part, place.row);
        let found = contradictions(&data).into_iter();
        found.map(|one| (one.rows.iter().map(place).collect::<Vec<_>>().join(", "), one.message)).collect()
    }

    #[test]
    fn the_same_text_with_other_labels_is_found_across_splits_and_forms() {
        let rows = "{\"text\": \"Café  enak\", \"label\": 0}\n{\"text\": \"lain\", \"label\": 1}\n{\"text\": \"sama\", \"label\": 1}\n";
        let train = "{\"text\": \"cafe\u{301} enak\", \"label\": 1}\n{\"text\": \"sama\", \"label\": 1}\n";
        assert_eq!(
            found("Classification", rows, train),
            [("test 1, train 1".to_owned(), "the same text with the labels 0 and 1: “café enak”".to_owned())]
        );
        let symbols = "{\"text\": \"ok 😀\", \"label\": 0}\n{\"text\": \"ok 😡\", \"label\": 1}\n";
        assert_eq!(found("Classification", symbols, ""), []);
        let drawn = "{\"text\": \"ok \u{263a}\", \"label\": 0}\n{\"text\": \"ok\u{200b} \u{263a}\u{fe0f}\", \"label\": 1}\n";
        assert_eq!(
            found("Classification", drawn, "").len(),
            1,
            "two ways to write what a reader sees as one text"
        );
    }

    #[test]
    fn sets_of_labels_are_the_same_in_any_order() {
        let rows = "{\"text\": \"a\", \"label\": [1, 2]}\n{\"text\": \"a\", \"label\": [2, 1]}\n{\"text\": \"b\", \"label\": [1, 2]}\n{\"text\": \"b\", \"label\": [1, 3]}\n";
        let found = found("MultilabelClassification", rows, "");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].1, "the same text with the labels 1, 2 and 1, 3: “b”");
    }

    #[test]
    fn pairs_with_opposite_labels_and_scores_far_apart_are_found() {
        let pairs = "{\"sentence1\": \"a\", \"sentence2\": \"b\", \"labels\": 1}\n{\"sentence1\": \"a\", \"sentence2\": \"b\", \"labels\": 0}\n{\"sentence1\": \"b\", \"sentence2\": \"a\", \"labels\": 0}\n";
        assert_eq!(
            found("PairClassification", pairs, ""),
            [("test 1, test 2".to_owned(), "the same text with the labels 0 and 1: “a” and “b”".to_owned())],
            "which text is the first may count"
        );
        let lists = "{\"sentence1\": [\"a\", \"c\", \"a\"], \"sentence2\": [\"b\", \"d\", \"b\"], \"labels\": [1, 1, 0]}\n";
        assert_eq!(found("PairClassification", lists, "").len(), 1);
        let scores = |other: f64| {
            format!(
                "{{\"sentence1\": \"a\", \"sentence2\": \"b\", \"score\": 1}}\n{{\"sentence1\": \"b\", \"sentence2\": \"a\", \"score\": {other}}}\n"
            )
        };
        // The scale is 0 to 5.
        assert_eq!(found("STS", &scores(2.2), ""), []);
        assert_eq!(found("STS", &scores(2.5), "").len(), 1);
    }

    #[test]
    fn a_quarter_is_one_of_the_scale_that_the_card_declares() {
        let rows = "{\"sentence1\": \"a\", \"sentence2\": \"b\", \"score\": 1}\n{\"sentence1\": \"a\", \"sentence2\": \"b\", \"score\": 3}\n";
        // A quarter of 0 to 5, the usual scale, is 1.25, one of 0 to 10 is 2.5.
        let declared = |scale: &str| found_with("STS", &format!("[quality]\n{scale}"), rows, "").len();
        assert_eq!([declared(""), declared("score_scale = [0.0, 10.0]\n")], [1, 0]);
    }

    #[test]
    fn values_of_one_text_that_are_a_standard_deviation_apart_are_found() {
        let rows = |other: f64| {
            let values = [("murah", 1.0), ("sedang", 5.0), ("mahal", 9.0), ("Sedang", other)];
            let line = |(text, value): (&str, f64)| format!("{{\"text\": \"{text}\", \"value\": {value}}}\n");
            values.map(line).concat()
        };
        // The standard deviation of 1, 5, 7 and 9 is 2.96, that of 1, 5, 9 and 9 is 3.32.
        assert_eq!(found("Regression", &rows(7.0), ""), []);
        assert_eq!(
            found("Regression", &rows(9.0), ""),
            [("test 2, test 4".to_owned(), "the same text with the values 5 and 9: “sedang”".to_owned())]
        );
    }

    #[test]
    fn a_difference_that_is_just_allowed_is_not_told_and_one_written_as_a_text_is() {
        let of = |[one, other]: [&str; 2]| {
            let row =
                |score: &str| format!("{{\"sentence1\": \"a\", \"sentence2\": \"b\", \"score\": {score}}}\n");
            found("STS", &format!("{}{}", row(one), row(other)), "").len()
        };
        assert_eq!([of(["3.15", "4.4"]), of(["\"1\"", "\"4\""])], [0, 1]);
    }
}
