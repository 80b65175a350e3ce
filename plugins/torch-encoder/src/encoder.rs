//! The model as the host sees it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use mteb_plugin_api::v1::{LOADING, Model, ModelConfig, PluginError, Role};
use mteb_plugin_api::{Identity, Loading, ModelInfo, Prompts, Similarity};
use serde_json::{Map, Value};
use tch::Device;

use crate::architectures::{framing, list_known, refuse_remote_code};
use crate::device::{device_name, device_of, kind_of};
use crate::engine::Engine;
use crate::error::TorchError;
use crate::files::{refuse_file, weights_hash};
use crate::folder::{Config, ModelFolder};
use crate::replica::Loaded;
use crate::tokenizer::{TextTokenizer, check_ids, check_lengths};
use crate::wrapping::{BracketIds, Reranker};

/// A sentence-transformers model on libtorch: an encoder, or a cross-encoder.
pub struct TorchEncoder {
    tokenizer: TextTokenizer,
    engine: Engine,
    info: ModelInfo,
    /// True if pooling leaves the prompt out.
    skips_prompt: bool,
    /// Number of token ids that have a vector.
    vocabulary: i64,
    /// Tokens of the longest text that the network has positions for, where the files cut no text before.
    positions: Option<usize>,
    /// How a language model is asked about a pair.
    reranker: Option<Reranker>,
    /// What stands around a text by its role.
    brackets: Option<BracketIds>,
}

impl TorchEncoder {
    /// Opens the model that `config` names.
    ///
    /// # Errors
    /// If the folder is not a model that this plugin knows, or the device cannot be had.
    pub fn open(config: &ModelConfig) -> Result<Self, TorchError> {
        // Who asks for a device without a folder asks whether it can be had.
        let device = device_of(&config.device)?;
        let path = config.folder.as_ref().ok_or_else(|| {
            let named = Path::new(&config.name);
            if named.is_file() { refuse_file(named) } else { TorchError::NoFolder(config.name.clone()) }
        })?;
        let mut folder = ModelFolder::read(Path::new(path))?;
        refuse_remote_code(&folder, &list_known())?;
        folder.load_as(loading_of(config)?);
        folder.limit(config.max_tokens, config.max_tokens_otherwise);
        let wanted = AtomicBool::new(true);
        // To hash the weights takes as long as to read them, so that both happen at once.
        std::thread::scope(|scope| {
            let hash = scope.spawn(|| weights_hash(folder.folders(), &wanted));
            let opened = Self::load(config, &folder, device);
            wanted.store(opened.is_ok(), Ordering::Relaxed);
            let (mut encoder, hash) = (opened, hash.join());
            if let Ok(encoder) = &mut encoder {
                let panicked =
                    |_| TorchError::Torch("the thread that hashes the weights panicked".to_owned());
                encoder.identify(config, hash.map_err(panicked)??);
            }
            encoder
        })
    }

    /// How many tokens `texts` have as `encode` has them: for measurements, as it costs what tokenising does.
    ///
    /// # Errors
    /// If a text cannot be tokenised.
    pub fn count_exactly(&self, texts: &[&str]) -> Result<usize, TorchError> {
        Ok(self.tokenizer.texts(texts, "")?.iter().map(|tokens| tokens.ids.len()).sum())
    }

