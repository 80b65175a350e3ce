//! What a unit is estimated to take: its tokens by the speed of the model, and what every unit takes anyway.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Characters of a token, on average over the languages of the benchmarks; what is wrong with it is the same for all shards.
const CHARACTERS_PER_TOKEN: f64 = 4.0;

/// Characters of a text of which only the number is known.
const CHARACTERS_PER_TEXT: f64 = 300.0;

/// Seconds that a unit takes beside its texts: reading, fitting, comparing, writing.
const SECONDS_PER_UNIT: f64 = 0.2;

/// Texts of a unit of which nothing is known.
const UNKNOWN_TEXTS: u64 = 5_000;

/// Floating-point operations a second that a model is assumed to reach on a processor and on a graphics card.
const PROCESSOR: f64 = 1e11;
const CARD: f64 = 5e13;

/// Tokens a second of a model without parameters, or of unknown size: those that count or draw.
const WITHOUT_PARAMETERS: f64 = 2e6;

/// How fast the model is taken to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Tokens that it encodes in a second.
    pub tokens_per_second: f64,
    /// From what that is known.
    pub from: String,
}

/// The texts of a unit, as far as they are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    /// Texts.
    pub texts: Option<u64>,
    /// Their characters.
    pub characters: Option<u64>,
}

impl Cost {
    /// Estimated seconds of a unit.
    pub fn seconds(&self, size: Size) -> f64 {
        let texts = size.texts.unwrap_or(UNKNOWN_TEXTS) as f64;
        let characters = size.characters.map_or(texts * CHARACTERS_PER_TEXT, |characters| characters as f64);
        let tokens = characters / CHARACTERS_PER_TOKEN + texts;
        SECONDS_PER_UNIT + tokens / self.tokens_per_second
    }
}

/// The speed of a model of so many `parameters` that nobody has measured.
pub fn default_speed(parameters: Option<u64>, is_on_card: bool) -> Cost {
    match parameters.filter(|&parameters| parameters > 0) {
        Some(parameters) => {
            let (operations, device) = if is_on_card { (CARD, "GPU") } else { (PROCESSOR, "processor") };
            // A token takes an addition and a multiplication with every parameter.
            let tokens_per_second = operations / (2.0 * parameters as f64);
            let from = format!(
                "estimated from {parameters} parameters on a {device}: no result of the model records its speed"
            );
            Cost { tokens_per_second, from }
        }
        None => {
            let from = "assumed, because the number of parameters is unknown: no result of the model records its speed"
                .to_owned();
            Cost { tokens_per_second: WITHOUT_PARAMETERS, from }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_takes_what_its_texts_take_and_a_little_more() {
        let cost = Cost { tokens_per_second: 100.0, from: String::new() };
        let size = Size { texts: Some(100), characters: Some(4_000) };
        assert!((cost.seconds(size) - (SECONDS_PER_UNIT + 11.0)).abs() < 1e-9);
        let longer = Size { characters: Some(8_000), ..size };
        assert!(cost.seconds(longer) > cost.seconds(size));
        assert!(cost.seconds(Size::default()) > cost.seconds(size), "what nobody counted is taken for large");
    }

    #[test]
    fn a_larger_model_is_slower_and_a_card_is_faster() {
        let speed = |parameters, is_on_card| default_speed(parameters, is_on_card).tokens_per_second;
        assert!(speed(Some(22_000_000), false) > speed(Some(8_000_000_000), false));
        assert!(speed(Some(22_000_000), true) > speed(Some(22_000_000), false));
        assert!(default_speed(None, false).from.contains("number of parameters is unknown"));
    }
}
