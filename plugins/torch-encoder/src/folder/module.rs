//! The modules of a model folder, from `modules.json` in their order as sentence-transformers takes them, and
//! which may follow which: rows of tokens become one row per text in the pooling.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::config::Config;
use crate::error::TorchError;
use crate::files::lone_file;

/// The first module.
#[derive(Clone, Debug)]
pub enum Input {
    /// A transformer with its tokenizer.
    Transformer(Box<Transformer>),
    /// Word vectors with a tokenizer that splits at white space; the folder holds both.
    WordEmbeddings(PathBuf),
    /// Vectors of subwords, averaged; the folder holds them and the tokenizer.
    StaticEmbedding(PathBuf),
    /// LASER's word vectors, with its own tokenizer.
    Laser {
        /// The file of `torch.save` with the network and its dictionary.
        network: PathBuf,
        /// The model file of SentencePiece.
        pieces: PathBuf,
    },
}

/// A transformer with its tokenizer.
#[derive(Clone, Debug)]
pub struct Transformer {
    /// The folder with weights and tokenizer.
    pub folder: PathBuf,
    /// `config.json`.
    pub config: Config,
    /// `tokenizer_config.json`.
    pub tokenizer: Config,
    /// Tokens after which a text is cut.
    pub max_length: Option<usize>,
    /// `max_seq_length` of the settings beside it, as long as nobody wants another maximum.
    pub stated_length: Option<usize>,
    /// True if somebody wants another maximum than the files say.
    pub is_limited: bool,
    /// What sentence-transformers loads it for.
    pub task: String,
    /// True if texts are made lower-case before the tokenizer.
    pub lower_case: bool,
    /// The side of a text on which batches are filled up, where the settings beside the transformer say it.
    pub padding_side: Option<String>,
}

/// A module behind the first one.
#[derive(Clone, Debug)]
pub struct Module {
    /// Last part of its type: `Pooling`, `Dense`, …
    pub kind: String,
    /// The folder with its configuration and weights.
    pub folder: PathBuf,
    /// Its `config.json`.
    pub config: Config,
}

/// Modules that take rows of tokens.
const OF_TOKENS: [&str; 2] = ["LSTM", "WordWeights"];

/// Checks the modules behind the first one.
///
/// # Errors
/// If there is no pooling or several, or a module stands where sentence-transformers fails or does nothing.
pub fn check(file: &Path, input: &Input, modules: &[Module]) -> Result<(), TorchError> {
    let wrong = |message: String| TorchError::Malformed { path: file.to_owned(), message };
    if let Input::Transformer(transformer) = input
        && transformer.task != "feature-extraction"
    {
        return Err(wrong(format!(
            "expected a transformer for feature-extraction, found one for {}",
            transformer.task
        )));
    }
    let mut pooled = matches!(input, Input::StaticEmbedding(_));
    for module in modules {
        let kind = module.kind.as_str();
        let fits = match kind {
            "Pooling" => !pooled,
            "LSTM" => !pooled && matches!(input, Input::WordEmbeddings(_)),
            kind if OF_TOKENS.contains(&kind) => !pooled,
            _ => pooled,
        };
        if !fits {
            let place = if pooled { "behind" } else { "before" };
            return Err(wrong(format!("expected no {kind} {place} the pooling of this model, found one")));
        }
        if kind == "Pooling" && matches!(input, Input::WordEmbeddings(_)) && takes_first(module) {
            return Err(wrong("expected a pooling of all words, found one of the first token, which word vectors do not have".to_owned()));
        }
        pooled = pooled || kind == "Pooling";
    }
    if pooled { Ok(()) } else { Err(wrong("expected a Pooling module, found none".to_owned())) }
}

/// True if a pooling takes the first token.
fn takes_first(pooling: &Module) -> bool {
    let config = &pooling.config;
    match config.raw("pooling_mode") {
        Some(mode) => {
            mode == "cls" || mode.as_array().is_some_and(|modes| modes.iter().any(|mode| mode == "cls"))
        }
        None => config.flag_or("pooling_mode_cls_token", false),
    }
}

/// A part of a model.
pub struct Entry {
    /// Its class without the modules around it: `Pooling`, …
    pub kind: String,
    /// The folder with its files.
    pub folder: PathBuf,
}

/// Classes that models of every kind have, which lie in `base.modules`.
const OF_ALL_MODELS: [&str; 4] = ["Transformer", "Dense", "Normalize", "Router"];

