//! The arguments that name a model, and its start, also outside a run.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use mteb_models::model::{Dtype, LoadedModel, ModelChoice, ModelError, PythonChoice};
use mteb_plugin_api::{Identity, ModelInfo, Similarity};
use mteb_registry::{FoundCard, ModelCards, Registries, Selected};
use mteb_results::ResultStore;
use mteb_workers::plugins::{Catalog, ModelClient, WorkerError};
use mteb_workers::settings::Settings;
use serde_json::{Map, Value, json};

use super::compute::RemoteArgs;
use super::value::{ValueError, parse_whole};
use crate::exit::Exit;
use crate::output;
use crate::view::Progress;

/// Arguments about the model.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Model")]
pub struct ModelArgs {
    /// Model: a hub id, a model folder, a name provided by a plugin, `bm25`, a model behind an
    /// endpoint such as `openai:NAME`, or a model in Python: `st:NAME|DIR` (sentence-transformers),
    /// `mteb:NAME` (the loader of mteb), `python:FILE.py:NAME`.
    #[arg(long, value_name = "ID|DIR|NAME", default_value = "hashing")]
    model: String,
    /// Name of the model in results, for a model folder or a model in Python [default: `local/` and
    /// the folder's name; the name in the file; the model's own].
    #[arg(long, value_name = "ORGANISATION/MODEL")]
    name: Option<String>,
    /// Revision of a hub model: a commit, branch or tag [default: from its card, else the branch
    /// main]. For a model folder, the revision written in results [default: a hash of all its
    /// files]; for a Python file, it replaces the file's own.
    #[arg(long, value_name = "REVISION")]
    revision: Option<String>,
    /// JSON or TOML file with prompts by task name, task type or role, which replace the model's
    /// own.
    #[arg(long, value_name = "FILE")]
    prompts: Option<PathBuf>,
    /// Maximum length of a text in tokens; longer texts are truncated [default: from the model's
    /// files, else its card].
    #[arg(long, value_name = "N", value_parser = parse_whole::<u32>(1, None))]
    max_tokens: Option<u32>,
    /// Similarity function of two embeddings [default: from the model's card, else its files].
    #[arg(long)]
    similarity: Option<SimilarityName>,
    /// Device: `auto`, `cpu`, `cuda` or `cuda:N`.
    #[arg(long, default_value = "auto", value_parser = device)]
    device: String,
    /// Number format in which the model computes.
    #[arg(long, default_value = "auto")]
    dtype: DtypeName,
    /// Option that the model's plugin declares, as `mteb-host show model` lists them; may be
    /// repeated. It becomes part of the model's identity.
    #[arg(long, value_name = "NAME=VALUE", value_parser = model_option)]
    model_option: Vec<(String, String)>,
    #[command(flatten)]
    remote: RemoteArgs,
    #[command(flatten)]
    python: PythonArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum DtypeName {
    /// f32; for models in Python, the format their files or loader choose, or f32 if the device
    /// only emulates it.
    Auto,
    /// IEEE 754 single precision.
    F32,
    /// bfloat16; refused if the device only emulates it, which is slower than f32.
    Bf16,
    /// IEEE 754 half precision; refused if the device only emulates it.
    F16,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SimilarityName {
    Cosine,
    Dot,
    Euclidean,
    Manhattan,
}

/// The card of a model.
///
/// # Errors
/// If there is one and it cannot be read, which is said.
pub fn card_of(model: &str, cards: &ModelCards) -> Result<Option<FoundCard>, Exit> {
    cards.card(model).map_err(output::usage)
}

impl ModelArgs {
    /// Starts the model, whose card may lie beside the `registries` that were named, on each of `devices`; beside it come the workers of
    /// all but the first. Prompts may speak of all tasks of the `known` registries; `selected` are those that are to be scored.
    ///
    /// # Errors
    /// If it cannot be started; why is said.
    pub fn start_on(
        &self,
        devices: &[String],
        registries: &[String],
        (catalog, settings): (&Catalog, &Settings),
        (known, selected): (&Registries, &[Selected]),
        progress: &Progress,
    ) -> Result<(LoadedModel, Vec<ModelClient>), Exit> {
        let mut choice = self.choice(registries);
        if self.model.contains(".py:") {
            choice.python.tasks = describe_tasks(selected);
        }
        let tasks = known.tasks();
        let tasks: Vec<&str> = tasks.iter().map(|task| task.card.name.as_str()).collect();
        let started = choice.start_on(devices, (catalog, settings), &tasks, progress);
        started.map_err(|error| say_refused(&error))
    }

    /// Checks that there may be such a model, and starts none.
    ///
    /// # Errors
    /// If nothing provides it; which is said.
    pub fn check_name(
        &self,
        registries: &[String],
        (catalog, settings): (&Catalog, &Settings),
    ) -> Result<(), Exit> {
        self.choice(registries).check_name(catalog, settings).map_err(|error| say_refused(&error))
    }

    /// The device that the user requested.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// A line for each folder below `results` that holds results of this very model under a name that it had before.
    pub fn find_former_results(&self, results: &Path, info: &ModelInfo) -> Vec<String> {
        let former = self.choice(&[]).former_identities(info).into_iter();
        let held = former.filter_map(|(name, revision)| {
            let identity = Identity { name: name.clone(), revision: revision.clone(), ..Identity::default() };
            let folder = ResultStore::holding(results, &ModelInfo { identity, ..info.clone() })?;
            let how = match revision.as_str() {
                "" => String::new(),
                _ => format!("; `--name {name} --revision {revision}` continues with them"),
            };
            Some(format!(
                "{}: earlier results of this model folder, named `{name}`, count as those of another model: it \
                 is now called {}, revision {}{how}",
                folder.display(),
                info.identity.name,
                info.identity.revision
            ))
        });
        held.collect()
    }

    /// The name that the user chose for the model, else the model as it was given.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.model)
    }

    /// The line that is shown while the model starts.
    pub fn describe_start(&self) -> String {
        let is_python = ["st:", "mteb:", "python:"].iter().any(|style| self.model.starts_with(style));
        let what = if is_python { "starting Python, loading" } else { "loading" };
        format!("{what} {}", self.model)
    }

    /// True if the user chose a device.
    pub fn has_device(&self) -> bool {
        self.device != "auto"
    }

    /// The Python interpreter that the user named.
    pub fn python(&self) -> Option<PathBuf> {
        self.python.choice().python
    }

    fn choice(&self, registries: &[String]) -> ModelChoice {
        ModelChoice {
            name: self.model.clone(),
            called: self.name.clone(),
            revision: self.revision.clone(),
            prompts: self.prompts.clone(),
            max_tokens: self.max_tokens,
            similarity: self.similarity.map(SimilarityName::similarity),
            device: self.device.clone(),
            threads: 0,
            dtype: self.dtype.dtype(),
            options: self.model_option.clone(),
            cards: ModelCards::beside(registries),
            remote: self.remote.choice(),
            python: self.python.choice(),
        }
    }
}

/// Prints why a model does not start. If the user interrupted it, the command prints that instead.
fn say_refused(error: &ModelError) -> Exit {
    let exit = exit(error);
    if exit != Exit::Interrupted {
        output::error(error);
    }
    exit
}

pub fn exit(error: &ModelError) -> Exit {
    match error {
        ModelError::Card(_)
        | ModelError::Name(_)
        | ModelError::Prompts(_)
        | ModelError::NoOption { .. }
        | ModelError::Option(_)
        | ModelError::Loading(_)
        | ModelError::Remote(_)
        | ModelError::Python(_) => Exit::Usage,
        ModelError::Unknown { is_refused: true, .. } => Exit::Refused,
        ModelError::Unknown { is_shortage: true, .. } => Exit::Failed,
        ModelError::Unknown { .. } => Exit::Usage,
        ModelError::Files { .. } | ModelError::NotMirrored { .. } | ModelError::Revision { .. } => {
            Exit::Failed
        }
        ModelError::Worker { source, .. } => match source.as_ref() {
            WorkerError::Interrupted(_) => Exit::Interrupted,
            source if source.is_refusal() => Exit::Refused,
            source if source.is_unfit() => Exit::Usage,
            source if source.is_final() => Exit::Never,
            _ => Exit::Failed,
        },
        _ => Exit::Failed,
    }
}

impl DtypeName {
    pub fn dtype(self) -> Dtype {
        match self {
            Self::Auto => Dtype::Auto,
            Self::F32 => Dtype::F32,
            Self::Bf16 => Dtype::Bf16,
            Self::F16 => Dtype::F16,
        }
    }
}

impl SimilarityName {
    fn similarity(self) -> Similarity {
        match self {
            Self::Cosine => Similarity::Cosine,
            Self::Dot => Similarity::Dot,
            Self::Euclidean => Similarity::Euclidean,
            Self::Manhattan => Similarity::Manhattan,
        }
    }
}

/// Reads the name of a device.
///
/// # Errors
/// If there is no such name.
pub fn device(text: &str) -> Result<String, ValueError> {
    let number = text.strip_prefix("cuda:").map(str::parse::<u32>);
    if matches!(text, "auto" | "cpu" | "cuda") || matches!(number, Some(Ok(_))) {
        return Ok(text.to_owned());
    }
    Err(ValueError::Device)
}

fn model_option(text: &str) -> Result<(String, String), ValueError> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(ValueError::ModelOption),
    }
}

