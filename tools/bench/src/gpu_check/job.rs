//! What either side is asked to encode, and what it answers.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// How the files of rows of our side end.
pub const OURS: &str = "ours";
/// And those of transformers.
pub const THEIRS: &str = "theirs";

/// One model on one device, and texts for it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Job {
    /// By which the answer is known.
    pub id: String,
    /// The plugin, on our side.
    pub plugin: PathBuf,
    /// The model.
    pub folder: PathBuf,
    /// `cpu` or `cuda:N`.
    pub device: String,
    /// `f32` or `bf16`.
    pub dtype: String,
    /// Tokens of a pair for a cross-encoder, which scores each text with the next one.
    pub pairs: Option<usize>,
    /// A list of texts as JSON.
    pub texts: PathBuf,
    /// How many of them; 0 for all.
    pub count: usize,
    /// How often they are encoded against the clock.
    pub times: usize,
    /// Batches to try on the other side, of which the fastest counts.
    pub batches: Vec<usize>,
    /// Threads of the processor; 0 for the side's own choice.
    pub threads: usize,
    /// Where the rows go.
    pub rows: Option<PathBuf>,
    /// On our side: memory of its own that the process may have beyond what it has when the model is open.
    pub spare_memory: Option<u64>,
}

/// What came of a job.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// That of the job.
    pub id: String,
    /// What went wrong.
    pub error: Option<String>,
    /// Seconds to open the model.
    pub open: f64,
    /// Seconds of the first text.
    pub first: f64,
    /// Seconds from the start of the side to the first row.
    pub since_start: f64,
    /// Seconds of each round.
    pub seconds: Vec<f64>,
    /// Share of the time and threads that the processor worked in all rounds.
    pub processor_share: Option<f64>,
    /// When the rounds began and ended, in seconds since 1970.
    pub rounds: Option<[f64; 2]>,
    /// The batch that was fastest.
    pub batch: Option<usize>,
    /// Numbers in a row.
    pub width: usize,
    /// The device that computed.
    pub device: Option<String>,
    /// Most resident bytes.
    pub peak: Option<u64>,
}

impl Job {
    /// The rows of a model on a device.
    pub fn of_rows(id: impl Into<String>, folder: &Path, texts: &Path, rows: &Path) -> Self {
        Self {
            id: id.into(),
            folder: folder.to_owned(),
            texts: texts.to_owned(),
            rows: Some(rows.to_owned()),
            device: "cpu".to_owned(),
            dtype: "f32".to_owned(),
            batches: vec![32],
            ..Self::default()
        }
    }

    /// The file of rows of one side, `ours` or `theirs`.
    pub fn rows_of(&self, side: &str) -> Option<PathBuf> {
        let name = |path: &PathBuf| format!("{}.{side}", path.to_string_lossy()).into();
        self.rows.as_ref().map(name)
    }

    /// The same job for one side.
    pub fn on_side(&self, side: &str) -> Self {
        Self { rows: self.rows_of(side), ..self.clone() }
    }

    /// True if both take the same open model.
    pub fn shares_model(&self, other: &Self) -> bool {
        (&self.folder, &self.device, &self.dtype) == (&other.folder, &other.device, &other.dtype)
    }
}

impl Answer {
    /// Its answers among the lines of a side; what it says beside them does not count.
    pub fn all_of(output: &str) -> Vec<Self> {
        output.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}
