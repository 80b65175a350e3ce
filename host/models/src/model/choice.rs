//! The model that a user chose, and its start: what the user says takes precedence over its card,
//! and its card over its files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_base::suggest::near_folders;
use mteb_card::ModelCard;
use mteb_plugin_api::v1::ModelConfig;
use mteb_plugin_api::{MODEL_OPTIONS, ModelInfo, Similarity};
use mteb_registry::{FoundCard, ModelCards};
use mteb_source::{ModelFolder, is_repository_name, model_folder};
use mteb_workers::plugins::{Catalog, FoundPlugin, ModelClient, WorkerError};
use mteb_workers::settings::Settings;
use serde_json::{Map, Value};
use tracing::debug_span;

use super::contradiction::{warn_of_ignored_prompts, warn_of_model};
use super::error::{Listener, PythonError};
use super::local::former_identities;
use super::model_settings::ModelSettings;
use super::naming::{Naming, with_own_endpoint};
use super::near::near_styles;
use super::python::{PythonChoice, nowhere};
use super::remote::{Remote, RemoteChoice};
use super::{Bm25Model, Dtype, LoadedModel, ModelError, near, options, python, remote};
use crate::encode::{PromptFile, near_subject};

/// A model, and what is asked of it.
#[derive(Clone, Debug)]
pub struct ModelChoice {
    /// A name that a plugin brings, a hub id, or a folder with a model.
    pub name: String,
    /// What results call it, if it is a folder or code of the user's own.
    pub called: Option<String>,
    /// Revision of the model on the hub; that of its card unless it is given. Of one in a folder or
    /// of code of the user's own, what results call its state.
    pub revision: Option<String>,
    /// A file of prompts in place of the model's own.
    pub prompts: Option<PathBuf>,
    /// Tokens behind which a text is cut; what the model's files say unless it is given.
    pub max_tokens: Option<u32>,
    /// How two embeddings are compared; what the model's card says unless it is given.
    pub similarity: Option<Similarity>,
    /// Device: `auto`, `cpu`, `cuda` or `cuda:N`.
    pub device: String,
    /// Threads of the processor that compute; 0 for all.
    pub threads: usize,
    /// Number format of the model's computation.
    pub dtype: Dtype,
    /// Options that its plugin declares, as the user wrote them.
    pub options: Vec<(String, String)>,
    /// Where its card may be.
    pub cards: ModelCards,
    /// What is chosen of a model behind an endpoint.
    pub remote: RemoteChoice,
    /// What is chosen of a model in Python.
    pub python: PythonChoice,
}

