//! The arguments that name a model, and its start: what the user says goes before its card, and its card before its files.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mteb_plugin_api::v1::ModelConfig;
use mteb_plugin_api::{Brackets, ModelCard, ModelInfo, Prompts, Similarity};
use serde_json::{Map, Value};

use crate::encode::PromptFile;
use crate::exit::Exit;
use crate::output;
use crate::plugins::{Catalog, ModelClient, Plugin, WorkerError};
use crate::registry::{FoundCard, model_card};
use crate::report::Progress;
use crate::results::{EXPERIMENT_OPTIONS, similarity_name};
use crate::settings::Settings;
use crate::source::{ModelFolder, model_folder};

/// Arguments about the model.
#[derive(Args, Clone, Debug)]
pub struct ModelArgs {
    /// Model: a name that a plugin brings, a hub id, or a folder with a model.
    #[arg(long, value_name = "ID|DIR|NAME", default_value = "hashing")]
    model: String,
    /// Revision of the model on the hub: a commit, branch or tag [default: that of its card, else the branch main].
    #[arg(long, value_name = "REVISION")]
    revision: Option<String>,
    /// Prompts in place of the model's own: a JSON or TOML file, prompts by name of a task, a type of tasks or a role.
    #[arg(long, value_name = "FILE")]
    prompts: Option<PathBuf>,
    /// Tokens after which a text is cut [default: what the model's files say, else its card].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: Option<u32>,
    /// How two embeddings are compared [default: what the model's card says, else its files].
    #[arg(long)]
    similarity: Option<SimilarityName>,
    /// Device: `auto`, `cpu`, `cuda` or `cuda:N`.
    #[arg(long, default_value = "auto", value_parser = device)]
    device: String,
    /// Number format of the model's computation.
    #[arg(long, default_value = "auto")]
    dtype: Dtype,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Dtype {
    Auto,
    F32,
    Bf16,
    F16,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SimilarityName {
    Cosine,
    Dot,
    Euclidean,
    Manhattan,
}

/// What is known of a model beside its files.
struct Facts {
    card: Option<ModelCard>,
    prompts: Option<PromptFile>,
    max_tokens: Option<u32>,
    similarity: Option<Similarity>,
    brackets: Option<Brackets>,
    /// Number format, if the user asks for another one than models have by themselves.
    dtype: Option<&'static str>,
}

/// The card of a model.
///
/// # Errors
/// If there is one and it cannot be read, which is said.
pub fn card_of(model: &str) -> Result<Option<FoundCard>, Exit> {
    model_card(model).map_err(|fault| {
        output::error(fault);
        Exit::Usage
    })
}

impl ModelArgs {
    /// Starts the model; `tasks` are the names of all tasks that prompts may speak of.
    ///
    /// # Errors
    /// If it cannot be started; why is said.
    pub fn start(
        &self,
        catalog: &Catalog,
        settings: &Settings,
        tasks: &[&str],
        progress: &Progress,
    ) -> Result<ModelClient, Exit> {
        let facts = self.facts(tasks)?;
        let plugin = catalog.model_plugin(&self.model).ok_or_else(|| {
            output::error(self.no_such_model(catalog));
            if catalog.refusals.iter().any(|refusal| refusal.explicit) { Exit::Refused } else { Exit::Usage }
        })?;
        let folder = self.model_folder(plugin, settings, facts.card.as_ref(), progress)?;
        let config = ModelConfig {
            name: self.model.clone(),
            folder: folder.as_ref().map(|folder| folder.path.to_string_lossy().into_owned()),
            revision: folder.and_then(|folder| folder.revision),
            device: self.device.clone(),
            dtype: self.dtype.name().to_owned(),
            threads: 0,
            max_tokens: self.max_tokens,
            max_tokens_otherwise: facts.card.as_ref().and_then(|card| card.max_tokens),
            brackets: facts.brackets.clone(),
        };
        if matches!(self.dtype, Dtype::F16) {
            output::warn("some models give useless embeddings in f16; compare with f32, or take bf16");
        }
        let complete = Box::new(move |info: &mut ModelInfo| facts.complete(info));
        ModelClient::start(plugin, config, settings, complete).map_err(|error| {
            output::error(format!("model {}: {error}", self.model));
            match error {
                WorkerError::Interrupted(_) => Exit::Interrupted,
                WorkerError::Refused(_) => Exit::Refused,
                error if error.is_final() => Exit::Never,
                _ => Exit::Failed,
            }
        })
    }

    fn facts(&self, tasks: &[&str]) -> Result<Facts, Exit> {
        let card = card_of(&self.model)?.map(|found| found.card);
        let prompts =
            self.prompts.as_ref().map(|path| PromptFile::read(path)).transpose().map_err(|error| {
                output::error(error);
                Exit::Usage
            })?;
        let unknown = prompts.as_ref().map(|prompts| prompts.unknown(tasks)).unwrap_or_default();
        if let (Some(path), [_, ..]) = (&self.prompts, unknown.as_slice()) {
            output::warn(format!(
                "{}: expected names of tasks, types of tasks and roles, as `Task`, `STS`, `query` or `Task-query`, found \
                 others, which no text will get: {}",
                path.display(),
                unknown.join(", ")
            ));
        }
        let of_file = prompts.as_ref().and_then(|prompts| prompts.brackets.clone());
        let of_card = card.as_ref().and_then(|card| card.prompts.as_ref()?.brackets.clone());
        let brackets = of_file.or(of_card);
        let similarity = self.similarity.map(SimilarityName::similarity);
        let dtype = Some(self.dtype.name()).filter(|_| !matches!(self.dtype, Dtype::Auto | Dtype::F32));
        Ok(Facts { card, prompts, max_tokens: self.max_tokens, similarity, brackets, dtype })
    }

    /// The model's files, if the plugin does not bring them under this very name.
    fn model_folder(
        &self,
        plugin: &Plugin,
        settings: &Settings,
        card: Option<&ModelCard>,
        progress: &Progress,
    ) -> Result<Option<ModelFolder>, Exit> {
        if plugin.manifest.models.contains(&self.model) {
            return Ok(None);
        }
        let of_card = card.and_then(|card| card.revision.as_deref());
        let revision = self.revision.as_deref().or(of_card);
        let folder = model_folder(settings, &self.model, revision, &*progress.downloads());
        let folder = folder.map_err(|error| {
            let hint = match (&self.revision, of_card) {
                (None, Some(revision)) => {
                    format!(" (revision {revision} is that of its card; `--revision main` asks for the newest one)")
                }
                _ => String::new(),
            };
            output::error(format!("model {}: {error}{hint}", self.model));
            Exit::Failed
        })?;
        if let (Some(asked), Some(found)) =
            (revision, folder.as_ref().and_then(|folder| folder.revision.as_ref()))
            && settings.hub_dir.is_some()
            && asked != found
        {
            let message = format!("model {}: expected revision {asked}, found only {found}", self.model);
            if self.revision.is_some() {
                output::error(message);
                return Err(Exit::Failed);
            }
            output::warn(message);
        }
        Ok(folder)
    }

    fn no_such_model(&self, catalog: &Catalog) -> String {
        let models: Vec<&str> =
            catalog.plugins.iter().flat_map(|plugin| &plugin.manifest.models).map(String::as_str).collect();
        let known = if models.is_empty() { "none".to_owned() } else { models.join(", ") };
        format!(
            "expected a model that a plugin brings, found: {} (known: {known}; models of the hub and local folders need \
             the plugin torch-encoder, which `cargo xtask torch` builds; `mteb-host doctor` lists the plugin folders)",
            self.model
        )
    }
}

impl Facts {
    /// Adds the facts to what a model says of itself.
    ///
    /// # Errors
    /// If the model does not do what it was asked for.
    fn complete(&self, info: &mut ModelInfo) -> Result<(), String> {
        if let Some(asked) = self.max_tokens
            && info.max_tokens.is_none_or(|found| found > asked)
        {
            return Err(format!(
                "expected a model that cuts texts behind {asked} tokens, found one that cannot; leave out `--max-tokens`"
            ));
        }
        if self.brackets.is_some() && info.prompts.brackets != self.brackets {
            return Err("expected a plugin that puts brackets around texts, as the model's prompts need it, found one \
                        that cannot"
                .to_owned());
        }
        if let Some(card) = &self.card {
            card.complete(info);
        }
        let by_itself = info.clone();
        if let Some(prompts) = &self.prompts {
            prompts.apply(&mut info.prompts);
        }
        info.prompts.brackets.clone_from(&self.brackets);
        info.similarity = self.similarity.or(info.similarity);
        self.note_experiment(info, &by_itself);
        Ok(())
    }

    /// Notes what the user chose that the model does not do `by_itself`: its results are kept apart.
    fn note_experiment(&self, info: &mut ModelInfo, by_itself: &ModelInfo) {
        let mut chosen = Map::new();
        if let Some(tokens) = self.max_tokens {
            chosen.insert("max_tokens".to_owned(), tokens.into());
        }
        if let Some(dtype) = self.dtype {
            chosen.insert("dtype".to_owned(), dtype.into());
        }
        if info.similarity.unwrap_or_default() != by_itself.similarity.unwrap_or_default() {
            let name = similarity_name(info.similarity.unwrap_or_default());
            chosen.insert("similarity".to_owned(), name.into());
        }
        if let Some(prompts) = self.prompts.as_ref().filter(|prompts| {
            prompts.brackets.is_some()
                || Prompts { brackets: None, ..info.prompts.clone() }
                    != Prompts { brackets: None, ..by_itself.prompts.clone() }
        }) {
            chosen.insert("prompts".to_owned(), prompts.hash().into());
        }
        if chosen.is_empty() {
            return;
        }
        let options =
            info.meta.entry(EXPERIMENT_OPTIONS.to_owned()).or_insert_with(|| Value::Object(Map::new()));
        match options.as_object_mut() {
            Some(options) => options.extend(chosen),
            None => *options = Value::Object(chosen),
        }
    }
}

impl Dtype {
    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::F16 => "f16",
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

fn device(text: &str) -> Result<String, String> {
    let number = text.strip_prefix("cuda:").map(str::parse::<u32>);
    if matches!(text, "auto" | "cpu" | "cuda") || matches!(number, Some(Ok(_))) {
        return Ok(text.to_owned());
    }
    Err("expected `auto`, `cpu`, `cuda` or `cuda:N`".to_owned())
}
