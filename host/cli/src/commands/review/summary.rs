//! How far annotators agree, with each other and with the data, and what is to be settled.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use mteb_card::TaskCard;
use mteb_inspect::agreement::{
    Level, Ratings, agreement_share, cohen, confusion, fleiss, interval, krippendorff,
};
use mteb_registry::Origin;
use mteb_report::grid::Grid;
use mteb_report::output::rows_grid;
use serde_json::{Value, json};

use super::items::{Choices, Item, Items};
use super::note::{NOTE, write_note};
use super::store::AllLabels;
use crate::commands::arguments::FormatArgs;
use crate::exit::Exit;
use crate::output::{self, failed};

/// Letters of a text that are shown of a row.
const LETTERS: usize = 60;

/// Part of a scale by which the median of the readers may miss the data's score.
const FAR: f64 = 0.25;

/// Disagreements that are shown; JSON has them all.
const SHOWN: usize = 20;

/// A coefficient with its interval; it has no value where all labels are equal.
struct Coefficient {
    name: String,
    value: Option<f64>,
    interval: Option<[f64; 2]>,
    /// Rows that it is computed from.
    rows: usize,
}

impl Coefficient {
    fn compute(
        name: String,
        (ratings, rows): (&Ratings, usize),
        of: &dyn Fn(&Ratings) -> Option<f64>,
    ) -> Self {
        let value = of(ratings).filter(|value| value.is_finite());
        Self { name, value, interval: value.and_then(|_| interval(ratings, of)), rows }
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name, "value": self.value, "low": self.interval.map(|[low, _]| low),
            "high": self.interval.map(|[_, high]| high), "rows": self.rows,
        })
    }

    fn to_text(&self) -> String {
        let (name, rows) = (&self.name, output::count(self.rows, "row"));
        match (self.value, self.interval) {
            (Some(value), Some([low, high])) => {
                format!("{name} {value:.3} (95 %: {low:.3} to {high:.3}; {rows})")
            }
            (Some(value), None) => format!("{name} {value:.3} ({rows})"),
            (None, _) if self.rows == 0 => format!("{name}: undefined, because they share no labelled row"),
            (None, _) => format!("{name}: undefined, because all labels are equal ({rows})"),
        }
    }
}

/// What is asked for beside the answer, and its form.
pub struct Asked<'a> {
    /// File for the rows on which most annotators contradict the data.
    pub corrections: Option<&'a Path>,
    /// True if the agreement goes into the card.
    pub write: bool,
    /// Form of the answer.
    pub format: FormatArgs,
}