impl ModelChoice {
    /// The model called `name`, as it is by itself.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            called: None,
            revision: None,
            prompts: None,
            max_tokens: None,
            similarity: None,
            device: "auto".to_owned(),
            threads: 0,
            dtype: Dtype::Auto,
            options: Vec::new(),
            cards: ModelCards::beside(&[]),
            remote: RemoteChoice::default(),
            python: PythonChoice::default(),
        }
    }

    /// Starts the model; `tasks` are the names of all tasks that prompts may speak of.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(
        &self,
        catalog: &Catalog,
        settings: &Settings,
        tasks: &[&str],
        listener: &dyn Listener,
    ) -> Result<LoadedModel, ModelError> {
        if let Some(bm25) = Bm25Model::named(&self.name) {
            return self.bm25(bm25);
        }
        let found = remote::card_of(&self.cards, python::hub_name(&self.name)).map_err(ModelError::Card)?;
        let found = found.map(|found| with_own_endpoint(&self.name, found, catalog, listener));
        let remote = remote::remote(&self.name, &self.remote, found.as_ref(), catalog.permissions())?;
        let of_others = remote.as_ref().and_then(|remote| Some((remote.host.as_deref()?, found.as_ref()?)));
        if let Some((host, card)) = of_others {
            listener.say(&format!("Texts are sent to {host}, as {} says", card.file));
        }
        self.check_code(found.as_ref())?;
        let mut facts = self.facts(found.as_ref(), tasks, listener)?;
        let (plugin, folder) = match &remote {
            Some(_) => (catalog.plugin(remote::PLUGIN).ok_or_else(|| self.unknown(catalog))?, None),
            None => {
                // One that takes any name would look for it on the hub, where names have no `:`.
                let plugin = catalog.model_plugin(&self.name);
                let plugin = plugin.filter(|_| near_styles(&self.name, catalog).is_none());
                let plugin = plugin.ok_or_else(|| self.unknown(catalog))?;
                let folder = self.folder(plugin, settings, facts.card.as_ref(), listener)?;
                if folder.is_none() && self.needs_folder(plugin) {
                    return Err(self.unknown(catalog));
                }
                (plugin, folder)
            }
        };
        facts.naming = Naming::of(
            &self.name,
            (self.called.clone(), self.revision.clone()),
            folder.as_ref(),
            plugin.installed,
            listener,
        )?;
        let is_brought = plugin.manifest.models.contains(&self.name);
        // Behind an endpoint a text costs money.
        let tries_prompts = self.prompts.as_ref().filter(|_| remote.is_none());
        let Remote { option, variable, .. } = remote.unwrap_or_default();
        let mut config = self.config(folder, &facts);
        if option.is_null() {
            config.options = self.python_options(settings, listener)?;
            config.options.extend(options::loading_option(&self.name, plugin, found.as_ref())?);
        } else {
            config.options.insert("api".to_owned(), option);
        }
        facts.options = options::choose_options(&self.options, &plugin.manifest, &self.name)?;
        if !facts.options.is_empty() {
            config.options.insert(MODEL_OPTIONS.to_owned(), facts.options.clone().into());
        }
        let complete = Arc::new(move |info: &mut ModelInfo| Ok(facts.complete(info)?));
        let variables = variable.into_iter().chain(self.variables()).collect();
        let files = config.folder.clone();
        let _span = debug_span!("load model", model = self.name).entered();
        let mut client = ModelClient::start(plugin, config, settings, variables, complete)
            .map_err(|source| self.explain_refusal(source, files.as_deref()))?;
        if self.dtype == Dtype::F16 {
            listener.warn("some models give useless embeddings in f16; compare with f32, or use bf16");
        }
        // What a plugin brings is there in one revision.
        let revision = &client.info().identity.revision;
        if let Some(asked) = self.revision.as_ref().filter(|asked| is_brought && *asked != revision) {
            let (asked, found) = (asked.clone(), revision.clone());
            return Err(ModelError::Revision { model: self.name.clone(), asked, found });
        }
        let running = (client.info(), client.config());
        warn_of_model((&self.name, plugin, catalog), (found.as_ref(), &self.cards), running, listener);
        if let Some(path) = tries_prompts {
            warn_of_ignored_prompts(path, &mut client, listener);
        }
        Ok(LoadedModel::from(client))
    }

    /// What `plugin` is told to make the model by itself, without a server behind it.
    ///
    /// # Errors
    /// If its card is at fault, or its files or its interpreter cannot be had.
    pub fn config_for(
        &self,
        plugin: &FoundPlugin,
        settings: &Settings,
        listener: &dyn Listener,
    ) -> Result<ModelConfig, ModelError> {
        let found = remote::card_of(&self.cards, python::hub_name(&self.name)).map_err(ModelError::Card)?;
        self.check_code(found.as_ref())?;
        let facts = self.facts(found.as_ref(), &[], listener)?;
        let folder = self.folder(plugin, settings, facts.card.as_ref(), listener)?;
        let mut options = self.python_options(settings, listener)?;
        options.extend(options::loading_option(&self.name, plugin, found.as_ref())?);
        let chosen = options::choose_options(&self.options, &plugin.manifest, &self.name)?;
        if !chosen.is_empty() {
            options.insert(MODEL_OPTIONS.to_owned(), chosen.into());
        }
        Ok(ModelConfig { options, ..self.config(folder, &facts) })
    }

    /// The variables of the environment that the model may see beside the usual ones.
    pub fn variables(&self) -> Option<String> {
        python::kind_of(&self.name).map(|_| python::PATH_VARIABLE.to_owned())
    }

    /// Names and revisions that the model of `info` had in results before folders had identities of
    /// their own, other than it has now.
    pub fn former_identities(&self, info: &ModelInfo) -> Vec<(String, String)> {
        let folder = Path::new(python::hub_name(&self.name));
        if python::is_code(&self.name) || !folder.is_dir() {
            return Vec::new();
        }
        let mut former = former_identities(&self.name, folder, info);
        former.retain(|(name, revision)| (name, revision) != (&info.identity.name, &info.identity.revision));
        former
    }

    fn config(&self, folder: Option<ModelFolder>, facts: &ModelSettings) -> ModelConfig {
        ModelConfig {
            name: self.name.clone(),
            folder: folder.as_ref().map(|folder| folder.path.to_string_lossy().into_owned()),
            revision: match folder {
                Some(folder) => folder.revision,
                None => self.revision.clone().filter(|_| python::is_code(&self.name)),
            },
            device: self.device.clone(),
            dtype: self.dtype.name().to_owned(),
            threads: self.threads,
            max_tokens: self.max_tokens,
            max_tokens_otherwise: facts.card.as_ref().and_then(|card| card.max_tokens),
            brackets: facts.brackets.clone(),
            options: Map::new(),
        }
    }

    fn python_options(
        &self,
        settings: &Settings,
        listener: &dyn Listener,
    ) -> Result<Map<String, Value>, ModelError> {
        let mut options = Map::new();
        if python::kind_of(&self.name).is_some() {
            options.insert("python".to_owned(), python::option(&self.python, settings, listener)?);
        }
        Ok(options)
    }

    /// Checks that no card of others chooses the code that runs: any request to change a repository
    /// has a revision there.
    fn check_code(&self, found: Option<&FoundCard>) -> Result<(), ModelError> {
        let is_of_others = |found: &&FoundCard| {
            let own = ModelCards::of_binary().card(&found.card.name).ok().flatten();
            !found.is_embedded && own.is_none_or(|own| own.card.revision != found.card.revision)
        };
        let runs_code = self.python.trust_remote_code && python::kind_of(&self.name).is_some();
        let found = found.filter(|_| runs_code && self.revision.is_none()).filter(is_of_others);
        let Some((found, revision)) = found.and_then(|found| Some((found, found.card.revision.as_ref()?)))
        else {
            return Ok(());
        };
        let (file, revision) = (found.file.clone(), revision.to_string());
        Err(PythonError::NoRevision { file, revision }.into())
    }

    /// The refusal of the model by the plugin; `files` is the folder with its files.
    fn explain_refusal(&self, source: WorkerError, files: Option<&str>) -> ModelError {
        let hint = near::after(&source, &self.name, files);
        ModelError::Worker { model: self.name.clone(), source: Box::new(source), hint }
    }

    /// BM25, which has nothing to choose.
    fn bm25(&self, bm25: Bm25Model) -> Result<LoadedModel, ModelError> {
        let chosen = [
            ("--name", self.called.is_some()),
            ("--revision", self.revision.is_some()),
            ("--prompts", self.prompts.is_some()),
            ("--max-tokens", self.max_tokens.is_some()),
            ("--similarity", self.similarity.is_some()),
            ("--dtype", self.dtype != Dtype::Auto),
            ("--model-option", !self.options.is_empty()),
        ];
        match chosen.into_iter().find(|(_, is_chosen)| *is_chosen) {
            Some((option, _)) => {
                let model = self.name.clone();
                Err(ModelError::NoOption { model, option })
            }
            None => Ok(LoadedModel::Bm25(Box::new(bm25))),
        }
    }

    fn facts(
        &self,
        found: Option<&FoundCard>,
        tasks: &[&str],
        listener: &dyn Listener,
    ) -> Result<ModelSettings, ModelError> {
        let card = found.map(|found| found.card.clone());
        let prompts = self.prompts.as_ref().map(|path| PromptFile::read(path)).transpose();
        let prompts = prompts.map_err(ModelError::Prompts)?;
        let unknown = prompts.as_ref().map(|prompts| prompts.unknown(tasks)).unwrap_or_default();
        if let (Some(path), [_, ..]) = (&self.prompts, unknown.as_slice()) {
            let unknown: Vec<String> =
                unknown.iter().map(|name| format!("{name}{}", near_subject(name, tasks))).collect();
            listener.warn(&format!(
                "{}: expected names of tasks, task types and roles, such as `Task`, `STS`, `query` or \
                 `Task-query`, found others, which no text will get: {}",
                path.display(),
                unknown.join(", ")
            ));
        }
        let of_file = prompts.as_ref().and_then(|prompts| prompts.brackets.clone());
        let of_card = card.as_ref().and_then(|card| card.prompts.as_ref()?.brackets.clone());
        let brackets = of_file.or(of_card);
        let dtype = Some(self.dtype.name()).filter(|_| self.dtype != Dtype::Auto);
        let (max_tokens, similarity) = (self.max_tokens, self.similarity);
        let (naming, options) = (Naming::default(), Map::new());
        Ok(ModelSettings { card, prompts, max_tokens, similarity, brackets, dtype, naming, options })
    }

    /// The model's files, if the plugin does not bring them under this very name.
    fn folder(
        &self,
        plugin: &FoundPlugin,
        settings: &Settings,
        card: Option<&ModelCard>,
        listener: &dyn Listener,
    ) -> Result<Option<ModelFolder>, ModelError> {
        if python::is_code(&self.name) || plugin.manifest.models.contains(&self.name) {
            return Ok(None);
        }
        let of_card = card.and_then(|card| card.revision.as_deref());
        let revision = self.revision.as_deref().or(of_card);
        let with_code = self.python.trust_remote_code && python::kind_of(&self.name).is_some();
        let name = python::hub_name(&self.name);
        let folder = model_folder(settings, name, revision, with_code, &*listener.downloads());
        // What is not on the hub may be what the reference's loader makes of itself.
        let is_python = python::kind_of(&self.name).is_some();
        let is_of_loader = python::kind_of(&self.name).is_some_and(|(kind, _)| kind == "mteb");
        let folder = if is_of_loader { Ok(folder.ok().flatten()) } else { folder };
        let folder = folder.map_err(|source| {
            let hint = match (&self.revision, of_card) {
                (None, Some(revision)) => {
                    format!(
                        " (revision {revision} is that of its card; `--revision main` selects the newest one)"
                    )
                }
                _ if is_python => near_folders(python::hub_name(&self.name)),
                _ => String::new(),
            };
            ModelError::Files { model: self.name.clone(), source: Box::new(source), hint }
        })?;
        if let Some(root) = settings.hub_dir.as_ref().filter(|_| folder.is_none() && !is_of_loader)
            && is_repository_name(name)
            && !(is_python && is_in_cache(settings, name))
        {
            let folder = root.join("models").join(name).display().to_string();
            return Err(ModelError::NotMirrored { model: self.name.clone(), folder });
        }
        if let Some(message) = nowhere(&self.name, settings).filter(|_| folder.is_none()) {
            return Err(ModelError::Unknown { message, is_refused: false, is_shortage: false });
        }
        if let (Some(asked), Some(found)) =
            (revision, folder.as_ref().and_then(|folder| folder.revision.as_ref()))
            && settings.hub_dir.is_some()
            && asked != found
        {
            let (asked, found) = (asked.to_owned(), found.to_owned());
            let other = ModelError::Revision { model: self.name.clone(), asked, found };
            if self.revision.is_some() {
                return Err(other);
            }
            listener.warn(&other.to_string());
        }
        Ok(folder)
    }
}

/// True if the hub's cache has something of the model, which Python reads from there.
fn is_in_cache(settings: &Settings, name: &str) -> bool {
    settings.hub_access().cache.join(format!("models--{}", name.replace('/', "--"))).is_dir()
}
