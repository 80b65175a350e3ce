//! Empty texts of a unit, where the card of an endpoint says what takes their place: the result says how many there are, whether they
//! were encoded with this unit, with another one, or by an earlier run.

use mteb_card::{ApiCard, EmptyText};
use mteb_plugin_api::v1::ModelConfig;
use serde::Deserialize;

/// The empty texts that a unit has asked for so far.
#[derive(Debug, Default)]
pub struct EmptyTexts {
    /// What becomes of them, and what goes before no text though it is a prompt; absent where they are encoded as any other.
    replaced: Option<(EmptyText, Vec<String>)>,
    count: usize,
}

impl EmptyTexts {
    /// None yet, of a model that is asked as `config` says.
    pub fn of(config: &ModelConfig) -> Self {
        let card = config.options.get("api").and_then(|api| ApiCard::deserialize(api.get("card")?).ok());
        let card = card.filter(|card| card.empty_text != EmptyText::Send);
        let replaced = card.map(|card| (card.empty_text, card.input_types.into_values().collect()));
        Self { replaced, count: 0 }
    }

    /// Counts those among `texts` that are empty with the prompt before them.
    pub fn add<'a>(&mut self, texts: impl Iterator<Item = &'a str>, prompt: &str) {
        let Some((_, input_types)) = &self.replaced else { return };
        if is_blank(prompt) || input_types.iter().any(|known| known == prompt) {
            self.count += texts.filter(|text| is_blank(text)).count();
        }
    }

    /// What the reader of the result should know.
    pub fn note(&self) -> Option<String> {
        let how = match self.replaced.as_ref().filter(|_| self.count > 0)?.0 {
            EmptyText::Send => return None,
            EmptyText::Space => "sent as one space",
            EmptyText::Zeros => "given rows of zeros",
        };
        let texts = if self.count == 1 { "text was" } else { "texts were" };
        Some(format!("{} empty {texts} {how}, because the card says so", self.count))
    }
}

/// True if a text is empty to Python's `strip`, by which the reference finds empty texts.
fn is_blank(text: &str) -> bool {
    text.chars().all(|character| character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn note(card: serde_json::Value, prompt: &str) -> Option<String> {
        let mut config = ModelConfig::default();
        config.options.insert("api".to_owned(), json!({ "card": card }));
        let mut empty = EmptyTexts::of(&config);
        empty.add(["", "a", " \u{1c}"].into_iter(), prompt);
        empty.add(["", "b"].into_iter(), prompt);
        empty.note()
    }

    #[test]
    fn the_empty_texts_of_a_unit_are_counted_where_the_card_replaces_them() {
        let types = json!({"query": "search_query"});
        let card = |policy: &str| json!({"style": "cohere", "model": "m", "empty_text": policy, "input_types": types});
        let said = "3 empty texts were sent as one space, because the card says so";
        assert_eq!(note(card("space"), "").as_deref(), Some(said));
        assert_eq!(note(card("space"), "search_query").as_deref(), Some(said), "it goes before no text");
        assert_eq!(note(card("zeros"), "Cari: "), None, "with a prompt before them they are not empty");
        assert_eq!(note(card("send"), ""), None);
        assert_eq!(note(json!(null), ""), None);
    }
}
