//! Prompts and similarity as `config_sentence_transformers.json` states them.

use std::collections::BTreeMap;

use mteb_plugin_api::{Prompts, Similarity};
use serde_json::Value;

use crate::folder::Config;

/// How rows are compared; cosine where nothing is stated.
pub fn similarity_of(settings: &Config) -> Similarity {
    match settings.text_or("similarity_fn_name", "") {
        "dot" | "dot_product" => Similarity::Dot,
        "euclidean" => Similarity::Euclidean,
        "manhattan" => Similarity::Manhattan,
        _ => Similarity::Cosine,
    }
}

/// The named prompts, and which one is the default.
pub fn prompts_of(settings: &Config) -> Prompts {
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