    /// The model without the hash of its weights.
    fn load(config: &ModelConfig, folder: &ModelFolder, device: Device) -> Result<Self, TorchError> {
        let (kind, dtype) = kind_of(&config.dtype, device)?;
        let _guard = tch::no_grad_guard();
        // By itself libtorch counts cores, whatever the quota: weights are converted and laid together on these threads too.
        let threads = Engine::threads(config.threads);
        tch::set_num_threads(i32::try_from(threads).unwrap_or(1));
        // The tokenizer is quick to read; what is wrong with it is said before the weights are read.
        let tokenizer = TextTokenizer::read(folder, framing(folder), folder.max_length())?;
        let loaded = Loaded::read(folder, device, kind)?;
        let asks = folder.cross_encoder && folder.is_language_model();
        let loaded = if asks { loaded.answering(&tokenizer)? } else { loaded };
        let brackets = config.brackets.as_ref().map(|brackets| BracketIds::read(brackets, &tokenizer));
        let brackets = brackets.transpose()?;
        let room = if brackets.is_some() { BracketIds::COUNT } else { 0 };
        let Fitted { tokenizer, max_length, vocabulary, positions } = fit(folder, &loaded, tokenizer, room)?;
        let engine = Engine::new(&loaded, device, threads)?;
        let info = describe(config, folder, &loaded, (engine.width(), max_length, dtype));
        let info = ModelInfo { device: Some(device_name(device)), ..info };
        let reranker = if asks { Some(Reranker::new(folder, max_length)?) } else { None };
        Ok(Self {
            tokenizer,
            engine,
            info,
            skips_prompt: folder.skips_prompt(),
            vocabulary,
            positions,
            reranker,
            brackets,
        })
    }

    /// Takes the hash of the weights into the identity.
    fn identify(&mut self, config: &ModelConfig, weights: String) {
        let identity = &mut self.info.identity;
        identity.revision = config.revision.clone().unwrap_or_else(|| format!("sha256-{}", &weights[..16]));
        identity.weights = weights;
    }

    fn rows(&self, texts: &[&str], role: Role, prompt: &str, out: &mut [f32]) -> Result<(), TorchError> {
        let mut tokens = self.tokenizer.texts(texts, prompt)?;
        if let Some(brackets) = &self.brackets {
            brackets.put(&mut tokens, role);
        }
        check_ids(&tokens, self.vocabulary)?;
        check_lengths(&tokens, self.positions)?;
        let skip =
            if self.skips_prompt && !prompt.is_empty() { self.tokenizer.prompt_length(prompt)? } else { 0 };
        self.engine.rows(&tokens, skip, out)
    }

    fn scores(
        &self,
        queries: &[&str],
        documents: &[&str],
        instruction: &str,
        out: &mut [f32],
    ) -> Result<(), TorchError> {
        let tokens = match &self.reranker {
            Some(reranker) => reranker.tokens(queries, documents, instruction)?,
            None => {
                let queries: Vec<String> =
                    queries.iter().map(|query| format!("{instruction}{query}")).collect();
                self.tokenizer.pairs(&queries, documents)?
            }
        };
        check_ids(&tokens, self.vocabulary)?;
        check_lengths(&tokens, self.positions)?;
        self.engine.rows(&tokens, 0, out)
    }
}

impl Model for TorchEncoder {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    fn count_tokens(&self, texts: &[&str], out: &mut [u32]) -> Result<(), PluginError> {
        // The batches of the host only bound memory here, as this plugin sorts and packs by itself; counting
        // characters saves tokenising twice.
        for (text, count) in texts.iter().zip(out) {
            *count = u32::try_from(text.len() / 4 + 2).unwrap_or(u32::MAX);
        }
        Ok(())
    }

    fn encode(
        &mut self,
        texts: &[&str],
        role: Role,
        instruction: &str,
        out: &mut [f32],
    ) -> Result<(), PluginError> {
        if self.info.cross_encoder {
            return Err(PluginError::unsupported("encode"));
        }
        Ok(self.rows(texts, role, instruction, out)?)
    }

    fn predict(
        &mut self,
        queries: &[&str],
        documents: &[&str],
        instruction: &str,
        out: &mut [f32],
    ) -> Result<(), PluginError> {
        if !self.info.cross_encoder {
            return Err(PluginError::unsupported("predict"));
        }
        Ok(self.scores(queries, documents, instruction, out)?)
    }
}

/// What the reference sets beside the model's files.
fn loading_of(config: &ModelConfig) -> Result<Loading, TorchError> {
    let option = config.options.get(LOADING).cloned().unwrap_or_else(|| Value::Object(Map::new()));
    serde_json::from_value(option)
        .map_err(|error| TorchError::Option { name: LOADING, message: error.to_string() })
}

