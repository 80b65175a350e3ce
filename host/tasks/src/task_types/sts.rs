//! Semantic textual similarity: does the similarity of two texts follow the annotators' scores? (Protocol 6.7.)

use mteb_data::DataError;
use mteb_measures::correlation::{pearson, spearman};

use super::gold_range::GoldRange;
use super::sentence_pairs::{EmbeddedPairs, SentencePairs};
use crate::{
    EvaluateError, Evaluated, Evaluator, Facts, Gold, Keep, Options, Part, Plan, Scores, Session, TaskState,
    TextColumn, Unit,
};

/// Rows of `sentence1`, `sentence2` and a gold `score`; correlates gold with four similarities.
#[derive(Clone, Copy, Debug)]
pub struct Sts;

/// Its facts.
const FACTS: Facts = Facts {
    instruction: "Retrieve semantically similar text.",
    options: &["min_score", "max_score", "roles"],
    gives: |name| SCORES.contains(&name),
    text_columns: &["sentence1", "sentence2"],
    gold: Gold::Scores("score"),
    label_tolerance: 0.25,
    learns: false,
    sides_have_languages: true,
    has_topics: false,
};

impl Evaluator for Sts {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn plan(
        &self,
        unit: Unit,
        options: &Options,
        _state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        let range = GoldRange::new(options)?;
        let table = unit.part(Part::Rows)?;
        let scores = table.floats("score")?;
        let outside = range.outside(scores.iter().copied());
        let gold: Vec<f64> = scores.into_iter().map(|score| range.share(score)).collect();
        if gold.len() < 2 {
            let message = format!("expected at least 2 rows to correlate, found: {}", gold.len());
            return Err(DataError::Malformed { place: table.place(0).0.to_owned(), message }.into());
        }
        let (left, right) = (table.texts("sentence1")?, table.texts("sentence2")?);
        let pairs = SentencePairs::new(left.into_owned(), right.into_owned(), options);
        Ok(Box::new(StsPlan { pairs, gold, outside }))
    }
}

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
const FLAT: &str = "the correlation is undefined: all gold scores or all cosine similarities are equal";

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
        let is_flat = self.gold.windows(2).all(|pair| pair[0] == pair[1]);
        Ok(is_flat.then(|| FLAT.to_owned()).into_iter().collect())
    }

    fn evaluate(&self, session: &mut dyn Session, _keep: Keep) -> Result<Evaluated, EvaluateError> {
        let embedded = self.pairs.encode(session)?;
        self.outside.iter().for_each(|line| session.warn(line));
        session.phase("Scoring");
        let scores = self.correlate(&embedded, session);
        if scores.number("cosine_spearman").is_some_and(f64::is_nan) {
            session.warn(FLAT);
        }
        Ok(scores.into())
    }
}

impl StsPlan {
    fn correlate(&self, embedded: &EmbeddedPairs, session: &dyn Session) -> Scores {
        let mut scores = Scores::new();
        for (prefix, predicted) in [
            ("", embedded.similarity(session)),
            ("cosine_", embedded.cosine()),
            ("manhattan_", embedded.manhattan()),
            ("euclidean_", embedded.euclidean()),
        ] {
            scores.insert(format!("{prefix}pearson"), pearson(&self.gold, &predicted));
            scores.insert(format!("{prefix}spearman"), spearman(&self.gold, &predicted));
        }
        scores
    }
}
