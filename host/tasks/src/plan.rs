//! A task type reads a unit and makes a plan; the plan scores it.

use mteb_measures::random::{Generator, PythonRandom};

use crate::{
    Corpus, EvaluateError, Evaluated, Facts, FoundInRanges, Items, Keep, Protocol, Ranges, Scores, Session,
    TextColumn, Unit,
};

/// Reads and scores one kind of task.
pub trait Evaluator: Sync {
    /// The facts of the type, which are known without running it.
    fn facts(&self) -> &'static Facts;

    /// True if planning draws from the task's random state, so that units which are already scored
    /// must still be planned before later ones (protocol 1.1).
    fn draws(&self) -> bool {
        false
    }

    /// Reads the unit's tables, checks them, and makes every random draw.
    ///
    /// # Errors
    /// If the data is not what the type needs.
    fn plan(
        &self,
        unit: Unit,
        options: &Protocol,
        state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError>;

    /// As [`Self::plan`], of a unit without [`Part::Corpus`](mteb_card::Part::Corpus) whose
    /// documents are read from `corpus`.
    ///
    /// # Errors
    /// If the data is not what the type needs.
    fn plan_streamed(
        &self,
        unit: Unit,
        corpus: Box<dyn Corpus>,
        options: &Protocol,
        state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        self.plan(unit.with_corpus(&*corpus)?, options, state)
    }

    /// The scores that follow from per-item results alone: all scores of the unit, or some of them,
    /// but always the main score.
    ///
    /// # Errors
    /// If a column is absent.
    fn aggregate(&self, items: &Items, options: &Protocol) -> Result<Scores, EvaluateError>;
}

/// One unit, checked and sampled, ready to be scored.
pub trait Plan: Send {
    /// The texts that scoring will encode, in the reference's order; those of a corpus that is read
    /// while it is searched are not among them.
    fn columns(&self) -> Vec<&TextColumn>;

    /// Number of texts that scoring will encode; `None` if it is not known before they are read.
    fn texts(&self) -> Option<usize> {
        Some(self.columns().iter().map(|column| column.texts.len()).sum())
    }

    /// Number of pairs that a cross-encoder scores; `None` if it is not known before they are read,
    /// or if there are none.
    fn pairs(&self) -> Option<usize> {
        None
    }

    /// Notes on the data for readers of the result, found without a model.
    ///
    /// # Errors
    /// If the data cannot be scored.
    fn check(&self) -> Result<Vec<String>, EvaluateError> {
        Ok(Vec::new())
    }

    /// What a search ranks: the `candidates` of each query, or the whole `corpus`; `None` for plans
    /// that do not search.
    fn ranks(&self) -> Option<&'static str> {
        None
    }

    /// Encodes and scores; the keys come in the reference's order, without `main_score`. Per-item
    /// results are given where `keep` asks for it and the type has it.
    ///
    /// # Errors
    /// If the model fails or the data cannot be scored.
    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError>;

    /// Searches only these ranges of the corpus, or scores only these ranges of the pairs. It does
    /// not score the unit: [`Session::found`] provides what was found in all ranges.
    ///
    /// # Errors
    /// If the model fails, or the plan does neither.
    fn search_ranges(
        &self,
        session: &mut dyn Session,
        ranges: &Ranges,
        keep: Keep,
    ) -> Result<FoundInRanges, EvaluateError> {
        let _ = (session, ranges, keep);
        Err(EvaluateError::Unscorable(
            "expected a task that searches a whole corpus, ranges of which several machines share, found another; plan again with `--whole-corpora`"
                .to_owned(),
        ))
    }

    /// The scores of [`Self::evaluate`] alone.
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    fn score(&self, session: &mut dyn Session) -> Result<Scores, EvaluateError> {
        self.evaluate(session, Keep::default()).map(|evaluated| evaluated.scores)
    }
}

/// The two random generators of a task, continued from unit to unit (protocol 1.1).
#[derive(Clone, Debug)]
pub struct TaskState {
    /// CPython's `random.Random(42)`.
    pub python: PythonRandom,
    /// numpy's `default_rng(42)`.
    pub numpy: Generator,
}

impl TaskState {
    /// The state of a fresh task: both generators seeded with 42.
    pub fn new() -> Self {
        Self { python: PythonRandom::new(42), numpy: Generator::new(42) }
    }
}

impl Default for TaskState {
    fn default() -> Self {
        Self::new()
    }
}
