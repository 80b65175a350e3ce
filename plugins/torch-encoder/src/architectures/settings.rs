//! Which keys of a `config.json` a network computes: those that transformers' code reads and this plugin does not may stand there only
//! where they switch nothing on.

use serde_json::Value;

use crate::error::TorchError;
use crate::folder::{Config, Rule, Rules};

/// Keys that transformers reads for every network.
const ALL: &Rules = &[
    ("add_cross_attention", Rule::Off),
    ("chunk_size_feed_forward", Rule::Off),
    ("partial_rotary_factor", Rule::Is(1.0)),
    ("pruned_heads", Rule::Off),
    ("return_dict", Rule::On),
    ("vocab_size", Rule::Whole),
];

/// Networks whose tokens see their whole text.
const ENCODER: &Rules = &[("is_causal", Rule::Off), ("use_bidirectional_attention", Rule::Any)];

/// Networks whose tokens see what is before them, with no switch that is computed.
const CAUSAL: &Rules = &[("is_causal", Rule::On), ("use_bidirectional_attention", Rule::Off)];

/// How large a network is.
const SIZES: &Rules = &[
    ("hidden_size", Rule::Whole),
    ("num_hidden_layers", Rule::Whole),
    ("num_attention_heads", Rule::Whole),
    ("intermediate_size", Rule::Whole),
];

/// The function and the norm of networks that normalise behind each part.
const POST_NORM: &Rules = &[("hidden_act", Rule::Text), ("layer_norm_eps", Rule::Fraction)];

/// How places are turned into angles.
const ROTARY: &Rules =
    &[("rope_theta", Rule::Number), ("rope_parameters", Rule::Object), ("rope_scaling", Rule::Object)];

/// Networks that are never made to see only what is before a token.
const NO_DECODER: &Rules = &[("is_decoder", Rule::Off)];

/// BERT and its kin; `is_decoder` is computed.
const BERT: &Rules =
    &[("max_position_embeddings", Rule::Whole), ("type_vocab_size", Rule::Whole), ("is_decoder", Rule::Flag)];

/// RoBERTa and its kin, which count places from the padding's id on.
const ROBERTA: &Rules = &[("pad_token_id", Rule::Whole), ("is_causal", Rule::Off)];

const ALBERT: &Rules = &[
    ("embedding_size", Rule::Whole),
    ("num_hidden_groups", Rule::Whole),
    ("inner_group_num", Rule::Whole),
    ("max_position_embeddings", Rule::Whole),
    ("type_vocab_size", Rule::Whole),
];

const MPNET: &Rules =
    &[("max_position_embeddings", Rule::Whole), ("relative_attention_num_buckets", Rule::Whole)];

const DISTILBERT: &Rules = &[
    ("dim", Rule::Whole),
    ("hidden_dim", Rule::Whole),
    ("n_layers", Rule::Whole),
    ("n_heads", Rule::Whole),
    ("activation", Rule::Text),
    ("max_position_embeddings", Rule::Whole),
];

const BLOOM: &Rules = &[
    ("hidden_size", Rule::Whole),
    ("n_embed", Rule::Whole),
    ("n_head", Rule::Whole),
    ("num_attention_heads", Rule::Whole),
    ("n_layer", Rule::Whole),
    ("num_hidden_layers", Rule::Whole),
    ("layer_norm_epsilon", Rule::Fraction),
    ("apply_residual_connection_post_layernorm", Rule::Flag),
];

const GPT_NEO: &Rules = &[
    ("hidden_size", Rule::Whole),
    ("num_layers", Rule::Whole),
    ("num_heads", Rule::Whole),
    ("intermediate_size", Rule::WholeOrNone),
    ("activation_function", Rule::Text),
    ("attention_types", Rule::List),
    ("attention_layers", Rule::List),
    ("window_size", Rule::Whole),
    ("layer_norm_epsilon", Rule::Fraction),
    ("max_position_embeddings", Rule::Whole),
];

