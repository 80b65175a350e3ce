//! Pair classification: do similarities tell alike pairs from unlike ones? (Protocol 6.6.)

use mteb_base::counted::count;
use mteb_data::{DataError, Table, Texts, all_cells};
use mteb_measures::pair::{PairScores, pair_scores};
use serde_json::Value;

use super::sentence_pairs::{SentencePairs, list_of_texts};
use crate::{
    EvaluateError, Evaluated, Evaluator, Facts, Gold, ItemColumn, Items, Keep, Part, Plan, Protocol, Scores,
    Session, TaskState, TextColumn, Unit,
};

/// Rows of `sentence1`, `sentence2` and `labels` (1 alike, 0 not), or one row that holds the three
/// as lists.
#[derive(Clone, Copy, Debug)]
pub struct PairClassification;

/// Its facts.
const FACTS: Facts = Facts {
    about: "Tells whether two texts belong together.",
    hub_category: "sentence-similarity",
    instruction: "Retrieve text that are semantically similar to the given text.",
    options: &["roles"],
    gives: &is_score,
    bounds: &|_: &str| None,
    text_columns: &["sentence1", "sentence2"],
    optional_columns: &[],
    other_columns: &[],
    gold: Gold::Labels("labels"),
    label_tolerance: 0.25,
    learns: false,
    sides_have_languages: false,
    has_topics: false,
    has_levels: false,
};

impl Evaluator for PairClassification {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn plan(
        &self,
        unit: Unit,
        options: &Protocol,
        _state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        let table = unit.part(Part::Rows)?;
        let rows = if is_one_row_of_lists(table)? { unfold(table)? } else { read(table)? };
        if rows.labels.is_empty() {
            let message = "expected at least one pair, found none".to_owned();
            return Err(DataError::Malformed { place: table.place(0).0.to_owned(), message }.into());
        }
        let notes: Vec<String> = one_label(&rows.labels, table).into_iter().collect();
        if unit.is_own && !notes.is_empty() {
            return Err(EvaluateError::Unscorable(notes.concat()));
        }
        let pairs = SentencePairs::new(rows.left, rows.right, options);
        Ok(Box::new(PairPlan { pairs, labels: rows.labels, notes }))
    }

    fn aggregate(&self, items: &Items, _options: &Protocol) -> Result<Scores, EvaluateError> {
        let labels: Vec<bool> = items.ints("gold")?.iter().map(|&label| label != 0).collect();
        let measured = MEASURES.iter().map(|name| Ok((*name, pair_scores(items.floats(name)?, &labels))));
        Ok(collect(&measured.collect::<Result<Vec<_>, EvaluateError>>()?))
    }
}

/// What pairs are compared by, higher for more alike; the columns of [`Items`] are called so too.
const MEASURES: [&str; 5] = ["similarity", "cosine", "manhattan", "euclidean", "dot"];

/// Scores by each similarity, and the best of all.
fn is_score(name: &str) -> bool {
    let kinds = ["max", "similarity", "cosine", "manhattan", "euclidean", "dot"];
    name.split_once('_').is_some_and(|(kind, score)| {
        kinds.contains(&kind) && ["accuracy", "f1", "precision", "recall", "ap"].contains(&score)
    })
}

struct PairPlan {
    pairs: SentencePairs,
    labels: Vec<bool>,
    notes: Vec<String>,
}

impl Plan for PairPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        self.pairs.columns()
    }

    fn check(&self) -> Result<Vec<String>, EvaluateError> {
        Ok(self.notes.clone())
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        self.notes.iter().for_each(|note| session.warn(note));
        let embedded = self.pairs.encode(session)?;
        session.phase("Scoring");
        let measured = [
            embedded.similarity(session),
            embedded.cosine(),
            embedded.manhattan(),
            embedded.euclidean(),
            embedded.dot(),
        ];
        if measured.iter().all(|scores| scores.iter().all(|score| *score == scores[0])) {
            session.warn("every pair has the same similarity, so no threshold could be tried");
        }
        let named: Vec<(&str, PairScores)> = MEASURES
            .into_iter()
            .zip(&measured)
            .map(|(name, scores)| (name, pair_scores(scores, &self.labels)))
            .collect();
        let items = keep.items.then(|| self.items(measured));
        Ok(Evaluated { scores: collect(&named), items, rankings: None })
    }
}

