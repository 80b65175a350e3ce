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
use super::store::AllLabels;
use crate::commands::arguments::FormatArgs;
use crate::exit::Exit;
use crate::output;

/// How the sentence of agreement begins in the notes of a card.
const NOTE: &str = "Agreement of readers:";

/// Part of a scale by which the median of the readers may miss the data's score.
const FAR: f64 = 0.25;

/// Disagreements that are shown; JSON has them all.
const SHOWN: usize = 20;

/// A coefficient with its interval.
struct Coefficient {
    name: String,
    value: f64,
    interval: Option<[f64; 2]>,
}

impl Coefficient {
    fn of(name: String, ratings: &Ratings, of: &dyn Fn(&Ratings) -> Option<f64>) -> Option<Self> {
        let value = of(ratings).filter(|value| value.is_finite())?;
        Some(Self { name, value, interval: interval(ratings, of) })
    }

    fn json(&self) -> Value {
        json!({ "name": self.name, "value": self.value, "low": self.interval.map(|[low, _]| low), "high": self.interval.map(|[_, high]| high) })
    }

    fn shown(&self) -> String {
        match self.interval {
            Some([low, high]) => format!("{} {:.3} (95 %: {low:.3} to {high:.3})", self.name, self.value),
            None => format!("{} {:.3}", self.name, self.value),
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
    let coefficients = coefficients(items, labels);
    let corrections = corrections(items, labels);
    let disagreements: Vec<Value> = disagreements(items, labels);
    let readers = readers(items, labels);
    let failed = |message: String| {
        output::error(message);
        Exit::Failed
    };
    if let Some(path) = asked.corrections {
        let lines: String = corrections.iter().map(|line| format!("{line}\n")).collect();
        mteb_files::write(path, lines.as_bytes())
            .map_err(|error| failed(format!("{}: cannot be written: {error}", path.display())))?;
    }
    if asked.write {
        let both = labels.ratings.iter().filter(|item| item.iter().flatten().count() >= 2).count();
        let shown: Vec<String> = coefficients
            .iter()
            .filter(|one| !one.name.starts_with("Cohen") || labels.annotators.len() == 2)
            .map(Coefficient::shown)
            .collect();
        let note = format!(
            "{NOTE} {} on {both} rows, blind; {}.",
            output::count(labels.annotators.len(), "reader"),
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
        let differs = reader["differs"]
            .as_f64()
            .map_or("nothing".to_owned(), |share| format!("{:.1} %", 100.0 * share));
        let _ = writeln!(
            text,
            "  {}: {} labelled, {differs} of them differently from the data",
            reader["name"].as_str().unwrap_or_default(),
            reader["labelled"]
        );
    }
    coefficients.iter().for_each(|one| text.push_str(&format!("  {}\n", one.shown())));
    for row in &confusions {
        let _ = writeln!(text, "  data {}, annotator {}: {}", row["data"], row["reader"], row["count"]);
    }
    let _ = writeln!(
        text,
        "{} to settle, {} in which most annotators contradict the data",
        output::count(disagreements.len(), "row"),
        corrections.len()
    );
    for row in disagreements.iter().take(SHOWN) {
        let _ = writeln!(text, "  {}: {}", row["place"].as_str().unwrap_or_default(), row["labels"]);
    }
    Ok(output::print_prose(text.trim_end()))
}

fn coefficients(items: &Items, labels: &AllLabels) -> Vec<Coefficient> {
    let (level, ratings, count) = (items.level(), &labels.ratings, labels.annotators.len());
    let mut all = Vec::new();
    if level == Level::Nominal {
        for left in 0..count {
            for right in left + 1..count {
                let name =
                    format!("Cohen's kappa of {} and {}", labels.annotators[left], labels.annotators[right]);
                all.extend(Coefficient::of(name, ratings, &|ratings| cohen(ratings, [left, right])));
            }
        }
        all.extend(Coefficient::of("Fleiss' kappa".to_owned(), ratings, &fleiss));
    }
    all.extend(Coefficient::of("Krippendorff's alpha".to_owned(), ratings, &|ratings| {
        krippendorff(ratings, level)
    }));
    all
}

/// Each annotator: how many rows they labelled, and the share that differs from the data, with its interval.
fn readers(items: &Items, labels: &AllLabels) -> Vec<Value> {
    let gold: Vec<Option<f64>> = items.all.iter().map(|item| items.number(&item.gold)).collect();
    let of = |place: usize| {
        let with_gold: Ratings =
            labels.ratings.iter().zip(&gold).map(|(item, gold)| vec![item[place], *gold]).collect();
        let labelled = with_gold.iter().filter(|pair| pair[0].is_some()).count();
        let differs = |ratings: &Ratings| agreement_share(ratings, [0, 1]).map(|share| 1.0 - share);
        let bounds = interval(&with_gold, &differs);
        json!({
            "name": labels.annotators[place], "labelled": labelled, "differs": differs(&with_gold),
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
        |((data, reader), count)| json!({ "data": label(data), "reader": label(reader), "count": count }),
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
        let settled = settled(items, &given)?;
        let gold = items.number(&item.gold);
        let is_other = match items.choices {
            Choices::Labels(_) => gold != Some(settled),
            Choices::Scale([from, to]) => gold.is_none_or(|gold| (gold - settled).abs() > FAR * (to - from)),
        };
        is_other.then(|| {
            let mut row = row(items, labels, item, ratings);
            row["data"] = item.gold.as_str().into();
            row["readers"] = items.label(settled).into();
            row
        })
    });
    corrected.collect()
}

/// What the readers say together: the label of more than half of them, the median of scores.
fn settled(items: &Items, given: &[f64]) -> Option<f64> {
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

/// Puts the sentence into the notes of the card, in the place of an earlier one.
fn write_note(card: &TaskCard, origin: &Origin, note: &str) -> Result<(), String> {
    let Origin::File(path) = origin else {
        return Err(format!("expected a card in a file for `--write`, found one of {}", origin.label()));
    };
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("{}: cannot be read: {error}", path.display()))?;
    let before = card.notes.as_deref().unwrap_or_default();
    let kept = before.split(NOTE).next().unwrap_or_default().trim();
    let notes = format!("{kept} {note}").trim().to_owned();
    let written = with_notes(&text, &notes).ok_or_else(|| {
        format!("{}: expected `notes` on one line, found something else; add by hand: {note}", path.display())
    })?;
    mteb_files::write(path, written.as_bytes())
        .map_err(|error| format!("{}: cannot be written: {error}", path.display()))
}

/// The card with these notes, which stand on one line before the first table.
fn with_notes(text: &str, notes: &str) -> Option<String> {
    let line = format!("notes = {}", toml::Value::from(notes));
    let lines: Vec<&str> = text.lines().collect();
    let first_table = lines.iter().position(|line| line.trim_start().starts_with('[')).unwrap_or(lines.len());
    let old = lines[..first_table]
        .iter()
        .position(|line| line.trim_start().starts_with("notes") && line.contains('='));
    let mut written: Vec<&str> = lines.clone();
    match old {
        Some(place) => written[place] = &line,
        None => {
            let end = lines[..first_table]
                .iter()
                .rposition(|line| !line.trim().is_empty())
                .map_or(0, |last| last + 1);
            written.insert(end, &line);
        }
    }
    let written = written.join("\n") + "\n";
    let read = |text: &str| toml::from_str::<toml::Table>(text).ok();
    let without = |mut table: toml::Table| {
        table.remove("notes");
        table
    };
    let (before, after) = (read(text)?, read(&written)?);
    let is_right = after.get("notes").and_then(toml::Value::as_str) == Some(notes);
    (is_right && without(before) == without(after)).then_some(written)
}

#[cfg(test)]
mod tests {
    use super::with_notes;

    #[test]
    fn notes_stand_before_the_first_table_and_replace_earlier_ones() {
        let card = "schema = 1\nname = \"A\"\n\n[dataset]\npath = \"a\"\n";
        let once = with_notes(card, "One.").unwrap();
        assert_eq!(once, "schema = 1\nname = \"A\"\nnotes = \"One.\"\n\n[dataset]\npath = \"a\"\n");
        assert_eq!(with_notes(&once, "Two.").unwrap(), once.replace("One.", "Two."));
        assert_eq!(with_notes("notes = \"\"\"\na\n\"\"\"\n", "x"), None);
    }
}
