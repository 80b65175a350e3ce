//! A model folder as sentence-transformers and transformers lay it out.

mod config;
mod laser;
mod limit;
mod module;

use std::path::{Path, PathBuf};

use mteb_plugin_api::Loading;
use serde_json::{Map, Value};

pub use config::Config;
use limit::max_length;
pub use module::{Input, Module, Transformer};

use crate::error::TorchError;
use crate::files::optional;

/// What a model folder says.
#[derive(Clone, Debug)]
pub struct ModelFolder {
    path: PathBuf,
    /// What turns a text into rows of tokens.
    pub input: Input,
    /// What follows, in order.
    pub modules: Vec<Module>,
    /// `config_sentence_transformers.json`: prompts, default prompt, similarity.
    pub sentence_transformers: Config,
    /// True if the model scores pairs.
    pub cross_encoder: bool,
    /// What the reference sets in place of the files.
    pub loading: Loading,
}

/// Modules that may follow the first one; `Dropout` does nothing here.
const MODULES: [&str; 7] = ["Pooling", "Dense", "Normalize", "LayerNorm", "LSTM", "WordWeights", "Dropout"];

/// Where sentence-transformers of several generations kept the settings of a transformer.
const SETTINGS: [&str; 7] = [
    "sentence_bert_config.json",
    "sentence_roberta_config.json",
    "sentence_distilbert_config.json",
    "sentence_camembert_config.json",
    "sentence_albert_config.json",
    "sentence_xlm-roberta_config.json",
    "sentence_xlnet_config.json",
];

