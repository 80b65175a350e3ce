//! What the reference's loader sets beside a model's files, or in their place.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings that change what the embedding of a text is, and that the model's own files do not state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Loading {
    /// Maximum length of a text in tokens, whatever the files say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// True if the token that ends a text follows each. With this key or `add_bos_token` the special tokens that the tokenizer's
    /// files put around a text are no longer put there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_eos_token: Option<bool>,
    /// True if the token that begins a text stands before each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_bos_token: Option<bool>,
    /// Padding token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pad_token: Option<String>,
    /// Side on which shorter texts of a batch are padded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub padding_side: Option<PaddingSide>,
    /// False if pooling leaves the tokens of a prompt out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_prompt: Option<bool>,
    /// Number of dimensions to keep, from the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimension: Option<u32>,
    /// Post-processing of each embedding, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub row_steps: Vec<RowStep>,
    /// True if the score of a pair is the raw output of the network, without an activation
    /// function.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub raw_scores: bool,
    /// Number format in which the reference reads the weights: `f32`, `bf16` or `f16`; absent for that of the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtype: Option<LoadingDtype>,
    /// What the reference does that no key states, so that only its own code computes the model (`mteb:NAME`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<String>,
}

/// A side of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PaddingSide {
    /// Before the text.
    Left,
    /// Behind the text.
    Right,
}

/// A step over a row that has no weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RowStep {
    /// The mean is taken off, and the row divided by its standard deviation.
    LayerNorm,
    /// The row is divided by its length.
    Normalize,
}

/// A number format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LoadingDtype {
    /// 32-bit.
    F32,
    /// 16-bit with the exponent of float32.
    Bf16,
    /// 16-bit of IEEE 754.
    F16,
}

impl Loading {
    /// What of it changes numbers where texts are not filled up and the number format is chosen by other means.
    #[must_use]
    pub fn without_batches(&self) -> Self {
        Self { pad_token: None, padding_side: None, dtype: None, ..self.clone() }
    }

    /// True if nothing is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_batches_see_is_nothing_to_a_model_without_padding() {
        let loading = Loading { padding_side: Some(PaddingSide::Left), ..Loading::default() };
        assert!(!loading.is_empty() && loading.without_batches().is_empty());
        let longer = Loading { max_tokens: Some(8), ..loading };
        assert_eq!(longer.without_batches().max_tokens, Some(8));
    }
}