const GPT_J: &Rules = &[
    ("n_embd", Rule::Whole),
    ("n_layer", Rule::Whole),
    ("n_head", Rule::Whole),
    ("n_inner", Rule::WholeOrNone),
    ("n_positions", Rule::Whole),
    ("rotary_dim", Rule::Whole),
    ("activation_function", Rule::Text),
    ("layer_norm_epsilon", Rule::Fraction),
];

/// GTE under the keys of transformers, and those of its own code.
const GTE: &Rules = &[
    ("type_vocab_size", Rule::Whole),
    ("position_embedding_type", Rule::OneOf(&["rope"])),
    ("logn_attention_scale", Rule::Off),
    ("logn_attention_clip1", Rule::Off),
    ("pack_qkv", Rule::On),
];

/// NomicBERT under the keys of transformers, and those of its own code.
const NOMIC_BERT: &Rules = &[
    ("n_embd", Rule::Whole),
    ("n_layer", Rule::Whole),
    ("n_head", Rule::Whole),
    ("n_inner", Rule::Whole),
    ("activation_function", Rule::OneOf(&["swiglu", "silu"])),
    ("layer_norm_epsilon", Rule::Fraction),
    ("type_vocab_size", Rule::Whole),
    ("rotary_emb_base", Rule::Number),
    ("rotary_emb_fraction", Rule::Is(1.0)),
    ("rotary_emb_interleaved", Rule::Off),
    ("rotary_emb_scale_base", Rule::Off),
    ("rotary_scaling_factor", Rule::Off),
    ("rope_parameters", Rule::Object),
    ("rope_scaling", Rule::Object),
    ("causal", Rule::Off),
    ("prenorm", Rule::Off),
    ("parallel_block", Rule::Off),
    ("use_rms_norm", Rule::Off),
    ("qkv_proj_bias", Rule::Off),
    ("mlp_fc1_bias", Rule::Off),
    ("mlp_fc2_bias", Rule::Off),
    ("num_experts", Rule::Off),
    ("scale_attn_weights", Rule::On),
    ("scale_attn_by_inverse_layer_idx", Rule::Off),
];

const MODERNBERT: &Rules = &[
    ("hidden_activation", Rule::Text),
    ("norm_eps", Rule::Fraction),
    ("norm_bias", Rule::Flag),
    ("attention_bias", Rule::Flag),
    ("mlp_bias", Rule::Flag),
    ("classifier_bias", Rule::Flag),
    ("layer_types", Rule::List),
    ("local_attention", Rule::Whole),
    ("sliding_window", Rule::Off),
    ("global_attn_every_n_layers", Rule::Whole),
    ("local_rope_theta", Rule::Number),
    ("global_rope_theta", Rule::Number),
    ("rope_parameters", Rule::Object),
    ("rope_scaling", Rule::Object),
    ("classifier_pooling", Rule::OneOf(&["cls", "mean"])),
];

/// Llama and its relatives; `is_causal` is computed.
const LLAMA: &Rules = &[
    ("num_key_value_heads", Rule::WholeOrNone),
    ("head_dim", Rule::WholeOrNone),
    ("hidden_act", Rule::Text),
    ("rms_norm_eps", Rule::Fraction),
    ("attention_bias", Rule::Flag),
    ("mlp_bias", Rule::Flag),
    ("sliding_window", Rule::WholeOrNone),
    ("use_sliding_window", Rule::Flag),
    ("max_window_layers", Rule::Whole),
    ("layer_types", Rule::List),
    ("is_causal", Rule::Flag),
    ("use_bidirectional_attention", Rule::Off),
];

const GEMMA3: &Rules = &[
    ("num_key_value_heads", Rule::Whole),
    ("head_dim", Rule::Whole),
    ("hidden_activation", Rule::Text),
    ("rms_norm_eps", Rule::Fraction),
    ("query_pre_attn_scalar", Rule::Number),
    ("attn_logit_softcapping", Rule::Off),
    ("attention_bias", Rule::Flag),
    ("sliding_window", Rule::Whole),
    ("sliding_window_pattern", Rule::Whole),
    ("layer_types", Rule::List),
    ("rope_local_base_freq", Rule::Number),
    ("use_bidirectional_attention", Rule::Flag),
    ("is_causal", Rule::On),
];

