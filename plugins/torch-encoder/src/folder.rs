//! A model folder as sentence-transformers and transformers lay it out.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::TorchError;

/// What a model folder says.
#[derive(Clone, Debug)]
pub struct ModelFolder {
    /// The folder with transformer and tokenizer.
    pub transformer: PathBuf,
    /// `config.json` of the transformer.
    pub config: Map<String, Value>,
    /// What follows the transformer, in order.
    pub modules: Vec<Module>,
    /// Tokens after which a text is cut.
    pub max_length: Option<usize>,
    /// True if texts are made lower-case before the tokenizer.
    pub lower_case: bool,
    /// `config_sentence_transformers.json`: prompts, default prompt, similarity.
    pub sentence_transformers: Map<String, Value>,
}

/// A step behind the transformer.
#[derive(Clone, Debug)]
pub enum Module {
    /// One row a text from the rows of its tokens.
    Pooling(Map<String, Value>),
    /// A linear layer; the folder holds its configuration and weights.
    Dense(PathBuf),
    /// Rows of length 1.
    Normalize,
}

impl ModelFolder {
    /// Reads the folder at `path`. A folder without `modules.json` is a plain transformer with mean pooling.
    ///
    /// # Errors
    /// If a file that is needed is absent or malformed.
    pub fn read(path: &Path) -> Result<Self, TorchError> {
        let modules_file = path.join("modules.json");
        let entries: Vec<Map<String, Value>> = optional(&modules_file)?.unwrap_or_default();
        let mut transformer = path.to_owned();
        let mut modules = Vec::new();
        for entry in &entries {
            let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
            let folder = path.join(text("path"));
            match text("type").rsplit('.').next().unwrap_or_default() {
                "Transformer" => transformer = folder,
                "Pooling" => modules.push(Module::Pooling(required(&folder.join("config.json"))?)),
                "Dense" => modules.push(Module::Dense(folder)),
                "Normalize" => modules.push(Module::Normalize),
                "Dropout" => {}
                other => {
                    let known = "Transformer, Pooling, Dense, Normalize, Dropout";
                    let message = format!("expected modules among {known}, found: {other}");
                    return Err(TorchError::Malformed { path: modules_file, message });
                }
            }
        }
        if entries.is_empty() {
            let mean = [("pooling_mode_mean_tokens".to_owned(), Value::Bool(true))];
            modules.push(Module::Pooling(mean.into_iter().collect()));
        }
        let config: Map<String, Value> = required(&transformer.join("config.json"))?;
        refuse_remote_code(&transformer, &config)?;
        let sentence: Map<String, Value> =
            optional(&transformer.join("sentence_bert_config.json"))?.unwrap_or_default();
        Ok(Self {
            max_length: max_length(&transformer, &config, &sentence)?,
            lower_case: sentence.get("do_lower_case").and_then(Value::as_bool).unwrap_or(false),
            sentence_transformers: optional(&path.join("config_sentence_transformers.json"))?
                .unwrap_or_default(),
            transformer,
            config,
            modules,
        })
    }

    /// A whole number of `config.json`, by the first of its names that is there.
    ///
    /// # Errors
    /// If none is there.
    pub fn number(&self, names: &[&'static str]) -> Result<i64, TorchError> {
        let found = names.iter().find_map(|name| self.config.get(*name).and_then(Value::as_i64));
        found.ok_or_else(|| TorchError::Missing {
            path: self.transformer.join("config.json"),
            expected: names.first().copied().unwrap_or("a number"),
        })
    }

    /// A number of `config.json`.
    pub fn float(&self, name: &str, otherwise: f64) -> f64 {
        self.config.get(name).and_then(Value::as_f64).unwrap_or(otherwise)
    }

    /// A text of `config.json`.
    pub fn text(&self, name: &str) -> &str {
        self.config.get(name).and_then(Value::as_str).unwrap_or_default()
    }
}

/// As sentence-transformers decides it: its own setting, else the smaller of the tokenizer's and the positions.
fn max_length(
    transformer: &Path,
    config: &Map<String, Value>,
    sentence: &Map<String, Value>,
) -> Result<Option<usize>, TorchError> {
    let whole = |map: &Map<String, Value>, key: &str| {
        map.get(key).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok())
    };
    if let Some(length) = whole(sentence, "max_seq_length") {
        return Ok(Some(length));
    }
    let tokenizer: Map<String, Value> =
        optional(&transformer.join("tokenizer_config.json"))?.unwrap_or_default();
    let positions = whole(config, "max_position_embeddings");
    // Tokenizers without a limit state one of about 10^30.
    let stated = whole(&tokenizer, "model_max_length").filter(|length| *length < 1 << 31);
    Ok(match (positions, stated) {
        (Some(positions), Some(stated)) => Some(positions.min(stated)),
        (positions, stated) => positions.or(stated),
    })
}

fn refuse_remote_code(transformer: &Path, config: &Map<String, Value>) -> Result<(), TorchError> {
    if !config.contains_key("auto_map") {
        return Ok(());
    }
    let known = crate::architectures::KNOWN;
    let model_type = config.get("model_type").and_then(Value::as_str).unwrap_or_default();
    if known.contains(&model_type) {
        return Ok(());
    }
    let message = format!(
        "the model needs code of its own (`auto_map`), which is not run; known are {}",
        known.join(", ")
    );
    Err(TorchError::Malformed { path: transformer.join("config.json"), message })
}

/// Reads a JSON file that must be there.
pub fn required<T: DeserializeOwned>(path: &Path) -> Result<T, TorchError> {
    optional(path)?.ok_or_else(|| TorchError::Missing { path: path.to_owned(), expected: "a JSON file" })
}

/// Reads a JSON file that may be absent.
pub fn optional<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, TorchError> {
    let malformed = |message: String| TorchError::Malformed { path: path.to_owned(), message };
    match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(malformed(format!("cannot read the file: {error}"))),
        Ok(text) => match serde_json::from_str(&text) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(malformed(format!("expected JSON, found: {error}"))),
        },
    }
}
