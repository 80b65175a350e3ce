//! What all stages of a run know.

use mteb_json::Json;
use mteb_plugin_api::ModelInfo;
use mteb_results::footprint::Setting;
use mteb_results::{CompanionFiles, ResultStore};

use super::RunOptions;

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