/// Says how far the annotators agree; writes what was asked for.
pub fn say(
    asked: &Asked,
    items: &Items,
    labels: &AllLabels,
    card: &TaskCard,
    origin: &Origin,
) -> Result<Exit, Exit> {
    let both = labels.ratings.iter().filter(|item| item.iter().flatten().count() >= 2).count();
    if asked.write && both == 0 {
        return Err(output::usage(format!(
            "{}: expected rows that two annotators labelled for `--write`, found none: {}; have a second annotator \
             label them with `--annotator NAME`",
            items.name,
            labels.annotators.join(", ")
        )));
    }
    let coefficients = coefficients(items, labels);
    let corrections = corrections(items, labels);
    let disagreements: Vec<Value> = disagreements(items, labels);
    let readers = readers(items, labels);
    if let Some(path) = asked.corrections {
        let lines: String = corrections.iter().map(|line| format!("{line}\n")).collect();
        mteb_files::write(path, lines.as_bytes())
            .map_err(|error| failed(format!("{}: cannot be written: {error}", path.display())))?;
    }
    if asked.write {
        let shown: Vec<String> = coefficients
            .iter()
            .filter(|one| !one.name.starts_with("Cohen") || labels.annotators.len() == 2)
            .map(Coefficient::to_text)
            .collect();
        let note = format!(
            "{NOTE} {} on {both} rows, blind; {}.",
            output::count(labels.annotators.len(), "annotator"),
            shown.join(", ")
        );
        write_note(card, origin, &note).map_err(failed)?;
    }
    let confusions = confusions(items, labels);
    let answer = || {
        json!({
            "task": items.name, "rows": items.all.len(), "annotators": readers,
            "coefficients": coefficients.iter().map(Coefficient::json).collect::<Vec<_>>(),
            "confusion": confusions, "disagreements": disagreements, "corrections": corrections,
        })
    };
    let grid =
        |answer: &Value| -> Grid { rows_grid(&["name", "value", "low", "high"], &answer["coefficients"]) };
    if let Some(exit) = asked.format.print(answer, grid) {
        return Ok(exit);
    }
    let mut text = format!("{}: {} drawn\n", items.name, output::count(items.all.len(), "row"));
    for reader in &readers {
        let labelled =
            format!("{}: {} labelled", reader["name"].as_str().unwrap_or_default(), reader["labelled"]);
        let _ = match (reader["mean_difference"].as_f64(), reader["differs"].as_f64()) {
            (Some(mean), _) => writeln!(text, "  {labelled}, on average {mean:.2} away from the data"),
            (None, Some(share)) => {
                writeln!(text, "  {labelled}, {:.1} % of them differently from the data", 100.0 * share)
            }
            (None, None) => writeln!(text, "  {labelled}"),
        };
    }
    coefficients.iter().for_each(|one| text.push_str(&format!("  {}\n", one.to_text())));
    for row in &confusions {
        let _ = writeln!(text, "  data {}, annotator {}: {}", row["data"], row["annotator"], row["count"]);
    }
    let rows = [
        (&disagreements, "on which annotators disagree"),
        (&corrections, "on which most annotators contradict the data"),
    ];
    for (rows, what) in rows {
        let _ = writeln!(
            text,
            "{} {what}{}",
            output::count(rows.len(), "row"),
            if rows.is_empty() { "" } else { ":" }
        );
        rows.iter().take(SHOWN).for_each(|row| text.push_str(&format!("  {}\n", write_row(row))));
        if rows.len() > SHOWN {
            let _ = writeln!(text, "  and {} more; `--json` has all", rows.len() - SHOWN);
        }
    }
    Ok(output::print_prose(text.trim_end()))
}

/// A row as people find it: its place, the labels that it was given, and how its first text begins.
fn write_row(row: &Value) -> String {
    let first = row["texts"][0][1].as_str().unwrap_or_default().replace('\n', " ");
    let begin: String = first.chars().take(LETTERS).collect();
    let more = if first.chars().count() > LETTERS { "…" } else { "" };
    let data = row["data"].as_str().map_or(String::new(), |data| format!(", data {data}"));
    format!("{}: {}{data} “{begin}{more}”", row["place"].as_str().unwrap_or_default(), row["labels"])
}

fn coefficients(items: &Items, labels: &AllLabels) -> Vec<Coefficient> {
    let (level, ratings, count) = (items.level(), &labels.ratings, labels.annotators.len());
    if count < 2 {
        return Vec::new();
    }
    let rows = |is_used: &dyn Fn(&[Option<f64>]) -> bool| ratings.iter().filter(|item| is_used(item)).count();
    let mut all = Vec::new();
    if level == Level::Nominal {
        for left in 0..count {
            for right in left + 1..count {
                let name =
                    format!("Cohen's kappa of {} and {}", labels.annotators[left], labels.annotators[right]);
                let both = rows(&|item| item[left].is_some() && item[right].is_some());
                all.push(Coefficient::compute(name, (ratings, both), &|ratings| {
                    cohen(ratings, [left, right])
                }));
            }
        }
        let whole = rows(&|item| item.iter().all(Option::is_some));
        all.push(Coefficient::compute("Fleiss' kappa".to_owned(), (ratings, whole), &fleiss));
    }
    let several = rows(&|item| item.iter().flatten().count() >= 2);
    all.push(Coefficient::compute("Krippendorff's alpha".to_owned(), (ratings, several), &|ratings| {
        krippendorff(ratings, level)
    }));
    all
}

