//! Multilabel classification: do the nearest embedded examples share a text's labels? (Protocol
//! 6.3.)

use std::collections::{BTreeSet, HashMap};
use std::mem::discriminant;

use mteb_card::defaults;
use mteb_data::{DataError, Table, all_cells};
use mteb_measures::classify::multilabel::{
    MultilabelScores, multilabel_scores, nearest_rows, sample_labels, vote,
};
use mteb_measures::numeric::mean;
use mteb_measures::stratify::iterative_subsample;
use rayon::prelude::*;
use serde_json::Value;

use crate::task_types::few_shot::{FewShot, some_quoted};
use crate::{
    EvaluateError, Evaluated, Evaluator, Facts, Gold, ItemColumn, Items, Keep, Part, Plan, Protocol, Score,
    Scores, Session, TaskState, TextColumn, Unit,
};

/// Rows of `text` and a list `label`, to learn from and to predict; labels are texts or whole
/// numbers.
///
/// Every experiment draws a few training rows of each label, and the five of them that are nearest
/// to an evaluation row vote on each of its labels. The experiments run at once, so they share one
/// phase.
#[derive(Clone, Copy, Debug)]
pub struct MultilabelClassification;

/// Its facts.
const FACTS: Facts = Facts {
    about: "Tells the labels of a text.",
    hub_category: "text-classification",
    instruction: "Classify user passages.",
    options: &["samples_per_label", "experiments", "max_eval_samples"],
    gives: &|name: &str| ["accuracy", "f1", "lrap", "hamming"].contains(&name),
    bounds: &|_: &str| None,
    text_columns: &["text"],
    optional_columns: &[],
    other_columns: &[],
    gold: Gold::Labels("label"),
    label_tolerance: 0.25,
    learns: true,
    sides_have_languages: false,
    has_topics: false,
    has_levels: false,
};

impl Evaluator for MultilabelClassification {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn draws(&self) -> bool {
        true
    }

    fn plan(
        &self,
        unit: Unit,
        options: &Protocol,
        state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        Ok(Box::new(MultilabelPlan::new(&unit, &Settings::new(options, unit.extra)?, state)?))
    }

    fn aggregate(&self, items: &Items, _options: &Protocol) -> Result<Scores, EvaluateError> {
        aggregate(items)
    }
}

/// Training rows that vote on a text's labels.
const NEIGHBOURS: usize = 5;

/// Seed of the subsample of evaluation rows.
const SEED: u32 = 42;

/// One unit with its drawn examples.
struct MultilabelPlan {
    /// The rows that any experiment draws, ascending.
    train: TextColumn,
    test: TextColumn,
    /// Labels of the rows of `train` and of `test`, as places among the labels that occur in
    /// `test`.
    train_labels: Vec<Vec<u32>>,
    truth: Vec<Vec<u32>>,
    /// The labels that occur in `test`.
    names: Vec<String>,
    /// The places of the rows of `test` in their split.
    rows: Vec<usize>,
    /// For every experiment, rows of `train` in drawn order.
    samples: Vec<Vec<usize>>,
    extra: bool,
    notes: Vec<String>,
}

impl MultilabelPlan {
    /// Draws the examples of every experiment, and the rows to predict if there are too many.
    pub fn new(unit: &Unit, settings: &Settings, state: &mut TaskState) -> Result<Self, EvaluateError> {
        let (train, test) = (unit.part(Part::Train)?, unit.part(Part::Rows)?);
        let ([train_labels, test_labels], names) = label_lists([train, test])?;
        let samples: Vec<Vec<usize>> = (0..settings.few_shot.experiments)
            .map(|_| sample_labels(&train_labels, settings.few_shot.samples_per_label, &mut state.numpy))
            .collect();
        let test_labels: Vec<Vec<u32>> = test_labels.into_iter().map(distinct).collect();
        let rows = iterative_subsample(&test_labels, settings.max_rows, SEED);
        let known = distinct(rows.iter().flat_map(|&row| &test_labels[row]).copied().collect());
        let places = |labels: &Vec<u32>| -> Vec<u32> {
            let place = |label| known.binary_search(label).ok().map(|place| place as u32);
            distinct(labels.iter().filter_map(place).collect())
        };
        if known.len() < 2 {
            let message = format!(
                "column `label`: expected rows of at least 2 labels to predict, found: {}",
                known.len()
            );
            return Err(DataError::Malformed { place: test.place(0).0.to_owned(), message }.into());
        }
        let notes = unknown_labels(&known, &train_labels, &names, test).into_iter().collect();
        let union = distinct(samples.concat());
        let column = |texts, phase| TextColumn { texts, role: None, phase };
        Ok(Self {
            train: column(train.texts("text")?.select(&union), "Encoding training samples"),
            test: column(test.texts("text")?.select(&rows), "Encoding test samples"),
            train_labels: union.iter().map(|&row| places(&train_labels[row])).collect(),
            truth: rows.iter().map(|&row| places(&test_labels[row])).collect(),
            names: known.iter().map(|&label| names[label as usize].clone()).collect(),
            extra: settings.extra,
            rows,
            notes,
            samples: samples
                .iter()
                .map(|sample| sample.iter().map(|row| union.partition_point(|other| other < row)).collect())
                .collect(),
        })
    }
}