/// How a model in Python is run.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Models in Python (`--model st:NAME`, `mteb:NAME` or `python:FILE.py:NAME`)")]
pub struct PythonArgs {
    /// Python interpreter or virtual environment [default: from Python the caller's, else that of
    /// the active environment, of the one that mteb-host is installed in, of a `.venv` here or in a
    /// parent folder that `--trust-python` trusts, or `python3`].
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    /// Run code that comes with the model.
    #[arg(long)]
    trust_remote_code: bool,
}

impl PythonArgs {
    /// The same for the engine.
    pub fn choice(&self) -> PythonChoice {
        let (python, trust_remote_code) = (self.python.clone(), self.trust_remote_code);
        PythonChoice { python, trust_remote_code, ..PythonChoice::default() }
    }
}

/// The fields of mteb's metadata of each task, by its name. An object in a Python process is told the same, by `metadata_of_task` of the
/// package `mteb_host`.
fn describe_tasks(tasks: &[Selected]) -> Map<String, Value> {
    tasks.iter().map(|task| (task.entry.card.name.clone(), describe_task(task))).collect()
}

fn describe_task(task: &Selected) -> Value {
    let card = &task.entry.card;
    json!({
        "type": card.task_type,
        "main_score": card.main_score(),
        "description": card.description,
        "reference": card.reference,
        "category": card.category,
        "domains": card.domains,
        "license": card.license,
        "date": card.date,
        "eval_splits": task.splits,
        "eval_langs": task.languages(),
        "prompt": null,
        "modalities": ["text"],
    })
}

