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
    /// Fail where a file is there but incomplete, or made from something else.
    Never,
    /// Score what is missing, and what was made from other data, options or prompts, or by another model.
    #[default]
    Missing,
    /// Score everything again that is asked for.
    Always,
}

/// The units whose draws a task makes, of the types that draw on from unit to unit (protocol 1.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Draws {
    /// Those of the whole task: a chosen subset scores as in a run of all.
    #[default]
    Whole,
    /// Those of the chosen subsets alone.
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
    /// Keep results that do not say what they were made from.
    pub keep_unknown: bool,
    /// Whose draws are made.
    pub draws: Draws,
    /// Stop at the first failure.
    pub fail_fast: bool,
    /// Measures beside those of the cards.
    pub measures: Measures,
    /// What is left beside the scores.
    pub keep: KeepFiles,
    /// What is made of the model's embeddings.
    pub compression: Compression,
    /// What a first stage has found, which the model orders anew.
    pub first_stage: Option<FirstStage>,
    /// Most items of a unit, with which its task is only tried: results are neither read nor kept.
    pub limit: Option<usize>,
    /// The units that are scored, where a plan gives others to other machines.
    pub part: Option<Arc<RunPart>>,
}

impl RunOptions {
    /// Results go below `output_folder`; what is missing there is scored.
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
