//! What a model card must say that no schema can: its version, the file that it lies in, and what its endpoint can send.

use std::path::Path;

use mteb_plugin_api::{ApiCard, EncodingFormat, ModelCard};

use super::{Fault, Locator};

/// What is wrong with `card`, which lies in `file`.
pub fn check_model_card(card: &ModelCard, locator: &Locator, file: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    if card.schema != 1 {
        faults.push(locator.fault(&["schema"], format!("expected schema 1, found {}", card.schema)));
    }
    let expected = file_of(&card.name);
    if Path::new(file).file_name().is_none_or(|name| name != expected.as_str()) {
        let found = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
        let message = format!("expected the card of {} in a file `{expected}`, found: {found}", card.name);
        faults.push(locator.fault(&["name"], message));
    }
    if let Some(ApiCard { style, encoding_format: EncodingFormat::Base64, .. }) = &card.api
        && !style.has_base64()
    {
        let message =
            format!("expected `float`, as the style {} knows no other form, found: base64", style.name());
        faults.push(locator.fault(&["api", "encoding_format"], message));
    }
    let loading = card.loading.clone().unwrap_or_default();
    for (key, number) in [("max_tokens", loading.max_tokens), ("dimension", loading.dimension)] {
        if number == Some(0) {
            faults.push(locator.fault(&["loading", key], "expected a number above 0, found 0".to_owned()));
        }
    }
    faults
}

/// The name of the file with the card of a model.
pub fn file_of(model: &str) -> String {
    format!("{}.toml", model.replace('/', "__"))
}
