//! Semantic textual similarity: does the similarity of two texts follow the annotators' scores?
//! (Protocol 6.7.)

use mteb_measures::correlation::{pearson, spearman};

use super::sentence_pairs::{GoldRange, SentencePairs};
use crate::{
    Bounds, EvaluateError, Evaluated, Evaluator, Facts, Gold, ItemColumn, Items, Keep, Part, Plan, Protocol,
    Scores, Session, TaskState, TextColumn, Unit,
};

/// Rows of `sentence1`, `sentence2` and a gold `score`; correlates gold with four similarities.
#[derive(Clone, Copy, Debug)]
pub struct Sts;

/// Its facts.
const FACTS: Facts = Facts {
    about: "Similarity of pairs of texts.",
    hub_category: "sentence-similarity",
    instruction: "Retrieve semantically similar text.",
    options: &["min_score", "max_score", "roles"],
    gives: &|name: &str| SCORES.contains(&name),
    bounds: &Bounds::of_correlation,
    text_columns: &["sentence1", "sentence2"],
    optional_columns: &[],
    other_columns: &[],
    gold: Gold::Scores("score"),
    label_tolerance: 0.25,
    learns: false,
    sides_have_languages: true,
    has_topics: false,
    has_levels: false,
};

impl Evaluator for Sts {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn plan(
        &self,
        unit: Unit,
        options: &Protocol,
        _state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        let range = GoldRange::new(options)?;
        let table = unit.part(Part::Rows)?;
        let scores = table.written_floats("score")?;
        let first = scores.first().copied().unwrap_or_default();
        let outside = range.outside(&scores, table);
        let gold: Vec<f64> = scores.into_iter().map(|score| range.share(score)).collect();
        if gold.len() < 2 {
            return Err(EvaluateError::Unscorable(format!(
                "{}: expected at least 2 rows to correlate, found: {}",
                table.place(0).0,
                gold.len()
            )));
        }
        let (left, right) = (table.texts("sentence1")?, table.texts("sentence2")?);
        if unit.is_own && left.iter().eq(right.iter()) {
            return Err(EvaluateError::Unscorable(format!(
                "{}: expected rows with two different texts, found the same in `sentence1` and `sentence2` of \
                 all {} rows, which leaves nothing to correlate; name two columns of the file in the card: \
                 `columns = {{ sentence1 = \"…\", sentence2 = \"…\" }}`",
                table.place(0).0,
                gold.len()
            )));
        }
        if unit.is_own && is_flat(&gold) {
            return Err(EvaluateError::Unscorable(format!(
                "{}, column `score`: expected scores that differ, found {first} in all {} rows, which leaves \
                 nothing to correlate; write the human score of each pair, or name the column that has it: \
                 `columns = {{ score = \"…\" }}`",
                table.place(0).0,
                gold.len()
            )));
        }
        let pairs = SentencePairs::new(left.into_owned(), right.into_owned(), options);
        Ok(Box::new(StsPlan { pairs, gold, outside }))
    }

    fn aggregate(&self, items: &Items, _options: &Protocol) -> Result<Scores, EvaluateError> {
        let measured = MEASURES.iter().map(|name| items.floats(name)).collect::<Result<Vec<_>, _>>()?;
        Ok(correlate(items.floats("gold")?, &measured))
    }
}

/// What pairs are compared by, higher for more alike, as the columns of [`Items`] are called.
const MEASURES: [&str; 4] = ["similarity", "cosine", "manhattan", "euclidean"];

/// The scores of the type.
const SCORES: [&str; 8] = [
    "pearson",
    "spearman",
    "cosine_pearson",
    "cosine_spearman",
    "manhattan_pearson",
    "manhattan_spearman",
    "euclidean_pearson",
    "euclidean_spearman",
];

/// What is said where nothing can be correlated.
const FLAT_GOLD: &str = "the correlation is undefined: all gold scores are equal";
const FLAT_SIMILARITIES: &str = "the correlation is undefined: all cosine similarities are equal";

struct StsPlan {
    pairs: SentencePairs,
    gold: Vec<f64>,
    /// A line on gold scores outside of their range.
    outside: Option<String>,
}

impl Plan for StsPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        self.pairs.columns()
    }

    fn check(&self) -> Result<Vec<String>, EvaluateError> {
        let is_flat = is_flat(&self.gold).then(|| FLAT_GOLD.to_owned());
        Ok(self.outside.clone().into_iter().chain(is_flat).collect())
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        let embedded = self.pairs.encode(session)?;
        self.outside.iter().for_each(|line| session.warn(line));
        session.phase("Scoring");
        let measured =
            [embedded.similarity(session), embedded.cosine(), embedded.manhattan(), embedded.euclidean()];
        let scores = correlate(&self.gold, &measured.each_ref().map(Vec::as_slice));
        if scores.number("cosine_spearman").is_some_and(f64::is_nan) {
            session.warn(if is_flat(&self.gold) { FLAT_GOLD } else { FLAT_SIMILARITIES });
        }
        let items = keep.items.then(|| self.items(measured));
        Ok(Evaluated { scores, items, rankings: None })
    }
}

impl StsPlan {
    /// A row a pair: its place, its score brought to 0 to 1, and all that it was compared by.
    fn items(&self, measured: [Vec<f64>; 4]) -> Items {
        let mut items = Items::default();
        items.push("row", ItemColumn::Int((0..self.gold.len() as i64).collect()));
        items.push("gold", ItemColumn::Float(self.gold.clone()));
        for (name, scores) in MEASURES.into_iter().zip(measured) {
            items.push(name, ItemColumn::Float(scores));
        }
        items
    }
}

fn is_flat(numbers: &[f64]) -> bool {
    numbers.windows(2).all(|pair| pair[0] == pair[1])
}

/// The correlations of what people said with each of what pairs are compared by.
fn correlate(gold: &[f64], measured: &[&[f64]]) -> Scores {
    let mut scores = Scores::new();
    for (prefix, predicted) in ["", "cosine_", "manhattan_", "euclidean_"].into_iter().zip(measured) {
        scores.insert(format!("{prefix}pearson"), pearson(gold, predicted));
        scores.insert(format!("{prefix}spearman"), spearman(gold, predicted));
    }
    scores
}