/// Each annotator: how many rows they labelled, and the share that differs from the data, with
/// its interval; of scores also the mean difference.
fn readers(items: &Items, labels: &AllLabels) -> Vec<Value> {
    let gold: Vec<Option<f64>> = items.all.iter().map(|item| items.number(&item.gold)).collect();
    let of = |place: usize| {
        let with_gold: Ratings =
            labels.ratings.iter().zip(&gold).map(|(item, gold)| vec![item[place], *gold]).collect();
        let labelled = with_gold.iter().filter(|pair| pair[0].is_some()).count();
        let differs = |ratings: &Ratings| agreement_share(ratings, [0, 1]).map(|share| 1.0 - share);
        let bounds = interval(&with_gold, &differs);
        let apart: Vec<f64> = with_gold.iter().filter_map(|pair| Some((pair[0]? - pair[1]?).abs())).collect();
        let mean = (items.level() == Level::Interval && !apart.is_empty())
            .then(|| apart.iter().sum::<f64>() / apart.len() as f64);
        json!({
            "name": labels.annotators[place], "labelled": labelled, "differs": differs(&with_gold),
            "mean_difference": mean,
            "low": bounds.map(|[low, _]| low), "high": bounds.map(|[_, high]| high),
        })
    };
    (0..labels.annotators.len()).map(of).collect()
}

/// How often readers gave a label where the data has another, all readers together.
fn confusions(items: &Items, labels: &AllLabels) -> Vec<Value> {
    if items.level() != Level::Nominal {
        return Vec::new();
    }
    let mut counts: BTreeMap<(u64, u64), usize> = BTreeMap::new();
    for place in 0..labels.annotators.len() {
        let pairs: Ratings = labels
            .ratings
            .iter()
            .zip(&items.all)
            .map(|(item, row)| vec![items.number(&row.gold), item[place]])
            .collect();
        confusion(&pairs, [0, 1])
            .into_iter()
            .for_each(|(pair, count)| *counts.entry(pair).or_default() += count);
    }
    let label = |bits: u64| items.label(f64::from_bits(bits));
    let rows = counts.into_iter().map(
        |((data, reader), count)| json!({ "data": label(data), "annotator": label(reader), "count": count }),
    );
    rows.collect()
}

/// Rows on which readers differ.
fn disagreements(items: &Items, labels: &AllLabels) -> Vec<Value> {
    let differ = |item: &&(&Item, &Vec<Option<f64>>)| {
        let given: Vec<f64> = item.1.iter().flatten().copied().collect();
        let [low, high] = bounds(&given);
        match items.choices {
            Choices::Labels(_) => low < high,
            Choices::Scale([from, to]) => high - low > FAR * (to - from),
        }
    };
    let all: Vec<(&Item, &Vec<Option<f64>>)> = items.all.iter().zip(&labels.ratings).collect();
    all.iter().filter(differ).map(|(item, ratings)| row(items, labels, item, ratings)).collect()
}

/// Rows on which more than half of at least two readers give one label that the data does not have.
fn corrections(items: &Items, labels: &AllLabels) -> Vec<Value> {
    let rows = items.all.iter().zip(&labels.ratings);
    let corrected = rows.filter_map(|(item, ratings)| {
        let given: Vec<f64> = ratings.iter().flatten().copied().collect();
        let settled = settle(items, &given)?;
        let gold = items.number(&item.gold);
        let is_other = match items.choices {
            Choices::Labels(_) => gold != Some(settled),
            Choices::Scale([from, to]) => gold.is_none_or(|gold| (gold - settled).abs() > FAR * (to - from)),
        };
        is_other.then(|| {
            let mut row = row(items, labels, item, ratings);
            row["data"] = item.gold.as_str().into();
            row["annotators"] = items.label(settled).into();
            row
        })
    });
    corrected.collect()
}

/// What the readers say together: the label of more than half of them, the median of scores.
fn settle(items: &Items, given: &[f64]) -> Option<f64> {
    if given.len() < 2 {
        return None;
    }
    let mut sorted = given.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted[sorted.len() / 2];
    let votes = given.iter().filter(|label| **label == middle).count();
    (matches!(items.choices, Choices::Scale(_)) || 2 * votes > given.len()).then_some(middle)
}

fn row(items: &Items, labels: &AllLabels, item: &Item, ratings: &[Option<f64>]) -> Value {
    let given: serde_json::Map<String, Value> = labels
        .annotators
        .iter()
        .zip(ratings)
        .filter_map(|(name, rating)| Some((name.clone(), items.label((*rating)?).into())))
        .collect();
    json!({ "place": item.location, "texts": item.texts, "labels": given })
}

fn bounds(numbers: &[f64]) -> [f64; 2] {
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    [low, numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)]
}
