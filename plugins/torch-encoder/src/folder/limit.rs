//! The number of tokens after which a text is cut, as sentence-transformers decides it.

use super::config::Config;

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
