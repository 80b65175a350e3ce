//! Numbers that a `config.json` may have under two names.

use crate::error::TorchError;
use crate::folder::Config;

/// Names of one number, of which transformers takes the one or the other by the order of the file.
const ALIASES: [(&[&str], [&str; 2]); 12] = [
    (&["bloom", "gptj", "nomic_bert"], ["n_head", "num_attention_heads"]),
    (&["bloom", "gptj", "nomic_bert"], ["n_layer", "num_hidden_layers"]),
    (&["bloom"], ["n_embed", "hidden_size"]),
    (&["gptj", "nomic_bert"], ["n_embd", "hidden_size"]),
    (&["nomic_bert"], ["n_inner", "intermediate_size"]),
    (&["gptj"], ["n_positions", "max_position_embeddings"]),
    (&["distilbert"], ["dim", "hidden_size"]),
    (&["distilbert"], ["n_heads", "num_attention_heads"]),
    (&["distilbert"], ["n_layers", "num_hidden_layers"]),
    (&["gpt_neo", "t5", "mt5", "umt5"], ["num_heads", "num_attention_heads"]),
    (&["gpt_neo", "t5", "mt5", "umt5"], ["num_layers", "num_hidden_layers"]),
    (&["t5", "mt5", "umt5"], ["d_model", "hidden_size"]),
];

/// Checks that two names of one number say the same.
///
/// # Errors
/// If they do not; both are named.
pub fn check_aliases(config: &Config) -> Result<(), TorchError> {
    let model_type = config.text_or("model_type", "");
    for (types, [name, other]) in ALIASES {
        if !types.contains(&model_type) {
            continue;
        }
        if let (Some(number), Some(found)) = (config.get(name), config.get(other))
            && number != found
        {
            return Err(
                config.wrong(format!("`{other}`: expected {number}, as `{name}` says, found {found}"))
            );
        }
    }
    Ok(())
}
