//! The code of a type that is a class of a Python file beside a card: it runs in the worker of the plugin `python`, once its SHA-256 is
//! trusted.

use std::path::PathBuf;

use mteb_card::{TypeDeclaration, TypeEvaluator};
use mteb_models::model::{Silent, interpreter};
use mteb_plugin_api::v1::ModelConfig;
use mteb_tasks::{Block, Code, Declaration, EvaluateError, TypeRunner};
use mteb_workers::plugins::{Catalog, FoundPlugin, Request, Start, Trust, Worker, WorkerError};
use mteb_workers::settings::Settings;
use serde_json::{Map, Value, json};

use super::conversation::Conversation;

/// The plugin with the interpreter, and its feature without which it knows no evaluators.
const PLUGIN: &str = "python";
const FEATURE: &str = "evaluator";

/// Asks a class of a Python file.
pub struct PythonRunner {
    plugin: FoundPlugin,
    file: PathBuf,
    sha256: String,
    /// True if it reads files beside its own.
    reads: bool,
    config: ModelConfig,
    settings: Settings,
    conversation: Conversation,
}

impl PythonRunner {
    /// Asks the class of a Python file that has `code`.
    ///
    /// # Errors
    /// If there is no plugin that runs it.
    pub fn new(code: Code, settings: &Settings, catalog: &Catalog) -> Result<Self, NoRunner> {
        let TypeEvaluator::Python { file, class, sha256, folder, files } = code.evaluator else {
            return Err(NoRunner::NotPython(code.name.to_owned()));
        };
        let plugin = catalog
            .plugin(PLUGIN)
            .filter(|plugin| plugin.manifest.features.iter().any(|name| name == FEATURE));
        let plugin = plugin.cloned().ok_or_else(|| NoRunner::NoPython(file.clone()))?;
        let mut option = match code.declaration {
            Declaration::Type(declaration) => type_option(declaration),
            Declaration::Measure(declaration) => {
                json!({ "parameters": declaration.parameters.keys().collect::<Vec<_>>() })
            }
        };
        option["sha256"] = json!(sha256);
        option["folder"] = json!(folder);
        option["files"] = json!(files);
        let config = ModelConfig {
            name: format!("evaluator:{}:{class}", file.display()),
            device: "cpu".to_owned(),
            dtype: "auto".to_owned(),
            options: Map::from_iter([("evaluator".to_owned(), option)]),
            ..ModelConfig::default()
        };
        Ok(Self {
            plugin,
            file: file.clone(),
            sha256: sha256.clone(),
            reads: files.len() > 1,
            config,
            settings: settings.clone(),
            conversation: Conversation::default(),
        })
    }

    fn check_trust(&self) -> Result<(), EvaluateError> {
        let mut trust = Trust::load(self.settings.trust.clone());
        let checked = trust.check_evaluator(&self.file, &self.sha256, self.reads);
        checked.map_err(|error| EvaluateError::Unscorable(error.to_string()))
    }

    fn start_worker(&self) -> Result<Worker, WorkerError> {
        let python = interpreter(self.settings.python.as_deref(), &Silent);
        let python = python.map_err(|error| WorkerError::NoInterpreter(error.into()))?;
        let mut config = self.config.clone();
        let option = json!({ "python": python, "hub_cache": null, "trust_remote_code": false });
        config.options.insert("python".to_owned(), option);
        let late = self.settings.waits.for_evaluator();
        let mut worker = Worker::start(Start { late, ..Start::of(&self.plugin, &self.settings) })?;
        worker.ask(&Request::NewModel { config }, &[])?;
        Ok(worker)
    }
}

/// What the interpreter is told of a type.
fn type_option(declaration: &TypeDeclaration) -> Value {
    let columns = |wanted: &str| -> Vec<&String> {
        let held = declaration.columns.iter().filter(|(_, column)| json!(column.holds) == wanted);
        held.map(|(name, _)| name).collect()
    };
    json!({
        "columns": declaration.columns.keys().collect::<Vec<_>>(),
        "lists": columns("texts"),
        "main_score": declaration.main_score,
        "ranking": declaration.ranking.is_some(),
    })
}

impl TypeRunner for PythonRunner {
    /// What the file lacks is found before a model computes.
    fn check(&self) -> Result<(), EvaluateError> {
        self.check_trust()?;
        self.conversation.begin(&|| self.start_worker())
    }

    fn ask(&self, _: &str, question: Value, blocks: &[Block<'_>]) -> Result<String, EvaluateError> {
        self.check_trust()?;
        let request = Request::AskType { task: None, call: None, question };
        self.conversation.ask(&request, blocks, &|| self.start_worker())
    }

    fn memory(&self) -> Option<u64> {
        self.conversation.memory()
    }
}

/// No plugin runs the code.
#[derive(Debug, thiserror::Error)]
pub enum NoRunner {
    /// The pack with the code is not there.
    #[error(
        "expected the plugin `{plugin}`, which has the code of {code}, found none; `mteb-host doctor` lists the folders that \
         were searched"
    )]
    NoPack {
        /// Name of the plugin.
        plugin: String,
        /// What its code is of.
        code: String,
    },
    /// The plugin that runs Python is not there, or knows no evaluators.
    #[error(
        "{}: expected the plugin `python` of this version, which runs evaluators in Python, found none; `mteb-host doctor` \
         lists the folders that were searched", .0.display()
    )]
    NoPython(PathBuf),
    /// The code is a plugin's.
    #[error("expected an evaluator in Python for {0}, found a plugin")]
    NotPython(String),
}
