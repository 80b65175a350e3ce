//! What a model card must say that no schema can: its version, and the file that it lies in.

use std::path::Path;

use mteb_plugin_api::ModelCard;

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
    faults
}

/// The name of the file with the card of a model.
pub fn file_of(model: &str) -> String {
    format!("{}.toml", model.replace('/', "__"))
}
