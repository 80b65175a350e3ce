//! The transformers, one file each; each declares which checkpoints it computes.

mod albert;
mod architecture;
mod bert;
mod bloom;
mod distilbert;
mod gemma3;
mod gpt_j;
mod gpt_neo;
mod gte;
mod llama;
mod modernbert;
mod mpnet;
mod nomic_bert;
mod qwen;
mod rotary_bert;
mod settings;
mod t5;
mod words;

pub use architecture::Architecture;
pub use words::Words;

use crate::error::TorchError;
use crate::folder::{Config, Input, ModelFolder};
use crate::tokenizer::Framing;
use crate::weights::Weights;
use architecture::{Head, Kind};

/// All networks that are known.
const ALL: [&[Kind]; 14] = [
    albert::KINDS,
    bert::KINDS,
    bloom::KINDS,
    distilbert::KINDS,
    gemma3::KINDS,
    gpt_j::KINDS,
    gpt_neo::KINDS,
    gte::KINDS,
    llama::KINDS,
    modernbert::KINDS,
    mpnet::KINDS,
    nomic_bert::KINDS,
    qwen::KINDS,
    t5::KINDS,
];

/// Every `model_type` that is known, in alphabetical order.
pub fn list_known() -> Vec<&'static str> {
    let mut known: Vec<&str> = ALL.into_iter().flatten().map(|kind| kind.model_type).collect();
    known.sort_unstable();
    known
}

/// Reads weights, once the `model_type` that `config` names is known, and finds their prefix.
///
/// # Errors
/// If the type is unknown, or the weights cannot be read.
pub fn read_rooted(
    config: &Config,
    read: impl FnOnce() -> Result<Weights, TorchError>,
) -> Result<Weights, TorchError> {
    let kind = kind(config)?;
    settings::check(config)?;
    let of_layers = config.clone();
    let biased = Box::new(move |name: &str| architecture::is_biased(&of_layers, name));
    Ok(read()?.with_root(kind.probe, architecture::prefixes(kind.model_type)).expecting(biased))
}

/// Refuses weights that no layer has taken, unless they are known to change nothing.
///
/// # Errors
/// If there are such weights; the first is named.
pub fn refuse_left(config: &Config, weights: &Weights) -> Result<(), TorchError> {
    let left = weights.left();
    let left: Vec<&String> =
        left.iter().filter(|name| !architecture::may_be_left(config, name, weights.root())).collect();
    let Some(first) = left.first() else { return Ok(()) };
    Err(TorchError::Unsupported {
        path: weights.folder().to_owned(),
        message: format!(
            "{} of the checkpoint's tensors belong to no supported layer, first `{first}`: expected a checkpoint of a plain {}",
            left.len(),
            config.text_or("model_type", "")
        ),
    })
}

/// Builds the network that `config` names.
///
/// # Errors
/// If the type is unknown, a number of the configuration or a weight is absent, or a weight has another shape.
pub fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    (kind(config)?.build)(config, weights)
}

/// The head of the sequence classifier that `config` describes.
///
/// # Errors
/// If the type is unknown, or its classifiers have no known head.
pub fn head(config: &Config) -> Result<Head, TorchError> {
    let kind = kind(config)?;
    kind.head.ok_or_else(|| {
        let mut known: Vec<&str> = ALL
            .into_iter()
            .flatten()
            .filter(|kind| kind.head.is_some())
            .map(|kind| kind.model_type)
            .collect();
        known.sort_unstable();
        let known = known.join(", ");
        config
            .unsupported(format!("expected a sequence classifier among {known}, found: {}", kind.model_type))
    })
}

/// What older tokenizer files of the model in `folder` do not say, as its architecture declares it.
pub fn framing(folder: &ModelFolder) -> Option<Framing> {
    let Input::Transformer(transformer) = &folder.input else { return None };
    kind(&transformer.config).ok()?.framing
}

fn kind(config: &Config) -> Result<&'static Kind, TorchError> {
    let model_type = config.text_or("model_type", "");
    ALL.into_iter().flatten().find(|kind| kind.model_type == model_type).ok_or_else(|| {
        TorchError::UnknownArchitecture {
            path: config.path().to_owned(),
            found: model_type.to_owned(),
            known: list_known().join(", "),
        }
    })
}

/// Refuses a model whose architecture exists only as code in its repository, which is never run. `known` are the
/// architectures that need no such code.
///
/// # Errors
/// If the model needs such code.
pub fn refuse_remote_code(folder: &ModelFolder, known: &[&str]) -> Result<(), TorchError> {
    match &folder.input {
        Input::Transformer(transformer) => refuse(&transformer.config, known),
        _ => Ok(()),
    }
}

fn refuse(config: &Config, known: &[&str]) -> Result<(), TorchError> {
    let model_type = config.text_or("model_type", "");
    if config.get("auto_map").is_none() || known.contains(&model_type) {
        return Ok(());
    }
    Err(config.unsupported(format!(
        "the model `{model_type}` needs code from its repository (`auto_map`), which is not run; \
         expected a model_type among {}",
        known.join(", ")
    )))
}
