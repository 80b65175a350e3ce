//! A model folder as sentence-transformers and transformers lay it out.

mod config;
mod module;
mod rules;
mod settings;

use std::path::{Path, PathBuf};

use mteb_plugin_api::Loading;
use serde_json::{Map, Value};

pub use config::Config;

use crate::error::TorchError;
use crate::files::{foreign_weights, optional};
use module::Entry;
use settings::max_length;

pub use module::{Input, Module, Transformer};
pub use rules::{Rule, Rules, excerpt};

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
        let settings = settings::of_model(path)?;
        let entries: Option<Vec<Map<String, Value>>> = optional(&path.join("modules.json"))?;
        match entries {
            Some(entries) => of_modules(path, &entries, settings),
            None => match module::files(path) {
                Some((network, pieces)) => Ok(ModelFolder {
                    path: path.to_owned(),
                    input: Input::Laser { network, pieces },
                    modules: module::modules(path),
                    sentence_transformers: Config::default(),
                    cross_encoder: false,
                    loading: Loading::default(),
                }),
                // Without modules sentence-transformers reads no settings of the whole model either.
                None => plain(path),
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

    /// True if texts are cut behind the positions of the network, whatever maximum the files have: somebody wants another one, or
    /// `config.json` leaves the number of positions to the library, which takes that of the network.
    pub fn is_cut_at_positions(&self) -> bool {
        let Input::Transformer(transformer) = &self.input else { return true };
        transformer.is_limited || transformer.config.get("max_position_embeddings").is_none()
    }

    /// Checks that the maximum of the model's own settings is not above its `positions`.
    ///
    /// # Errors
    /// If it is: the model's library fails there at longer texts.
    pub fn check_length(&self, positions: usize) -> Result<(), TorchError> {
        let Input::Transformer(transformer) = &self.input else { return Ok(()) };
        match transformer.stated_length.filter(|length| *length > positions) {
            None => Ok(()),
            Some(length) => Err(TorchError::Malformed {
                path: transformer.folder.clone(),
                message: format!(
                    "`max_seq_length`: expected at most {positions}, as many as the model has positions for, found {length}, with which \
                     its own library fails at longer texts; put {positions}, or `--max-tokens {positions}`"
                ),
            }),
        }
    }

    /// Takes what the reference sets; what is wanted of [`Self::limit`] goes before it.
    pub fn load_as(&mut self, loading: Loading) {
        self.limit(loading.max_tokens, None);
        let pooling = self.modules.iter_mut().find(|module| module.kind == "Pooling");
        if let (Some(pooling), Some(includes)) = (pooling, loading.include_prompt) {
            pooling.config.set("include_prompt", includes.into());
        }
        self.loading = loading;
    }

    /// Cuts texts behind `wanted` tokens whatever the files say, or behind `otherwise` tokens if they do not say.
    pub fn limit(&mut self, wanted: Option<u32>, otherwise: Option<u32>) {
        if let Input::Transformer(transformer) = &mut self.input {
            let length = |tokens: Option<u32>| tokens.and_then(|tokens| usize::try_from(tokens).ok());
            transformer.stated_length = transformer.stated_length.filter(|_| wanted.is_none());
            transformer.is_limited |= wanted.is_some();
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
        poolings.into_iter().any(|pooling| !pooling.config.flag_or("include_prompt", true))
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
    let file = path.join("modules.json");
    let mut input = None;
    let mut modules = Vec::new();
    for (number, Entry { kind, folder }) in module::read(path, entries)?.into_iter().enumerate() {
        let first = match kind.as_str() {
            "Transformer" => {
                Some(Input::Transformer(Box::new(transformer(&folder, &settings::of_transformer(&folder)?)?)))
            }
            "WordEmbeddings" => Some(Input::WordEmbeddings(folder.clone())),
            "StaticEmbedding" => Some(Input::StaticEmbedding(folder.clone())),
            other if MODULES.contains(&other) => None,
            other => {
                let known = "Transformer, WordEmbeddings, StaticEmbedding";
                let message =
                    format!("expected modules among {known}, {}, found: {other}", MODULES.join(", "));
                return Err(TorchError::Unsupported { path: file, message });
            }
        };
        match (first, number) {
            (Some(first), 0) => input = Some(first),
            (None, 1..) => {
                // What the others need is a number that no file but this has.
                let path = folder.join(config_name(&kind));
                let optional = matches!(kind.as_str(), "Normalize" | "Dropout");
                let config = if optional { Config::read_if_there(&path)? } else { Config::read(&path)? };
                modules.push(Module { kind, folder, config });
            }
            _ => {
                let message = format!(
                    "expected a Transformer, WordEmbeddings or StaticEmbedding module first and nowhere else, found {kind} as \
                     number {number}"
                );
                return Err(TorchError::Malformed { path: file, message });
            }
        }
    }
    let Some(input) = input else {
        return Err(TorchError::Malformed { path: file, message: "expected modules, found none".to_owned() });
    };
    let cross_encoder = match &input {
        Input::Transformer(transformer) => is_classifier(&transformer.config) && modules.is_empty(),
        _ => false,
    };
    let wanted = if cross_encoder { "CrossEncoder" } else { "SentenceTransformer" };
    if let Some(found) = sentence_transformers.raw("model_type").filter(|found| *found != wanted) {
        return Err(
            sentence_transformers.unsupported(format!("`model_type`: expected {wanted}, found: {found}"))
        );
    }
    if !cross_encoder {
        module::check(&file, &input, &modules)?;
    }
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

fn plain(path: &Path) -> Result<ModelFolder, TorchError> {
    // Without modules sentence-transformers reads no settings of the transformer.
    refuse_model2vec(path)?;
    let transformer = transformer(path, &Config::default())?;
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
        sentence_transformers: Config::default(),
        cross_encoder,
        loading: Loading::default(),
    })
}

/// Refuses what model2vec writes by itself: no network, whatever the tokenizer beside it lacks for one.
fn refuse_model2vec(path: &Path) -> Result<(), TorchError> {
    let config = Config::read_if_there(&path.join("config.json"))?;
    if config.text_or("model_type", "") != "model2vec" {
        return Ok(());
    }
    Err(config.wrong(
        "`model_type`: expected a `modules.json` that says StaticEmbedding beside a model of model2vec, found none; \
         `SentenceTransformer(modules=[StaticEmbedding.from_model2vec(FOLDER)]).save(OTHER)` writes a folder with it"
            .to_owned(),
    ))
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

fn transformer(folder: &Path, sentence: &Config) -> Result<Transformer, TorchError> {
    settings::refuse(folder)?;
    foreign_weights(folder)?;
    let config = Config::read(&folder.join("config.json"))?;
    let tokenizer = Config::read_if_there(&folder.join("tokenizer_config.json"))?;
    tokenizer.obey(&[
        ("model_max_length", Rule::Number),
        ("truncation_side", Rule::OneOf(&["left", "right"])),
        ("do_lower_case", Rule::Flag),
        (settings::PADDING_SIDE, Rule::OneOf(&["left", "right"])),
        ("split_special_tokens", Rule::Off),
    ])?;
    Ok(Transformer {
        folder: folder.to_owned(),
        max_length: max_length(&config, sentence, &tokenizer),
        stated_length: max_length(&Config::default(), sentence, &Config::default()),
        is_limited: false,
        lower_case: sentence.flag_or("do_lower_case", false),
        padding_side: settings::padding_side(sentence),
        task: sentence.text_or("transformer_task", "feature-extraction").to_owned(),
        config,
        tokenizer,
    })
}
