//! The model as an evaluator sees it while it scores one unit.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mteb_card::TaskCard;
use mteb_data::Texts;
use mteb_plugin_api::{ModelInfo, RowForm};
use mteb_results::footprint::{Counters, PhaseLog};
use mteb_tasks::{Embeddings, EvaluateError, Matrix, Ranker, Role, Session, Similarity};

use super::{Compression, EmptyTexts, Encoder, Quantize, RowsAhead, prompt_for, role_name};

/// The message about a task that compares single vectors, for a model with several vectors per
/// text.
const VECTORS_SEARCH: &str = "expected a model with one vector per text, which this task type needs, found one \
                              with several, which only ranks documents: choose retrieval or reranking tasks, \
                              such as `--task-type Retrieval`, or another model";

/// The model's side of one unit.
pub struct UnitSession<'a> {
    /// The model, which is shared with other stages.
    pub encoder: &'a Mutex<Encoder>,
    /// What the model reports about itself.
    pub info: &'a ModelInfo,
    /// Embeddings that were computed ahead.
    pub ahead: &'a RowsAhead,
    /// What is made of the model's embeddings.
    pub compression: Compression,
    /// The model, if it ranks documents.
    pub ranker: Option<Box<dyn Ranker>>,
    /// The task.
    pub card: &'a TaskCard,
    /// Split that is scored.
    pub split: &'a str,
    /// Subset that is scored.
    pub subset: &'a str,
    /// The log of phases.
    pub phases: &'a mut PhaseLog,
    /// Hears the number of texts that were encoded.
    pub progress: &'a dyn Fn(u64),
    /// Counts of what was requested from the model. Texts that were encoded ahead count only as
    /// requested.
    pub counters: Counters,
    /// What the reader of the result should know.
    pub warnings: Vec<String>,
    /// Changes that the model made to texts.
    pub notes: Vec<String>,
    /// Those that are empty.
    pub empty: EmptyTexts,
    /// The prompt that went before texts, by their role; `text` stands for no role.
    pub prompts: BTreeMap<&'static str, String>,
}

impl UnitSession<'_> {
    /// The prompt for texts of `role`, and a note that it was used.
    fn prompt(&mut self, role: Option<Role>) -> String {
        let prompt = prompt_for(&self.info.prompts, self.card, role);
        self.prompts.insert(role_name(role).unwrap_or("text"), prompt.clone());
        prompt
    }

    /// Runs `work` with the model, and counts what it does.
    fn with_encoder<R>(&mut self, work: impl FnOnce(&mut Encoder, &dyn Fn(u64)) -> R) -> R {
        let mut encoder = lock(self.encoder);
        let before = encoder.counters();
        let progress = self.progress;
        let result = self.phases.elsewhere(|| work(&mut encoder, progress));
        self.counters = self.counters + (encoder.counters() - before);
        self.notes.extend(encoder.take_notes());
        result
    }
}

/// Locks the model, even after an evaluator that used it has panicked: between two requests its
/// state is consistent.
pub fn lock(encoder: &Mutex<Encoder>) -> MutexGuard<'_, Encoder> {
    encoder.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session for UnitSession<'_> {
    fn encode_texts(
        &mut self,
        texts: &Texts,
        rows: Range<usize>,
        role: Option<Role>,
    ) -> Result<Matrix, EvaluateError> {
        match self.info.rows {
            RowForm::Dense => {}
            RowForm::Sparse => return self.embed_texts(texts, rows, role)?.into_dense(),
            RowForm::MultiVector => return Err(EvaluateError::Unscorable(VECTORS_SEARCH.to_owned())),
        }
        let texts: Vec<&str> = texts.range(rows).collect();
        let compression = self.compression.of_role(role);
        let prompt = self.prompt(role);
        self.empty.add(texts.iter().copied(), &prompt);
        if let Some(rows) = self.ahead.find(&texts, role, &prompt) {
            self.counters.texts += texts.len() as u64;
            return compression.apply(rows).map_err(|error| EvaluateError::Model(error.to_string()));
        }
        let rows = self.with_encoder(|encoder, progress| encoder.encode(&texts, role, &prompt, progress));
        let rows = rows.map_err(|error| EvaluateError::Model(error.to_string()))?;
        compression.apply(rows).map_err(|error| EvaluateError::Model(error.to_string()))
    }

    fn embed_texts(
        &mut self,
        texts: &Texts,
        rows: Range<usize>,
        role: Option<Role>,
    ) -> Result<Embeddings, EvaluateError> {
        if self.info.rows.is_dense() {
            return self.encode_texts(texts, rows, role).map(Embeddings::Dense);
        }
        let texts: Vec<&str> = texts.range(rows).collect();
        let prompt = self.prompt(role);
        let rows = self.with_encoder(|encoder, progress| encoder.embed(&texts, role, &prompt, progress));
        rows.map_err(|error| EvaluateError::Model(error.to_string()))
    }

    fn predict(&mut self, queries: &Texts, documents: &Texts) -> Result<Option<Vec<f32>>, EvaluateError> {
        if !self.is_cross_encoder() {
            return Ok(None);
        }
        let prompt = self.prompt(Some(Role::Query));
        let (queries, documents): (Vec<&str>, Vec<&str>) =
            (queries.iter().collect(), documents.iter().collect());
        self.empty.add(queries.iter().copied(), &prompt);
        self.empty.add(documents.iter().copied(), "");
        let scores =
            self.with_encoder(|encoder, progress| encoder.predict(&queries, &documents, &prompt, progress));
        scores.map(Some).map_err(|error| EvaluateError::Model(error.to_string()))
    }

    fn is_cross_encoder(&self) -> bool {
        self.info.cross_encoder
    }

    fn calibrates(&self) -> bool {
        self.compression.calibrates()
    }

    fn compares_bits(&self) -> bool {
        self.compression.quantize == Some(Quantize::Ubinary)
    }

    fn rescore_multiplier(&self) -> Option<usize> {
        self.compression.rescore_multiplier.map(NonZeroUsize::get)
    }

    fn ranker(&self) -> Option<&dyn Ranker> {
        self.ranker.as_deref()
    }

    fn similarity(&self) -> Similarity {
        self.info.similarity.unwrap_or_default()
    }

    fn phase(&mut self, name: &str) {
        self.phases.begin(name, self.split, self.subset);
    }

    fn warn(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
    }
}
