//! The code of a type that is a class of a Python file beside a card: it runs in the worker of the plugin `python`, once its SHA-256 is
//! trusted.

use std::path::{Path, PathBuf};

use mteb_card::TypeDeclaration;
use mteb_models::model::{Silent, interpreter};
use mteb_plugin_api::v1::ModelConfig;
use mteb_tasks::{Block, EvaluateError, TypeRunner};
use mteb_workers::plugins::{Catalog, FoundPlugin, Request, Start, Trust, Worker, WorkerError};
use mteb_workers::settings::Settings;
use serde_json::{Map, Value, json};

use super::conversation::Conversation;
use super::error::NoRunner;
use super::pack::TOO_LATE;

/// The plugin with the interpreter, and its feature without which it knows no evaluators.
const PLUGIN: &str = "python";
const FEATURE: &str = "evaluator";

/// Asks a class of a Python file.
pub struct PythonRunner {
    plugin: FoundPlugin,
    file: PathBuf,
    sha256: String,
    config: ModelConfig,
    settings: Settings,
    conversation: Conversation,
}

impl PythonRunner {
    /// Asks the `class` of `file`, of the SHA-256 `sha256`, that evaluates what is declared.
    ///
    /// # Errors
    /// If there is no plugin that runs it.
    pub fn new(
        (file, class, sha256): (&Path, &str, &str),
        declaration: Option<&TypeDeclaration>,
        settings: &Settings,
        catalog: &Catalog,
    ) -> Result<Self, NoRunner> {
        let plugin = catalog
            .plugin(PLUGIN)
            .filter(|plugin| plugin.manifest.features.iter().any(|name| name == FEATURE));
        let plugin = plugin.cloned().ok_or_else(|| NoRunner::NoPython(file.to_owned()))?;
        let option = match declaration {
            Some(declaration) => type_option(declaration, sha256),
            None => json!({ "sha256": sha256 }),
        };
        let config = ModelConfig {
            name: format!("evaluator:{}:{class}", file.display()),
            device: "cpu".to_owned(),
            dtype: "auto".to_owned(),
            options: Map::from_iter([("evaluator".to_owned(), option)]),
            ..ModelConfig::default()
        };
        Ok(Self {
            plugin,
            file: file.to_owned(),
            sha256: sha256.to_owned(),
            config,
            settings: settings.clone(),
            conversation: Conversation::default(),
        })
    }

    fn check_trust(&self) -> Result<(), EvaluateError> {
        let mut trust = Trust::load(self.settings.trust.clone());
        trust.check_evaluator(&self.file, &self.sha256).map_err(EvaluateError::Unscorable)
    }

    fn started(&self) -> Result<Worker, WorkerError> {
        let python = interpreter(self.settings.python.as_deref(), &Silent);
        let python = python.map_err(|error| WorkerError::Unfit(error.to_string()))?;
        let mut config = self.config.clone();
        let option = json!({ "python": python, "hub_cache": null, "trust_remote_code": false });
        config.options.insert("python".to_owned(), option);
        let mut worker = Worker::start(Start { late: TOO_LATE, ..Start::of(&self.plugin, &self.settings) })?;
        worker.ask(&Request::NewModel { config }, &[])?;
        Ok(worker)
    }
}

/// What the interpreter is told of a type.
fn type_option(declaration: &TypeDeclaration, sha256: &str) -> Value {
    let columns = |wanted: &str| -> Vec<&String> {
        let held = declaration.columns.iter().filter(|(_, column)| json!(column.holds) == wanted);
        held.map(|(name, _)| name).collect()
    };
    json!({
        "sha256": sha256,
        "columns": declaration.columns.keys().collect::<Vec<_>>(),
        "lists": columns("texts"),
        "main_score": declaration.main_score,
    })
}

impl TypeRunner for PythonRunner {
    /// What the file lacks is found before a model computes.
    fn check(&self) -> Result<(), EvaluateError> {
        self.check_trust()?;
        self.conversation.begin(&|| self.started())
    }

    fn ask(&self, _: &str, question: Value, blocks: &[Block<'_>]) -> Result<String, EvaluateError> {
        self.check_trust()?;
        let request = Request::AskType { task: None, call: None, question };
        self.conversation.ask(&request, blocks, &|| self.started())
    }
}
