//! The settings that sentence-transformers lays beside a transformer and around a model, as far as they are computed.

use std::path::Path;

use serde_json::{Value, json};

use super::config::Config;
use super::rules::{Rule, Rules};
use crate::error::TorchError;

/// Where sentence-transformers of several generations kept the settings of a transformer.
const FILES: [&str; 7] = [
    "sentence_bert_config.json",
    "sentence_roberta_config.json",
    "sentence_distilbert_config.json",
    "sentence_camembert_config.json",
    "sentence_albert_config.json",
    "sentence_xlm-roberta_config.json",
    "sentence_xlnet_config.json",
];

const TRANSFORMER: &Rules = &[
    ("max_seq_length", Rule::WholeOrNone),
    ("do_lower_case", Rule::Flag),
    ("transformer_task", Rule::OneOf(&["feature-extraction", "sequence-classification"])),
    ("modality_config", Rule::Object),
    ("module_output_name", Rule::OneOf(&["token_embeddings", "scores"])),
    ("processing_kwargs", Rule::Off),
    ("unpad_inputs", Rule::Any),
    ("query_length", Rule::Off),
    ("document_length", Rule::Off),
    ("query_expansion", Rule::Off),
    ("tokenizer_name_or_path", Rule::Off),
    ("model_args", Rule::Object),
    ("model_kwargs", Rule::Object),
    ("config_args", Rule::Object),
    ("config_kwargs", Rule::Object),
    ("tokenizer_args", Rule::Object),
    ("processor_kwargs", Rule::Object),
];

/// Arguments of loaders that change no number, or none that the user does not choose himself.
const HARMLESS: [&str; 10] = [
    "attn_implementation",
    "cache_dir",
    "device_map",
    "dtype",
    "low_cpu_mem_usage",
    "torch_dtype",
    "trust_remote_code",
    "use_cache",
    "use_fast",
    "use_safetensors",
];

/// Under which key files say where what fills up a batch stands; it is looked at with the tokenizer.
pub const PADDING_SIDE: &str = "padding_side";

/// Where settings of the transformer keep what they tell its tokenizer.
const OF_TOKENIZER: [&str; 2] = ["tokenizer_args", "processor_kwargs"];

const MODEL: &Rules = &[
    ("prompts", Rule::Object),
    ("default_prompt_name", Rule::TextOrNone),
    ("similarity_fn_name", Rule::TextOrNone),
    ("truncate_dim", Rule::Off),
];

/// The settings of the transformer in `folder`: the first file that says anything.
///
/// # Errors
/// If a setting is of another kind, or asks for what is not computed.
pub fn of_transformer(folder: &Path) -> Result<Config, TorchError> {
    for name in FILES {
        let settings = Config::read_if_there(&folder.join(name))?;
        if settings.is_empty() {
            continue;
        }
        settings.obey_strictly(TRANSFORMER)?;
        for group in [
            "model_args",
            "model_kwargs",
            "config_args",
            "config_kwargs",
            "tokenizer_args",
            "processor_kwargs",
        ] {
            let arguments = settings.part(group);
            let is_harmless = |key: &str| HARMLESS.contains(&key) || key == PADDING_SIDE;
            if let Some(key) = arguments.keys().find(|key| !is_harmless(key)) {
                return Err(settings.unsupported(format!("`{group}`: the argument `{key}` is not supported")));
            }
        }
        let text = settings.part("modality_config").get("text").cloned();
        let usual = json!({ "method": "forward", "method_output_name": "last_hidden_state" });
        let scores = json!({ "method": "forward", "method_output_name": "logits" });
        if settings.get("modality_config").is_some()
            && !text.as_ref().is_some_and(|text| [&usual, &scores].contains(&text))
        {
            let found = text.unwrap_or(Value::Null);
            return Err(settings
                .unsupported(format!("`modality_config`: expected {usual} for texts, found: {found}")));
        }
        if settings.get("max_seq_length").and_then(Value::as_u64) == Some(0) {
            return Err(settings.wrong("`max_seq_length`: expected at least 1, found 0".to_owned()));
        }
        return Ok(settings);
    }
    Ok(Config::default())
}