const T5: &Rules = &[
    ("d_model", Rule::Whole),
    ("d_kv", Rule::Whole),
    ("d_ff", Rule::Whole),
    ("num_layers", Rule::Whole),
    ("num_heads", Rule::Whole),
    ("feed_forward_proj", Rule::Text),
    ("layer_norm_epsilon", Rule::Fraction),
    ("relative_attention_num_buckets", Rule::Whole),
    ("relative_attention_max_distance", Rule::Whole),
    ("dense_act_fn", Rule::Text),
    ("is_gated_act", Rule::Flag),
];

/// Networks whose repositories bring code that computes what this plugin computes.
const SAME_CODE: [&str; 4] = ["gte", "new", "nomic_bert", "qwen2"];

/// Checks that every key of `config` is computed, or switches nothing on.
///
/// # Errors
/// If a value is of another kind, or asks for what is not computed; the key is named.
pub fn check(config: &Config) -> Result<(), TorchError> {
    refuse_quantisation(config)?;
    refuse_other_code(config)?;
    config.obey(ALL)?;
    let model_type = config.text_or("model_type", "");
    for rules in rules_of(model_type) {
        config.obey(rules)?;
    }
    check_aliases(config)?;
    check_heads(config)?;
    check_rotation(config)?;
    check_layers(config)
}

/// Kinds of layers.
const LAYERS: [&str; 2] = ["full_attention", "sliding_attention"];

/// Networks whose kinds of layers turn each in its own way, and the older key scales what the newer one says.
const TURNED_BY_KIND: [&str; 2] = ["gemma3_text", "modernbert"];

/// Refuses what transformers passes over among the parameters of a rotation, or lays together.
fn check_rotation(config: &Config) -> Result<(), TorchError> {
    let parameters = config.part("rope_parameters");
    let is_by_kind = TURNED_BY_KIND.contains(&config.text_or("model_type", ""));
    if is_by_kind && !parameters.is_empty() && !config.part("rope_scaling").is_empty() {
        return Err(config.unsupported(
            "`rope_scaling`: expected one of the two, it or `rope_parameters`, which transformers lays together, found both; leave one"
                .to_owned(),
        ));
    }
    let is_wrong = |key: &&str| LAYERS.contains(key) != is_by_kind;
    if let Some(key) = parameters.keys().find(is_wrong) {
        let expected = if is_by_kind {
            "parameters for each kind of layer"
        } else {
            "the same parameters for all layers"
        };
        return Err(config.unsupported(format!("`rope_parameters`: expected {expected}, found: {key}")));
    }
    Ok(())
}

/// Heads share a row, and those of queries share those of keys.
fn check_heads(config: &Config) -> Result<(), TorchError> {
    let whole = |keys: [&str; 3]| keys.into_iter().find_map(|key| config.get(key)?.as_i64());
    let Some(heads) = whole(["num_attention_heads", "n_heads", "n_head"]).or_else(|| whole(["num_heads"; 3]))
    else {
        return Ok(());
    };
    let width = whole(["hidden_size", "dim", "n_embd"]);
    // Some networks say by themselves how wide a head is.
    let has_width = ["head_dim", "d_kv"].into_iter().any(|key| config.get(key).is_some());
    if heads < 1 || !has_width && width.is_some_and(|width| width % heads != 0) {
        return Err(config.wrong(format!(
            "expected heads that share rows of {} numbers, found {heads}",
            width.unwrap_or(0)
        )));
    }
    match config.get("num_key_value_heads").and_then(Value::as_i64) {
        Some(keys) if keys < 1 || heads % keys != 0 => {
            Err(config.wrong(format!("`num_key_value_heads`: expected a divisor of {heads}, found {keys}")))
        }
        _ => Ok(()),
    }
}

