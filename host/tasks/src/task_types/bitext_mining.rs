//! Bitext mining: is the nearest sentence of the other language the translation? (Protocol 6.1.)

use mteb_data::{DataError, Table, Texts};
use mteb_measures::bitext::{BitextScores, bitext_scores};
use mteb_measures::numeric::largest;
use mteb_search::{Scored, Search, SearchError, Similarity};
use serde_json::Value;

use super::sentence_pairs::list_of_texts;
use crate::{
    EvaluateError, Evaluated, Evaluator, Facts, Gold, ItemColumn, Items, Keep, Matrix, Part, Plan, Protocol,
    Scores, Session, TaskState, TextColumn, Unit,
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

/// Rows of which the reference finds the first of equal ones.
const FEW: usize = 64;

/// For every row of `queries` the index of the most similar row of `corpus`, of several equal ones that which the reference finds: the first, but
/// not among few.
///
/// # Errors
/// If the dimensions differ or a similarity is not a number.
pub(super) fn nearest(
    kind: Similarity,
    queries: Matrix,
    mut corpus: Matrix,
) -> Result<Vec<usize>, SearchError> {
    let depth = if corpus.rows() < FEW { corpus.rows().max(1) } else { 1 };
    // A search gives ties to the larger id, so ids that fall let the first row win.
    let ids: Vec<String> = (0..corpus.rows()).rev().map(|rank| format!("{rank:010}")).collect();
    let floors = vec![f32::NEG_INFINITY; queries.rows()];
    let search = Search::new(kind, queries.values, queries.dimension, depth);
    let best = search.best(&mut corpus.values, corpus.dimension, 0, &ids, &floors)?;
    Ok(best.iter().filter_map(|found| if depth > 1 { among_few(found) } else { first(found) }).collect())
}

fn first(found: &[Scored]) -> Option<usize> {
    found.first().map(|&(document, _)| document as usize)
}

/// The place of the best of all rows.
fn among_few(found: &[Scored]) -> Option<usize> {
    let mut scores = vec![f32::NEG_INFINITY; found.len()];
    found.iter().for_each(|&(document, score)| scores[document as usize] = score);
    largest(&scores)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Similarity; 4] =
        [Similarity::Cosine, Similarity::Dot, Similarity::Euclidean, Similarity::Manhattan];

    /// `count` unit vectors, one a degree apart.
    fn circle(count: usize) -> Matrix {
        let point =
            |degrees: usize| [(degrees as f32).to_radians().cos(), (degrees as f32).to_radians().sin()];
        Matrix::new((0..count).flat_map(point).collect(), 2)
    }

    fn found(kind: Similarity, queries: Matrix, corpus: Matrix) -> Vec<usize> {
        nearest(kind, queries, corpus).expect("nothing overflows")
    }

    #[test]
    fn every_point_is_nearest_to_itself() {
        for kind in KINDS {
            assert_eq!(found(kind, circle(180), circle(180)), (0..180).collect::<Vec<_>>(), "{kind:?}");
        }
    }

    #[test]
    fn the_first_of_equal_rows_wins() {
        let corpus = Matrix::new(circle(90).values.repeat(200), 2);
        for kind in KINDS {
            assert_eq!(found(kind, circle(90), corpus.clone()), (0..90).collect::<Vec<_>>(), "{kind:?}");
        }
    }

    #[test]
    fn length_matters_to_the_inner_product_alone() {
        let query = Matrix::new(vec![1.0, 0.0], 2);
        let corpus = Matrix::new(vec![2.0, 0.1, 9.0, 9.0], 2);
        assert_eq!(found(Similarity::Cosine, query.clone(), corpus.clone()), [0]);
        assert_eq!(found(Similarity::Dot, query, corpus), [1]);
    }

    #[test]
    fn a_zero_row_takes_the_first_when_nothing_is_nearer() {
        let query = Matrix::new(vec![0.0, 0.0], 2);
        assert_eq!(found(Similarity::Cosine, query, circle(3)), [0]);
    }

    /// As `torch.topk` of 10, 40 and 64 equal numbers.
    #[test]
    fn of_few_equal_rows_the_one_wins_that_the_reference_finds() {
        for (count, place) in [(10, 8), (40, 28), (64, 0)] {
            let corpus = Matrix::new([1.0, 0.0].repeat(count), 2);
            assert_eq!(found(Similarity::Dot, Matrix::new(vec![1.0, 0.0], 2), corpus), [place]);
        }
    }

    #[test]
    fn embeddings_of_unequal_length_are_an_error() {
        assert!(nearest(Similarity::Dot, circle(3), Matrix::new(vec![1.0, 2.0, 3.0], 3)).is_err());
    }
}