/// The side of a text on which batches are filled up, where the settings of the transformer say it.
pub fn padding_side(settings: &Config) -> Option<String> {
    let mut said = OF_TOKENIZER.into_iter().map(|group| settings.part(group));
    said.find_map(|group| Some(group.get(PADDING_SIDE)?.as_str()?.to_owned()))
}

/// `config_sentence_transformers.json` of the model in `folder`.
///
/// # Errors
/// If a value is of another kind, the default prompt is not among the prompts, or rows are to be truncated.
pub fn of_model(folder: &Path) -> Result<Config, TorchError> {
    let settings = Config::read_if_there(&folder.join("config_sentence_transformers.json"))?;
    settings.obey(MODEL)?;
    let prompts = settings.part("prompts");
    if let Some(key) =
        prompts.keys().find(|key| !prompts.raw(key).is_some_and(|text| text.is_string() || text.is_null()))
    {
        return Err(settings.wrong(format!("`prompts`: expected a text for `{key}`, found none")));
    }
    match settings.get("default_prompt_name").and_then(Value::as_str) {
        // Queries and documents have an empty prompt where the file has none.
        Some(name) if prompts.raw(name).is_none() && !["query", "document"].contains(&name) => {
            Err(settings.wrong(format!("`default_prompt_name`: expected one of the prompts, found: {name}")))
        }
        _ => Ok(settings),
    }
}

/// Its own setting, else the smaller of the tokenizer's limit and the positions of the model.
pub fn max_length(config: &Config, sentence: &Config, tokenizer: &Config) -> Option<usize> {
    let whole = |config: &Config, key: &str| {
        config.get(key).and_then(serde_json::Value::as_u64).and_then(|number| usize::try_from(number).ok())
    };
    if let Some(length) = whole(sentence, "max_seq_length") {
        return Some(length);
    }
    let positions = whole(config, "max_position_embeddings");
    // Tokenizers without a limit state one of about 10^30, which is no integer.
    let stated = whole(tokenizer, "model_max_length");
    match (positions, stated) {
        (Some(positions), Some(stated)) => Some(positions.min(stated)),
        (positions, stated) => positions.or(stated),
    }
}

/// Files that peft keeps beside a model.
const ADAPTERS: [&str; 3] = ["adapter_config.json", "adapter_model.safetensors", "adapter_model.bin"];

/// Refuses a folder with an adapter: with it the model is another one than its weights alone.
///
/// # Errors
/// If there is an adapter.
pub fn refuse(folder: &Path) -> Result<(), TorchError> {
    match ADAPTERS.into_iter().map(|name| folder.join(name)).find(|path| path.exists()) {
        None => Ok(()),
        Some(path) => {
            // What it says only makes the message better.
            let says = Config::read_if_there(&folder.join(ADAPTERS[0])).unwrap_or_default();
            if !says.is_empty() && says.get("peft_type").is_none() {
                return Err(says.wrong(
                    "expected a model without an adapter, found one without `peft_type`, which another library than peft wrote, such as \
                     AdapterHub's `adapters`, and which is not merged here, even if weights are beside it; merge it there, and name the \
                     folder of the whole model"
                        .to_owned(),
                ));
            }
            let (kind, base) =
                (says.text_or("peft_type", "LORA"), says.text_or("base_model_name_or_path", ""));
            let base = if base.is_empty() { String::new() } else { format!(" for the model {base}") };
            let message = format!(
                "expected a model without an adapter, found one of peft ({kind}){base}, which is not merged here, even if \
                 weights are beside it; save the model that peft's `merge_and_unload` returns and name its folder, or put `st:` before \
                 this one if peft is installed"
            );
            Err(TorchError::Unsupported { path, message })
        }
    }
}