impl ModelFolder {
    /// Reads the folder at `path`. Without `modules.json` it is a plain transformer: mean pooling, last-token pooling
    /// for one made to continue texts, or a cross-encoder for a sequence classifier.
    ///
    /// # Errors
    /// If a file that is needed is absent or malformed.
    pub fn read(path: &Path) -> Result<Self, TorchError> {
        if !path.is_dir() {
            return Err(TorchError::Missing { path: path.to_owned(), expected: "a folder with a model" });
        }
        let settings = Config::read_if_there(&path.join("config_sentence_transformers.json"))?;
        let entries: Option<Vec<Map<String, Value>>> = optional(&path.join("modules.json"))?;
        match entries.filter(|entries| !entries.is_empty()) {
            Some(entries) => of_modules(path, &entries, settings),
            None => match laser::files(path) {
                Some((network, pieces)) => Ok(ModelFolder {
                    path: path.to_owned(),
                    input: Input::Laser { network, pieces },
                    modules: laser::modules(path),
                    sentence_transformers: Config::default(),
                    cross_encoder: false,
                    loading: Loading::default(),
                }),
                None => plain(path, settings),
            },
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Tokens after which a text is cut.
    pub fn max_length(&self) -> Option<usize> {
        match &self.input {
            Input::Transformer(transformer) => transformer.max_length,
            _ => None,
        }
    }

    /// Takes what the reference sets; what is wanted of [`Self::limit`] goes before it.
    pub fn load_as(&mut self, loading: Loading) {
        self.limit(loading.max_tokens, None);
        self.loading = loading;
    }

    /// Cuts texts behind `wanted` tokens whatever the files say, or behind `otherwise` tokens if they do not say.
    pub fn limit(&mut self, wanted: Option<u32>, otherwise: Option<u32>) {
        if let Input::Transformer(transformer) = &mut self.input {
            let length = |tokens: Option<u32>| tokens.and_then(|tokens| usize::try_from(tokens).ok());
            transformer.max_length = length(wanted).or(transformer.max_length).or(length(otherwise));
        }
    }

    /// True for a model that continues texts.
    pub fn is_language_model(&self) -> bool {
        matches!(&self.input, Input::Transformer(transformer) if transformer.config.class().ends_with("ForCausalLM"))
    }

    /// True if pooling leaves the tokens of a prompt out.
    pub fn skips_prompt(&self) -> bool {
        let poolings = self.modules.iter().filter(|module| module.kind == "Pooling");
        let by_files = poolings.into_iter().any(|pooling| !pooling.config.flag_or("include_prompt", true));
        self.loading.include_prompt.map_or(by_files, |includes| !includes)
    }

    /// Every folder that may hold weights.
    pub fn folders(&self) -> Vec<&Path> {
        let first: &Path = match &self.input {
            Input::Transformer(transformer) => &transformer.folder,
            Input::WordEmbeddings(path) | Input::StaticEmbedding(path) => path,
            Input::Laser { .. } => &self.path,
        };
        let weighty = self.modules.iter().filter(|module| module.folder != first);
        std::iter::once(first).chain(weighty.map(|module| module.folder.as_path())).collect()
    }
}

fn of_modules(
    path: &Path,
    entries: &[Map<String, Value>],
    sentence_transformers: Config,
) -> Result<ModelFolder, TorchError> {
    let wrong = |message: String| TorchError::Malformed { path: path.join("modules.json"), message };
    let mut input = None;
    let mut modules = Vec::new();
    for entry in entries {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        let folder = if text("path").is_empty() { path.to_owned() } else { path.join(text("path")) };
        let kind = text("type").rsplit('.').next().unwrap_or_default();
        match kind {
            "Transformer" => input = Some(Input::Transformer(Box::new(transformer(&folder)?))),
            "WordEmbeddings" => input = Some(Input::WordEmbeddings(folder)),
            "StaticEmbedding" => input = Some(Input::StaticEmbedding(folder)),
            _ if MODULES.contains(&kind) => {
                let config = Config::read_if_there(&folder.join(config_name(kind)))?;
                modules.push(Module { kind: kind.to_owned(), folder, config });
            }
            other => {
                let known = "Transformer, WordEmbeddings, StaticEmbedding";
                let message =
                    format!("expected modules among {known}, {}, found: {other}", MODULES.join(", "));
                return Err(TorchError::Unsupported { path: path.join("modules.json"), message });
            }
        }
    }
    let input = input.ok_or_else(|| {
        wrong("expected a Transformer, WordEmbeddings or StaticEmbedding module, found none".to_owned())
    })?;
    let cross_encoder = match &input {
        Input::Transformer(transformer) => is_classifier(&transformer.config) && modules.is_empty(),
        _ => false,
    };
    let loading = Loading::default();
    Ok(ModelFolder { path: path.to_owned(), input, modules, sentence_transformers, cross_encoder, loading })
}

/// The file that a module keeps its settings in.
fn config_name(kind: &str) -> &'static str {
    match kind {
        "LSTM" => "lstm_config.json",
        _ => "config.json",
    }
}

fn plain(path: &Path, sentence_transformers: Config) -> Result<ModelFolder, TorchError> {
    let transformer = transformer(path)?;
    let config = &transformer.config;
    let cross_encoder = is_classifier(config) || is_reranker(path, config);
    let continues = config.class().ends_with("ForCausalLM") && config.flag_or("is_causal", true);
    let mode = if continues { "lasttoken" } else { "mean" };
    let pooling = Module {
        kind: "Pooling".to_owned(),
        folder: path.to_owned(),
        config: Config::of([("pooling_mode".to_owned(), Value::from(mode))]),
    };
    let modules = if cross_encoder { Vec::new() } else { vec![pooling] };
    Ok(ModelFolder {
        path: path.to_owned(),
        input: Input::Transformer(Box::new(transformer)),
        modules,
        sentence_transformers,
        cross_encoder,
        loading: Loading::default(),
    })
}

fn is_classifier(config: &Config) -> bool {
    config.class().ends_with("ForSequenceClassification")
}

/// Qwen3's rerankers are plain language models; only their name tells them from others.
fn is_reranker(path: &Path, config: &Config) -> bool {
    let names = path.to_string_lossy().to_lowercase();
    config.text_or("model_type", "") == "qwen3"
        && config.class().ends_with("ForCausalLM")
        && names.contains("reranker")
}

fn transformer(folder: &Path) -> Result<Transformer, TorchError> {
    let config = Config::read(&folder.join("config.json"))?;
    let tokenizer = Config::read_if_there(&folder.join("tokenizer_config.json"))?;
    let settings = SETTINGS.map(|name| folder.join(name)).into_iter().find(|path| path.is_file());
    let sentence = settings.map_or_else(|| Ok(Config::default()), |path| Config::read(&path))?;
    Ok(Transformer {
        folder: folder.to_owned(),
        max_length: max_length(&config, &sentence, &tokenizer),
        lower_case: sentence.flag_or("do_lower_case", false),
        config,
        tokenizer,
    })
}