/// Starts the model of a choice.
///
/// # Errors
/// The exit code, after it was said why it does not start, or that it encodes no texts.
pub fn start_encoder(
    choice: &ModelChoice,
    catalog: &Catalog,
    settings: &Settings,
) -> Result<Box<ModelClient>, Exit> {
    let device = [choice.device.clone()];
    let started = start_encoders(choice, &device, catalog, settings)?.into_iter().next();
    started.map(Box::new).ok_or(Exit::Failed)
}

/// Starts the model of a choice on each of `devices`.
///
/// # Errors
/// As [`start_encoder`].
pub fn start_encoders(
    choice: &ModelChoice,
    devices: &[String],
    catalog: &Catalog,
    settings: &Settings,
) -> Result<Vec<ModelClient>, Exit> {
    let progress = Progress::new(true, false);
    let started = choice.start_on(devices, (catalog, settings), &[], &progress);
    let (model, others) = started.map_err(|error| {
        output::error(&error);
        exit(&error)
    })?;
    let refused = |found: &str| {
        let name = &choice.name;
        output::usage(format!("model {name}: expected a model that encodes texts, found {found}"))
    };
    match model {
        LoadedModel::Worker(client) if client.info().cross_encoder => Err(refused("a cross-encoder")),
        LoadedModel::Worker(client) if !client.info().rows.is_dense() => {
            Err(refused(&format!("one with {} embeddings", client.info().rows.name())))
        }
        LoadedModel::Worker(client) => Ok(std::iter::once(*client).chain(others).collect()),
        LoadedModel::Bm25(_) => Err(refused("one that ranks documents")),
    }
}
