//! Model cards: the files under `models/` beside registries.

use mteb_plugin_api::ModelCard;

use super::source::{model_card_files, model_card_text};
use super::text::Text;
use super::{Fault, Locator};

/// A model card and where it was found.
#[derive(Clone, Debug)]
pub struct FoundCard {
    /// The card.
    pub card: ModelCard,
    /// Its file, for messages.
    pub file: String,
}

/// The card of the model called `name`; `None` if it has none, which is no fault.
///
/// # Errors
/// If its file cannot be read, or is no model card.
pub fn model_card(name: &str) -> Result<Option<FoundCard>, Fault> {
    let file = format!("{}.toml", name.replace('/', "__"));
    let is_plain = !file.contains(['\\', '\0']) && !file.starts_with('.');
    let text = if is_plain { model_card_text(&file)? } else { None };
    text.map(|text| read(&text)).transpose()
}

/// All model cards, sorted by file, and what is wrong with others.
pub fn model_cards() -> (Vec<FoundCard>, Vec<Fault>) {
    let (mut cards, mut faults) = (Vec::new(), Vec::new());
    for file in model_card_files() {
        match model_card_text(&file).and_then(|text| text.map(|text| read(&text)).transpose()) {
            Ok(card) => cards.extend(card),
            Err(fault) => faults.push(fault),
        }
    }
    (cards, faults)
}

fn read(text: &Text) -> Result<FoundCard, Fault> {
    let locator = Locator::new(&text.file, &text.text);
    let card: ModelCard = text.parse().map_err(|error| locator.fault_at(error.span(), error.message()))?;
    if card.schema != 1 {
        return Err(locator.fault(&["schema"], format!("expected schema 1, found {}", card.schema)));
    }
    let expected = format!("{}.toml", card.name.replace('/', "__"));
    if !text.file.ends_with(&expected) {
        let message = format!("expected a card of this name in a file `{expected}`, found another file name");
        return Err(locator.fault(&["name"], message));
    }
    Ok(FoundCard { card, file: text.file.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_of_the_binary_is_read_and_found_by_its_name() {
        let (cards, faults) = model_cards();
        assert_eq!(faults, []);
        assert!(cards.len() > 40);
        for FoundCard { card, .. } in cards {
            assert_eq!(model_card(&card.name).unwrap().unwrap().card, card);
        }
        assert!(model_card("nobody/none").unwrap().is_none());
        assert!(model_card("../secret").unwrap().is_none());
    }
}