impl PairPlan {
    /// A row a pair: its place, its label, and all that it was compared by.
    fn items(&self, measured: [Vec<f64>; 5]) -> Items {
        let mut items = Items::default();
        items.push("row", ItemColumn::Int((0..self.labels.len() as i64).collect()));
        items.push("gold", ItemColumn::Int(self.labels.iter().map(|&label| i64::from(label)).collect()));
        for (name, scores) in MEASURES.into_iter().zip(measured) {
            items.push(name, ItemColumn::Float(scores));
        }
        items
    }
}

/// What there is to say of pairs that no similarity can tell apart.
fn one_label(labels: &[bool], table: &Table) -> Option<String> {
    let first = labels.first().filter(|first| labels.iter().all(|label| label == *first))?;
    let (file, found) = (table.place(0).0, u8::from(*first));
    Some(format!(
        "{file}, column `labels`: expected pairs with 0 and pairs with 1, found only {found}: every model scores the same"
    ))
}

/// Five scores for each similarity, then the maximum of each over the similarities.
fn collect(measured: &[(&str, PairScores)]) -> Scores {
    let mut scores = Scores::new();
    let mut best = [0.0f64; 5];
    for (name, measured) in measured {
        for ((suffix, score), best) in name_scores(measured).into_iter().zip(&mut best) {
            scores.insert(format!("{name}_{suffix}"), score);
            *best = best.max(score);
        }
    }
    for ((suffix, _), best) in name_scores(&PairScores::default()).into_iter().zip(best) {
        scores.insert(format!("max_{suffix}"), best);
    }
    scores
}

fn name_scores(scores: &PairScores) -> [(&'static str, f64); 5] {
    [
        ("accuracy", scores.accuracy),
        ("f1", scores.f1),
        ("precision", scores.precision),
        ("recall", scores.recall),
        ("ap", scores.average_precision),
    ]
}

struct Rows {
    left: Texts,
    right: Texts,
    labels: Vec<bool>,
}

fn is_one_row_of_lists(table: &Table) -> Result<bool, DataError> {
    Ok(table.rows() == 1 && table.column("sentence1")?.value(0).is_array())
}

fn read(table: &Table) -> Result<Rows, DataError> {
    let cells = table.column("labels")?;
    let labels = all_cells((0..table.rows()).map(|row| label(table, row, &cells.value(row))))?;
    let (left, right) = (table.texts("sentence1")?, table.texts("sentence2")?);
    Ok(Rows { left: left.into_owned(), right: right.into_owned(), labels: alike(&labels, table)? })
}

/// The layout of the first version: the whole split in one row, each cell a list.
fn unfold(table: &Table) -> Result<Rows, DataError> {
    let left = list_of_texts(table, "sentence1")?;
    let right = list_of_texts(table, "sentence2")?;
    let labels = table.lists("labels")?.concat();
    let labels: Vec<i8> = labels.iter().map(|value| label(table, 0, value)).collect::<Result<_, _>>()?;
    for (column, length) in [("sentence2", right.len()), ("labels", labels.len())] {
        if length != left.len() {
            let expected = format!("a list of {}, as many as in `sentence1`", count(left.len(), "cell"));
            return Err(table.fault(column, 0, &expected, &table.column(column)?.value(0)));
        }
    }
    Ok(Rows { left, right, labels: alike(&labels, table)? })
}

/// Which labels say that a pair is alike.
///
/// # Errors
/// If some pairs that are not alike have 0 and others -1.
fn alike(labels: &[i8], table: &Table) -> Result<Vec<bool>, DataError> {
    let unlike = labels.iter().position(|label| *label < 1);
    let other = unlike.and_then(|first| labels.iter().position(|&label| label < 1 && label != labels[first]));
    match other {
        Some(row) => {
            let row_of_file = row.min(table.rows() - 1);
            Err(table.fault(
                "labels",
                row_of_file,
                "0 or -1 for all dissimilar pairs",
                &Value::from(labels[row]),
            ))
        }
        None => Ok(labels.iter().map(|label| *label == 1).collect()),
    }
}

/// A label: 1, or for pairs that are not alike 0 or -1; a number, a boolean or a text of a number.
fn label(table: &Table, row: usize, value: &Value) -> Result<i8, DataError> {
    let written = || value.as_str()?.trim().parse::<f64>().ok();
    match value.as_bool().map(|label| f64::from(u8::from(label))).or_else(|| value.as_f64()).or_else(written)
    {
        Some(1.0) => Ok(1),
        Some(0.0) => Ok(0),
        Some(-1.0) => Ok(-1),
        _ => Err(table.fault("labels", row, "0 (dissimilar) or 1 (similar)", value)),
    }
}
