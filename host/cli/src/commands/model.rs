//! The arguments that name a model, and its start.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use mteb_models::model::{Dtype, LoadedModel, ModelChoice, ModelError};
use mteb_plugin_api::{Identity, ModelInfo, Similarity};
use mteb_registry::{FoundCard, ModelCards};
use mteb_results::ResultStore;
use mteb_workers::plugins::{Catalog, ModelClient, WorkerError};
use mteb_workers::settings::Settings;

use super::python::PythonArgs;
use super::remote::RemoteArgs;
use super::whole::whole;
use crate::exit::Exit;
use crate::output;
use crate::report::Progress;

/// Arguments about the model.
#[derive(Args, Clone, Debug)]
pub struct ModelArgs {
    /// Model: a name that a plugin brings, a hub id, a folder with a model, `bm25`, which ranks documents by their words, one
    /// behind an endpoint, as `openai:NAME`, or one in Python: `st:NAME|DIR` (sentence-transformers), `mteb:NAME` (the
    /// reference's loader), `python:FILE.py:NAME`.
    #[arg(long, value_name = "ID|DIR|NAME", default_value = "hashing")]
    model: String,
    /// What results call a model in a folder or in a Python file [default: `local/` and the folder's last name; the file].
    #[arg(long, value_name = "ORGANISATION/MODEL")]
    name: Option<String>,
    /// Revision of the model on the hub: a commit, branch or tag [default: that of its card, else the branch main]. Of a model in a
    /// folder, what results call its state [default: a hash of all its files]; of one in a Python file, in place of its own.
    #[arg(long, value_name = "REVISION")]
    revision: Option<String>,
    /// Prompts in place of the model's own: a JSON or TOML file, prompts by name of a task, a type of tasks or a role.
    #[arg(long, value_name = "FILE")]
    prompts: Option<PathBuf>,
    /// Tokens after which a text is cut [default: what the model's files say, else its card].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, None))]
    max_tokens: Option<u32>,
    /// How two embeddings are compared [default: what the model's card says, else its files].
    #[arg(long)]
    similarity: Option<SimilarityName>,
    /// Device: `auto`, `cpu`, `cuda` or `cuda:N`.
    #[arg(long, default_value = "auto", value_parser = device)]
    device: String,
    /// Number format of the model's computation.
    #[arg(long, default_value = "auto")]
    dtype: DtypeName,
    #[command(flatten)]
    remote: RemoteArgs,
    #[command(flatten)]
    python: PythonArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum DtypeName {
    /// f32; for models in Python what their files or their loader say, or f32 where the device only emulates that.
    Auto,
    /// 32 bits.
    F32,
    /// 16 bits with the range of 32; refused where the device only emulates it, more slowly than f32.
    Bf16,
    /// 16 bits, IEEE 754; refused as bf16 is.
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
    cards.card(model).map_err(|fault| {
        output::error(fault);
        Exit::Usage
    })
}

impl ModelArgs {
    /// Starts the model, whose card may lie beside the `registries` that were named, on each of `devices`; beside it come the workers of
    /// all but the first. `tasks` are the names of all tasks that prompts may speak of.
    ///
    /// # Errors
    /// If it cannot be started; why is said.
    pub fn start_on(
        &self,
        devices: &[String],
        registries: &[String],
        (catalog, settings): (&Catalog, &Settings),
        tasks: &[&str],
        progress: &Progress,
    ) -> Result<(LoadedModel, Vec<ModelClient>), Exit> {
        let started = self.choice(registries).start_on(devices, (catalog, settings), tasks, progress);
        started.map_err(|error| say_refused(&error))
    }

    /// The device that is asked for.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// A line for each folder below `results` that holds results of this very model under a name that it had before.
    pub fn former_results(&self, results: &Path, info: &ModelInfo) -> Vec<String> {
        let former = self.choice(&[]).former_identities(info).into_iter();
        let held = former.filter_map(|(name, revision)| {
            let identity = Identity { name: name.clone(), revision: revision.clone(), ..Identity::default() };
            let folder = ResultStore::holding(results, &ModelInfo { identity, ..info.clone() })?;
            let how = match revision.as_str() {
                "" => String::new(),
                _ => format!("; `--name {name} --revision {revision}` goes on with them"),
            };
            Some(format!(
                "{}: results that this folder's model had as `{name}` are taken for those of another model: it is called {}, revision {}, \
                 now{how}",
                folder.display(),
                info.identity.name,
                info.identity.revision
            ))
        });
        held.collect()
    }

    /// The model as it is asked for, or as it is to be called.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.model)
    }

    /// The interpreter that is named.
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
            cards: ModelCards::beside(registries),
            remote: self.remote.choice(),
            python: self.python.choice(),
        }
    }
}

/// Says why a model does not start; an interruption is said by the command.
fn say_refused(error: &ModelError) -> Exit {
    let exit = exit(error);
    if exit != Exit::Interrupted {
        output::error(error);
    }
    exit
}

pub(super) fn exit(error: &ModelError) -> Exit {
    match error {
        ModelError::Card(_)
        | ModelError::Name(_)
        | ModelError::Prompts(_)
        | ModelError::NoOption { .. }
        | ModelError::Loading(_)
        | ModelError::Remote(_)
        | ModelError::Python(_) => Exit::Usage,
        ModelError::Unknown { is_refused: true, .. } => Exit::Refused,
        ModelError::Unknown { is_shortage: true, .. } => Exit::Failed,
        ModelError::Unknown { .. } => Exit::Usage,
        ModelError::Files { .. } | ModelError::Revision { .. } => Exit::Failed,
        ModelError::Worker { source, .. } => match source.as_ref() {
            WorkerError::Interrupted(_) => Exit::Interrupted,
            WorkerError::Refused(_) => Exit::Refused,
            WorkerError::Unfit(_) => Exit::Usage,
            source if source.is_final() => Exit::Never,
            _ => Exit::Failed,
        },
    }
}

impl DtypeName {
    pub(super) fn dtype(self) -> Dtype {
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

pub(super) fn device(text: &str) -> Result<String, String> {
    let number = text.strip_prefix("cuda:").map(str::parse::<u32>);
    if matches!(text, "auto" | "cpu" | "cuda") || matches!(number, Some(Ok(_))) {
        return Ok(text.to_owned());
    }
    Err("expected `auto`, `cpu`, `cuda` or `cuda:N`".to_owned())
}