/// The entries of `modules.json` in the folder `path`.
///
/// # Errors
/// If one lacks its path or type, leads outside the folder, shares its name with another, or is no class of the library.
pub fn read(path: &Path, entries: &[Map<String, Value>]) -> Result<Vec<Entry>, TorchError> {
    let file = path.join("modules.json");
    let wrong = |message: String| TorchError::Malformed { path: file.clone(), message };
    if entries.is_empty() {
        return Err(wrong("expected modules, found an empty list".to_owned()));
    }
    let mut names: Vec<&Value> = Vec::new();
    let mut found = Vec::new();
    for entry in entries {
        let text = |key: &str| {
            let value = entry.get(key).and_then(Value::as_str);
            value.ok_or_else(|| wrong(format!("expected a text `{key}` for each module, found none")))
        };
        let (place, class) = (text("path")?, text("type")?);
        if !is_inside(place) {
            return Err(wrong(format!("expected a path inside the folder, found: {place}")));
        }
        let name = entry
            .get("name")
            .ok_or_else(|| wrong("expected a `name` for each module, found none".to_owned()))?;
        if names.contains(&name) {
            return Err(wrong(format!("expected a unique name for each module, found {name} twice")));
        }
        names.push(name);
        let kind = own_class(class).ok_or_else(|| TorchError::Unsupported {
            path: file.clone(),
            message: format!(
                "the module `{class}` is not part of sentence-transformers, and its code is not run"
            ),
        })?;
        let folder = if place.is_empty() { path.to_owned() } else { path.join(place) };
        found.push(Entry { kind: kind.to_owned(), folder });
    }
    Ok(found)
}

/// True for a relative path without a way up, in the spelling of any system.
fn is_inside(place: &str) -> bool {
    let rooted = place.starts_with(['/', '\\']) || place.chars().nth(1) == Some(':');
    !rooted && !place.contains('\0') && place.split(['/', '\\']).all(|part| part != "..")
}

/// The class that a type of the library names, in the modules in which it lies now or lay in earlier releases: one for several
/// classes, or one of its own.
fn own_class(class: &str) -> Option<&str> {
    let (module, kind) = class.strip_prefix("sentence_transformers.")?.rsplit_once('.')?;
    let is_of_all = OF_ALL_MODELS.contains(&kind);
    let is_snake = |own: &str| {
        own.replace('_', "").eq_ignore_ascii_case(kind)
            && own.chars().all(|letter| !letter.is_ascii_uppercase())
    };
    let is_home = match module {
        "models" | "sentence_transformer.modules" => true,
        "base.modules" => is_of_all,
        _ => match module.rsplit_once('.')? {
            ("models", own) => own == kind || !is_of_all && is_snake(own),
            ("base.modules", own) => is_of_all && is_snake(own),
            ("sentence_transformer.modules", own) => {
                is_snake(own) && !["Transformer", "Dense"].contains(&kind)
            }
            _ => false,
        },
    };
    is_home.then_some(kind)
}

/// The network and the pieces of LASER; `None` for a folder of another kind.
pub fn files(path: &Path) -> Option<(PathBuf, PathBuf)> {
    if path.join("config.json").is_file() {
        return None;
    }
    Some((lone_file(path, "pt")?, lone_file(path, "spm")?))
}

/// What follows the word vectors in the encoder (Artetxe & Schwenk 2019): an LSTM, and the largest value of each feature.
pub fn modules(path: &Path) -> Vec<Module> {
    let module = |kind: &str, key: &str, value: &str| Module {
        kind: kind.to_owned(),
        folder: path.to_owned(),
        config: Config::of([(key.to_owned(), Value::from(value))]),
    };
    vec![module("LSTM", "prefix", "lstm"), module("Pooling", "pooling_mode", "max")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_the_library_are_known_by_their_whole_name() {
        for class in [
            "sentence_transformers.models.Pooling",
            "sentence_transformers.models.Pooling.Pooling",
            "sentence_transformers.sentence_transformer.modules.pooling.Pooling",
            "sentence_transformers.sentence_transformer.modules.Pooling",
        ] {
            assert_eq!(own_class(class), Some("Pooling"), "{class}");
        }
        for class in [
            "Pooling",
            "my_pooling.Pooling",
            "sentence_transformersX.models.Pooling",
            "sentence_transformers.mine.Pooling",
            "sentence_transformers.base.modules.Pooling",
        ] {
            assert_eq!(own_class(class), None, "{class}");
        }
    }

    #[test]
    fn paths_lead_nowhere_but_into_the_folder() {
        assert!(["", "1_Pooling", "a/b", "..a"].iter().all(|place| is_inside(place)));
        assert!(
            ["..", "../a", "a/../../b", "/a", "\\a", "C:a", "C:\\a", "a\\..\\b"]
                .iter()
                .all(|place| !is_inside(place))
        );
    }
}
