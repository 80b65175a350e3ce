//! A task type reads a unit and makes a plan; the plan scores it.

use mteb_measures::random::{Generator, PythonRandom};

use crate::{
    Corpus, EvaluateError, Evaluated, Facts, FoundInRanges, Items, Keep, Protocol, Ranges, Scores, Session,
    TextColumn, Unit,
};

/// Reads and scores one kind of task.
pub trait Evaluator: Sync {
    /// What is to be known of the type without running it.
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

    /// The scores that per-item results give, computed from that alone: those of the unit, or as
    /// many of them as follow from it, the main score always among them.
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

    /// Number of pairs that a model scores which reads both texts together; `None` if it is not
    /// known before they are read, or if there are none.
    fn pairs(&self) -> Option<usize> {
        None
    }

    /// What the reader of the result should know of the data; found without a model.
    ///
    /// # Errors
    /// If the data cannot be scored.
    fn check(&self) -> Result<Vec<String>, EvaluateError> {
        Ok(Vec::new())
    }

    /// What a search ranks: `candidates` that are given for each query, or the whole `corpus`;
    /// `None` for plans that do not search.
    fn ranks(&self) -> Option<&'static str> {
        None
    }

    /// Encodes and scores; the keys come in the reference's order, without `main_score`. Per-item
    /// results are given where `keep` asks for it and the type has it.
    ///
    /// # Errors
    /// If the model fails or the data cannot be scored.
    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError>;

    /// Searches these ranges of the corpus alone, or has these ranges of the pairs scored, and
    /// scores no unit: [`Session::found`] takes what was found in all of them.
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