impl Plan for MultilabelPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        vec![&self.train, &self.test]
    }

    fn check(&self) -> Result<Vec<String>, EvaluateError> {
        Ok(self.notes.clone())
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        self.notes.iter().for_each(|note| session.warn(note));
        let train = session.encode(&self.train, 0..self.train.texts.len())?;
        let test = session.encode(&self.test, 0..self.test.texts.len())?;
        session.phase("Scoring");
        let nearest = nearest_rows(&train.values, &test.values, train.dimension, &self.samples, NEIGHBOURS)
            .map_err(|error| EvaluateError::Unscorable(error.to_string()))?;
        let predictions: Vec<Vec<Vec<u32>>> = nearest
            .par_iter()
            .map(|nearest| {
                let neighbours = nearest.chunks_exact(NEIGHBOURS);
                neighbours.map(|neighbours| vote(&self.train_labels, neighbours)).collect()
            })
            .collect();
        let scores: Vec<_> = predictions
            .par_iter()
            .map(|predicted| multilabel_scores(&self.truth, predicted, self.names.len()))
            .collect();
        let items = keep.items.then(|| items(&self.rows, &self.names, &self.truth, &predictions));
        Ok(Evaluated { scores: collect(&scores, self.extra), items, rankings: None })
    }
}

/// What there is to say of labels to predict that no training row has.
fn unknown_labels(known: &[u32], train: &[Vec<u32>], names: &[String], table: &Table) -> Option<String> {
    let learned = distinct(train.concat());
    let mut unknown = known.iter().filter(|label| learned.binary_search(label).is_err()).peekable();
    unknown.peek()?;
    let names = some_quoted(unknown.map(|&label| &names[label as usize]));
    let file = table.place(0).0;
    Some(format!(
        "{file}, column `label`: labels that no training row has, so that no model can predict them: {names}"
    ))
}

/// `numbers` in ascending order, each once.
fn distinct<T: Ord>(mut numbers: Vec<T>) -> Vec<T> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// How many rows are drawn and predicted, and what is measured.
struct Settings {
    /// Rows to learn from.
    pub few_shot: FewShot,
    /// Most rows that are predicted.
    pub max_rows: usize,
    /// Measures beside those of the reference.
    pub extra: bool,
}

impl Settings {
    /// Those of a card.
    ///
    /// # Errors
    /// If a number is 0.
    pub fn new(options: &Protocol, extra: bool) -> Result<Self, EvaluateError> {
        let max_rows = match options.max_eval_samples.unwrap_or(defaults::MAX_EVAL_SAMPLES) {
            0 => usize::MAX,
            most => most,
        };
        Ok(Self { few_shot: FewShot::new(options)?, max_rows, extra })
    }
}

/// A row a text: its place among the rows of the split, its labels, and those that each experiment predicted; labels are numbered
/// as `names` are.
fn items(rows: &[usize], names: &[String], truth: &[Vec<u32>], predictions: &[Vec<Vec<u32>>]) -> Items {
    let lists = |lists: &[Vec<u32>]| {
        let list = |list: &Vec<u32>| list.iter().map(|&label| names[label as usize].clone()).collect();
        ItemColumn::Lists(lists.iter().map(list).collect())
    };
    let mut items = Items::default();
    items.push("row", ItemColumn::Int(rows.iter().map(|&row| row as i64).collect()));
    items.push("gold", lists(truth));
    for (number, predicted) in predictions.iter().enumerate() {
        items.push(format!("prediction_{number}"), lists(predicted));
    }
    items
}

