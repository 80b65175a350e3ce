//! Bitext mining: is the nearest sentence of the other language the translation? (Protocol 6.1.)

use mteb_data::{DataError, Table, Texts};
use mteb_measures::bitext::{BitextScores, bitext_scores};
use serde_json::Value;

use super::nearest::nearest;
use super::sentence_pairs::list_of_texts;
use crate::{
    EvaluateError, Evaluated, Evaluator, Facts, Gold, ItemColumn, Items, Keep, Part, Plan, Protocol, Scores,
    Session, TaskState, TextColumn, Unit,
};

/// Rows of `sentence1` and its translation `sentence2`; or, if there is a column `gold`, one row
/// that holds both sides as lists and the pairs of (1-based) places that belong together, as in
/// BUCC.
#[derive(Clone, Copy, Debug)]
pub struct BitextMining;

/// Its facts.
const FACTS: Facts = Facts {
    about: "Finds the translation of a sentence.",
    hub_category: "translation",
    instruction: "Retrieve parallel sentences.",
    options: &[],
    gives: &|name: &str| ["f1", "accuracy", "precision", "recall"].contains(&name),
    bounds: &|_: &str| None,
    text_columns: &["sentence1", "sentence2"],
    optional_columns: &[],
    other_columns: &[],
    gold: Gold::Pairs,
    label_tolerance: 0.25,
    learns: false,
    sides_have_languages: true,
    has_topics: false,
    has_levels: false,
};

impl Evaluator for BitextMining {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn plan(
        &self,
        unit: Unit,
        _options: &Protocol,
        _state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        let table = unit.part(Part::Rows)?;
        let plan = if is_comparable_corpus(table) { comparable(table)? } else { parallel(table)? };
        if plan.expected.is_empty() {
            let message = "expected at least one pair of sentences, found none".to_owned();
            return Err(DataError::Malformed { place: table.place(0).0.to_owned(), message }.into());
        }
        Ok(Box::new(plan))
    }

    fn aggregate(&self, items: &Items, _options: &Protocol) -> Result<Scores, EvaluateError> {
        let places = |name| -> Result<Vec<usize>, EvaluateError> {
            Ok(items.ints(name)?.iter().map(|&place| usize::try_from(place).unwrap_or(0)).collect())
        };
        Ok(name_scores(&bitext_scores(&places("gold")?, &places("found")?)))
    }
}

struct BitextPlan {
    queries: TextColumn,
    corpus: TextColumn,
    /// For every query its place among the sentences of its side.
    sources: Vec<usize>,
    /// For every query the place of its translation in the corpus.
    expected: Vec<usize>,
}

impl Plan for BitextPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        vec![&self.queries, &self.corpus]
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        let queries = session.encode(&self.queries, 0..self.queries.texts.len())?;
        let corpus = session.encode(&self.corpus, 0..self.corpus.texts.len())?;
        session.phase("Scoring");
        let found = nearest(session.similarity(), queries, corpus)
            .map_err(|error| EvaluateError::Unscorable(error.to_string()))?;
        let scores = name_scores(&bitext_scores(&self.expected, &found));
        let items = keep.items.then(|| self.items(&found));
        Ok(Evaluated { scores, items, rankings: None })
    }
}

impl BitextPlan {
    /// A row a sentence that was sought for: its place, that of its translation, and that of the
    /// sentence that was found.
    fn items(&self, found: &[usize]) -> Items {
        let mut items = Items::default();
        for (name, places) in
            [("source", self.sources.as_slice()), ("gold", self.expected.as_slice()), ("found", found)]
        {
            items.push(name, ItemColumn::Int(places.iter().map(|&place| place as i64).collect()));
        }
        items
    }
}

fn name_scores(measured: &BitextScores) -> Scores {
    let mut scores = Scores::new();
    scores.insert("precision", measured.precision);
    scores.insert("recall", measured.recall);
    scores.insert("f1", measured.f1);
    scores.insert("accuracy", measured.accuracy);
    scores
}

fn plan(queries: Texts, corpus: Texts, sources: Vec<usize>, expected: Vec<usize>) -> BitextPlan {
    let column = |texts| TextColumn { texts, role: None, phase: "Encoding" };
    BitextPlan { queries: column(queries), corpus: column(corpus), sources, expected }
}

/// Row i of one side is the translation of row i of the other.
fn parallel(table: &Table) -> Result<BitextPlan, DataError> {
    let (left, right) = (table.texts("sentence1")?, table.texts("sentence2")?);
    let places: Vec<usize> = (0..table.rows()).collect();
    Ok(plan(left.into_owned(), right.into_owned(), places.clone(), places))
}

fn is_comparable_corpus(table: &Table) -> bool {
    table.rows() == 1 && table.get("gold").is_some_and(|gold| gold.value(0).is_array())
}

/// Only some sentences have a translation: the queries are those, the corpus is the whole other
/// side.
fn comparable(table: &Table) -> Result<BitextPlan, DataError> {
    let (left, right) = (list_of_texts(table, "sentence1")?, list_of_texts(table, "sentence2")?);
    let (mut queries, mut expected) = (Vec::new(), Vec::new());
    for pair in table.lists("gold")?.concat() {
        let Some((query, document)) = places(&pair, left.len(), right.len()) else {
            let wanted = format!(
                "pairs of places, from 1 to {} in `sentence1` and to {} in `sentence2`",
                left.len(),
                right.len()
            );
            return Err(table.fault("gold", 0, &wanted, &pair));
        };
        queries.push(query);
        expected.push(document);
    }
    Ok(plan(left.select(&queries), right, queries, expected))
}

/// The two places of `pair`, counted from 0, if they lie within the two sides.
fn places(pair: &Value, left: usize, right: usize) -> Option<(usize, usize)> {
    let [query, document] = pair.as_array()?.as_slice() else { return None };
    let place = |value: &Value, length| {
        let place = usize::try_from(value.as_u64()?.checked_sub(1)?).ok()?;
        (place < length).then_some(place)
    };
    Some((place(query, left)?, place(document, right)?))
}