/// A tokenizer that fits a network.
struct Fitted {
    tokenizer: TextTokenizer,
    /// Tokens of the longest text.
    max_length: Option<usize>,
    /// Number of ids that have a vector.
    vocabulary: i64,
    /// Positions of the network, where the tokenizer does not cut behind them.
    positions: Option<usize>,
}

/// Checks the tokenizer against the network, and shortens a maximum that somebody wants to the positions that the network has. `room`
/// positions stay free. A maximum of the files that is above them stays: the model's library fails at longer texts, too.
fn fit(
    folder: &ModelFolder,
    loaded: &Loaded<'_>,
    tokenizer: TextTokenizer,
    room: usize,
) -> Result<Fitted, TorchError> {
    let replica = loaded.replica()?;
    loaded.refuse_left()?;
    let architecture = replica.architecture();
    let vocabulary = architecture.vocabulary();
    tokenizer.check_fits(vocabulary, folder.path())?;
    let stated = folder.max_length();
    let positions = architecture.positions().and_then(|positions| usize::try_from(positions).ok());
    if let Some(positions) = positions {
        folder.check_length(positions)?;
    }
    let positions = positions.map(|positions| positions.saturating_sub(room).max(1));
    let too_few = positions.filter(|positions| stated.is_none_or(|stated| stated > *positions));
    let (tokenizer, positions) = match too_few {
        Some(positions) if room > 0 || folder.is_cut_at_positions() => {
            (TextTokenizer::read(folder, framing(folder), Some(positions))?, None)
        }
        positions => (tokenizer, positions),
    };
    Ok(Fitted { tokenizer, max_length: too_few.or(stated), vocabulary, positions })
}

fn describe(
    config: &ModelConfig,
    folder: &ModelFolder,
    loaded: &Loaded<'_>,
    (width, max_length, dtype): (usize, Option<usize>, &str),
) -> ModelInfo {
    ModelInfo {
        identity: Identity { name: name_of(config), dtype: dtype.to_owned(), ..Identity::default() },
        dimension: if folder.cross_encoder { 0 } else { u32::try_from(width).unwrap_or_default() },
        max_tokens: max_length.and_then(|length| u32::try_from(length).ok()),
        similarity: Some(similarity_of(&folder.sentence_transformers)),
        cross_encoder: folder.cross_encoder,
        prompts: Prompts { brackets: config.brackets.clone(), ..prompts_of(&folder.sentence_transformers) },
        parameters: Some(loaded.parameters()),
        ..ModelInfo::default()
    }
}

/// A hub id as it is; a folder is called `local/<its name>`.
fn name_of(config: &ModelConfig) -> String {
    let is_folder = config.folder.as_deref() == Some(config.name.as_str());
    if !is_folder && config.name.contains('/') {
        return config.name.clone();
    }
    let path = PathBuf::from(&config.name);
    let path = path.canonicalize().unwrap_or(path);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    format!("local/{name}")
}

/// How rows are compared; cosine where nothing is stated.
fn similarity_of(settings: &Config) -> Similarity {
    match settings.text_or("similarity_fn_name", "") {
        "dot" | "dot_product" => Similarity::Dot,
        "euclidean" => Similarity::Euclidean,
        "manhattan" => Similarity::Manhattan,
        _ => Similarity::Cosine,
    }
}

/// The named prompts, and which one is the default.
fn prompts_of(settings: &Config) -> Prompts {
    let named = settings.get("prompts").and_then(Value::as_object).into_iter().flatten();
    let mut named: BTreeMap<String, String> =
        named.filter_map(|(name, prompt)| Some((name.clone(), prompt.as_str()?.to_owned()))).collect();
    if !named.is_empty() {
        // The library has both roles, which then hide a default prompt and one for passages.
        for role in ["query", "document"] {
            named.entry(role.to_owned()).or_default();
        }
    }
    let default = settings.get("default_prompt_name").and_then(Value::as_str).map(str::to_owned);
    Prompts { named, default, ..Prompts::default() }
}
