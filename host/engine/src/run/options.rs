//! How a run behaves, and what all its stages know.

use std::path::PathBuf;
use std::sync::Arc;

use mteb_json::Json;
use mteb_models::encode::Compression;
use mteb_plugin_api::ModelInfo;
use mteb_registry::Selected;
use mteb_results::footprint::Setting;
use mteb_results::identity::Measures;
use mteb_results::{CompanionFiles, FirstStage, KeepFiles, ResultStore};

use super::RunPart;

/// What to do with results that are there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overwrite {
    /// Fail if a result file is incomplete or stale.
    Never,
    /// Score missing units, and units whose data, options, prompts or model have changed.
    #[default]
    Missing,
    /// Score everything selected again.
    Always,
}

/// Which units are planned, for task types whose random draws continue from unit to unit (protocol
/// 1.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Draws {
    /// All units of the task, so that a selected subset gets the same score as in a run of all
    /// subsets.
    #[default]
    Whole,
    /// Only the units of the selected subsets.
    Selected,
}

impl Draws {
    /// The units of `selected` that are planned in their order, as split and subset.
    pub fn units(self, selected: &Selected) -> Vec<(&str, &str)> {
        match self {
            Self::Whole => selected.entry.card.units().collect(),
            Self::Selected => selected.units().collect(),
        }
    }
}

/// How a run behaves.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Folder of the result files.
    pub output_folder: PathBuf,
    /// What to do with results that are there already.
    pub overwrite: Overwrite,
    /// Keep results that do not record what they were computed from.
    pub keep_unknown: bool,
    /// Which units are planned.
    pub draws: Draws,
    /// Stop at the first failure.
    pub fail_fast: bool,
    /// Measures in addition to those of the cards.
    pub measures: Measures,
    /// What is left beside the scores.
    pub keep: KeepFiles,
    /// How the embeddings are truncated and quantised.
    pub compression: Compression,
    /// Rankings of a first stage, which the model reranks.
    pub first_stage: Option<FirstStage>,
    /// Maximum number of items per unit, to try the tasks: results are neither read nor written.
    pub limit: Option<usize>,
    /// The units of this shard, if a plan distributes the run over several machines.
    pub part: Option<Arc<RunPart>>,
}

impl RunOptions {
    /// The defaults: results are stored below `output_folder`, and units without a result there are
    /// scored.
    pub fn new(output_folder: PathBuf) -> Self {
        Self {
            output_folder,
            overwrite: Overwrite::default(),
            keep_unknown: false,
            draws: Draws::default(),
            fail_fast: false,
            measures: Measures::default(),
            keep: KeepFiles::default(),
            compression: Compression::default(),
            first_stage: None,
            limit: None,
            part: None,
        }
    }
}

/// What all stages of a run know.
pub struct RunContext<'a> {
    /// What the model says of itself.
    pub info: ModelInfo,
    /// Where results are.
    pub store: ResultStore,
    /// What is left beside the scores.
    pub kept: CompanionFiles,
    /// Who the model is and who scored it.
    pub host: Json,
    /// How the run behaves.
    pub options: &'a RunOptions,
    /// True if the model ranks documents and cannot encode.
    pub ranks: bool,
    /// What of a footprint is the same for all results.
    pub setting: Setting,
}