fn rules_of(model_type: &str) -> &'static [&'static Rules] {
    match model_type {
        "bert" => &[BERT, SIZES, POST_NORM, ENCODER],
        "camembert" | "roberta" | "xlm-roberta" => &[BERT, SIZES, POST_NORM, ROBERTA],
        "albert" => &[ALBERT, SIZES, POST_NORM, ENCODER],
        "mpnet" => &[MPNET, SIZES, POST_NORM, NO_DECODER, ENCODER],
        "distilbert" => &[DISTILBERT, NO_DECODER, ENCODER],
        "bloom" => &[BLOOM, CAUSAL],
        "gpt_neo" => &[GPT_NEO, CAUSAL],
        "gptj" => &[GPT_J, CAUSAL],
        "gte" | "new" => &[GTE, SIZES, POST_NORM, ROTARY, NO_DECODER, ENCODER],
        "nomic_bert" => &[NOMIC_BERT, SIZES, POST_NORM, NO_DECODER, ENCODER],
        "modernbert" => &[MODERNBERT, SIZES, NO_DECODER, ENCODER],
        "gemma3_text" => &[GEMMA3, SIZES, ROTARY],
        "t5" | "mt5" | "umt5" => &[T5, NO_DECODER],
        _ => &[LLAMA, SIZES, ROTARY],
    }
}

fn refuse_quantisation(config: &Config) -> Result<(), TorchError> {
    let keys = ["quantization_config", "compression_config"];
    let Some(key) = keys.into_iter().find(|key| config.get(key).is_some()) else { return Ok(()) };
    let method = config.part(key);
    let method = method.text_or("quant_method", "another method");
    Err(config.unsupported(format!(
        "`{key}`: the checkpoint is quantised ({method}), which is not supported; name the one it was made from, or run it in its own \
         library with `st:` before the folder"
    )))
}

/// Code of a repository is what its makers run in place of the network that `model_type` names.
fn refuse_other_code(config: &Config) -> Result<(), TorchError> {
    let map = config.part("auto_map");
    let same = SAME_CODE.contains(&config.text_or("model_type", ""));
    let key = ["AutoConfig", "AutoModel", "AutoTokenizer"]
        .into_iter()
        .find(|key| map.get(key).is_some() && (!same || *key == "AutoTokenizer"));
    let Some(key) = key else { return Ok(()) };
    let found = map.get(key).map(Value::to_string).unwrap_or_default();
    Err(config.unsupported(format!(
        "`auto_map`: the model needs code of its repository ({key} {found}), which is not run here"
    )))
}

/// Lists with an entry for each layer.
fn check_layers(config: &Config) -> Result<(), TorchError> {
    let Some(kinds) = config.get("layer_types").and_then(Value::as_array) else { return Ok(()) };
    let model_type = config.text_or("model_type", "");
    if !["gemma3_text", "mistral", "modernbert", "qwen2", "qwen3"].contains(&model_type) {
        return Ok(());
    }
    let layers = config.whole(&["num_hidden_layers"])?;
    if i64::try_from(kinds.len()) != Ok(layers) {
        return Err(config.wrong(format!("`layer_types`: expected {layers} entries, found {}", kinds.len())));
    }
    if let Some(other) = kinds.iter().find(|kind| !kind.as_str().is_some_and(|kind| LAYERS.contains(&kind))) {
        return Err(
            config.unsupported(format!("`layer_types`: expected {}, found: {other}", LAYERS.join(" or ")))
        );
    }
    let is_local = kinds.iter().any(|kind| kind == "sliding_attention");
    if is_local && model_type.starts_with("qwen") && !config.flag_or("use_sliding_window", false) {
        return Err(config
            .wrong("`layer_types`: expected no window without `use_sliding_window`, found one".to_owned()));
    }
    Ok(())
}

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
fn check_aliases(config: &Config) -> Result<(), TorchError> {
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