/// The scores of all experiments.
///
/// # Errors
/// If a column is absent.
fn aggregate(items: &Items) -> Result<Scores, EvaluateError> {
    let gold = items.lists("gold")?;
    let distinct: BTreeSet<&str> = gold.iter().flatten().map(String::as_str).collect();
    let numbers: HashMap<&str, u32> = distinct.into_iter().zip(0..).collect();
    let numbered = |lists: &[Vec<String>]| -> Vec<Vec<u32>> {
        let number = |label: &String| numbers.get(label.as_str()).copied();
        let list = |list: &Vec<String>| {
            let mut list: Vec<u32> = list.iter().filter_map(number).collect();
            list.sort_unstable();
            list
        };
        lists.iter().map(list).collect()
    };
    let truth = numbered(gold);
    let experiments = (0..items.numbered("prediction_").count()).map(|number| {
        let predicted = numbered(items.lists(&format!("prediction_{number}"))?);
        Ok(multilabel_scores(&truth, &predicted, numbers.len()))
    });
    Ok(collect(&experiments.collect::<Result<Vec<MultilabelScores>, EvaluateError>>()?, true))
}

/// The experiments one by one, then the mean of each score.
fn collect(experiments: &[MultilabelScores], extra: bool) -> Scores {
    let named: Vec<_> = experiments.iter().map(|scores| name_scores(scores, extra)).collect();
    let each = named.iter().map(|scores| {
        Score::Map(Scores(scores.iter().map(|&(name, score)| (name.to_owned(), score.into())).collect()))
    });
    let mut scores = Scores::new();
    scores.insert("scores_per_experiment", each.collect::<Vec<Score>>());
    for (place, &(name, _)) in named.first().into_iter().flatten().enumerate() {
        let mean = mean(&named.iter().map(|scores| scores[place].1).collect::<Vec<f64>>());
        scores.insert(name, Score::Numpy(mean));
    }
    scores
}

/// Keys and values in the reference's order; behind them those that it has not, if they are wanted.
fn name_scores(scores: &MultilabelScores, extra: bool) -> Vec<(&'static str, f64)> {
    let mut named = vec![
        ("accuracy", scores.accuracy),
        ("lrap", scores.ranking_precision),
        ("f1", scores.f1),
        ("hamming", scores.hamming),
    ];
    named.extend(extra.then_some(("f1_micro", scores.f1_micro)));
    named
}

/// Column that holds the label lists.
const COLUMN: &str = "label";

/// A label as the data has it; numbers sort by value, texts by code points.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Number(i64),
    Text(String),
}

/// The labels of the rows of two tables.
type Lists = [Vec<Vec<u32>>; 2];

/// For each of `tables`, the labels of every row in their order there; over all tables, the labels are numbered from
/// 0 in ascending order. And the label of each number, for messages.
///
/// # Errors
/// If a cell is no list, or if the labels are not all texts or all whole numbers.
fn label_lists(tables: [&Table; 2]) -> Result<(Lists, Vec<String>), DataError> {
    let mut first = None;
    let [train, test] = tables;
    let (train, test) = (labels(train, &mut first)?, labels(test, &mut first)?);
    let mut distinct: Vec<&Label> = train.iter().chain(&test).flatten().collect();
    distinct.sort_unstable();
    distinct.dedup();
    let number = |label: &Label| distinct.partition_point(|other| *other < label) as u32;
    let numbers = |rows: &[Vec<Label>]| rows.iter().map(|row| row.iter().map(number).collect()).collect();
    let name = |label: &&Label| match label {
        Label::Number(number) => number.to_string(),
        Label::Text(text) => text.clone(),
    };
    Ok(([numbers(&train), numbers(&test)], distinct.iter().map(name).collect()))
}

/// The label lists of `table`; `first` is the first label of all tables, whose kind the others must have.
fn labels(table: &Table, first: &mut Option<Label>) -> Result<Vec<Vec<Label>>, DataError> {
    let lists = table.lists(COLUMN)?.into_iter().enumerate();
    let rows = lists.map(|(row, list)| {
        let cells: Option<Vec<Label>> = list.iter().map(label).collect();
        if first.is_none() {
            *first = cells.as_ref().and_then(|cells| cells.first()).cloned();
        }
        let expected = match first {
            None => "a list of texts or of whole numbers",
            Some(Label::Text(_)) => "a list of texts",
            Some(Label::Number(_)) => "a list of whole numbers",
        };
        let alike =
            |cell: &Label| first.as_ref().is_none_or(|first| discriminant(first) == discriminant(cell));
        cells
            .filter(|cells| cells.iter().all(alike))
            .ok_or_else(|| table.fault(COLUMN, row, expected, &Value::Array(list)))
    });
    all_cells(rows)
}

fn label(cell: &Value) -> Option<Label> {
    match cell {
        Value::String(label) => Some(Label::Text(label.clone())),
        Value::Number(label) => {
            let whole = |float: &f64| float.fract() == 0.0 && float.abs() < 9e15;
            let number = label.as_i64().or_else(|| label.as_f64().filter(whole).map(|float| float as i64));
            number.map(Label::Number)
        }
        _ => None,
    }
}
