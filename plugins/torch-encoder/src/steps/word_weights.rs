//! A weight for each word, such as its inverse document frequency.

use serde_json::Value;
use tch::{Device, Tensor};

use super::step::{State, Step};
use crate::error::TorchError;
use crate::folder::{Config, Rule};
use crate::packed::Packed;

/// sentence-transformers' `WordWeights`.
pub struct WordWeights {
    weights: Tensor,
    width: i64,
}

impl WordWeights {
    /// Reads the module for rows of `width` numbers.
    ///
    /// # Errors
    /// If its vocabulary is absent.
    pub fn read(config: &Config, width: i64, device: Device) -> Result<Self, TorchError> {
        config.obey_strictly(&[
            ("vocab", Rule::List),
            ("word_weights", Rule::Object),
            ("unknown_word_weight", Rule::Number),
        ])?;
        let words = config.get("vocab").and_then(Value::as_array);
        if !words.is_some_and(|words| words.iter().all(Value::is_string)) {
            return Err(config.wrong("expected `vocab`, a list of words, found none".to_owned()));
        }
        let given = config.get("word_weights").and_then(Value::as_object);
        let given = given.ok_or_else(|| config.wrong("expected `word_weights`, found none".to_owned()))?;
        if let Some((word, _)) = given.iter().find(|(_, weight)| !weight.is_number()) {
            return Err(config.wrong(format!("`word_weights`: expected a number for `{word}`, found none")));
        }
        let unknown = config.float_or("unknown_word_weight", 1.0);
        let weight = |word: &str| {
            let found = given.get(word).or_else(|| given.get(&word.to_lowercase()));
            found.and_then(Value::as_f64).unwrap_or(unknown) as f32
        };
        let weights: Vec<f32> = config.texts("vocab").into_iter().map(weight).collect();
        Ok(Self { weights: Tensor::f_from_slice(&weights)?.f_to_device(device)?, width })
    }
}

impl Step for WordWeights {
    fn apply(&self, packed: &Packed, state: State) -> Result<State, TorchError> {
        let weights = self.weights.f_index_select(0, &packed.ids)?;
        let rows = state.rows.f_mul(&weights.f_unsqueeze(1)?)?;
        Ok(State { rows, weights: Some(weights) })
    }

    fn width(&self) -> i64 {
        self.width
    }
}
