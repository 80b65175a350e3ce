//! What a network does, what its file declares of it, and which tensors its checkpoint has: what stands before
//! their names, which layers have a bias, and what else may be there.

use tch::Tensor;

use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::Activation;
use crate::packed::Packed;
use crate::tokenizer::Framing;
use crate::weights::Weights;

/// A network that turns token ids into rows of tokens.
pub trait Architecture: Send {
    /// Rows of all tokens, `[tokens, width]`.
    ///
    /// # Errors
    /// If libtorch fails.
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError>;

    /// Numbers in a row.
    fn width(&self) -> i64;

    /// Number of token ids that have a vector.
    fn vocabulary(&self) -> i64;

    /// Most tokens that have a position; `None` if there is no limit.
    fn positions(&self) -> Option<i64> {
        None
    }
}

/// A kind of network, by which a checkpoint finds the code that computes it.
pub struct Kind {
    /// `model_type` in a checkpoint's `config.json`.
    pub model_type: &'static str,
    /// Name of a tensor that it has, by which the prefix of all its names is found.
    pub probe: &'static str,
    /// Builds the network from its configuration and weights.
    pub build: Build,
    /// The head of its sequence classifiers; `None` where none is known.
    pub head: Option<Head>,
    /// What older tokenizer files of its checkpoints do not say; with `None` word pieces stand between BERT's tokens, pieces of bytes
    /// stand alone, and unigrams are refused.
    pub framing: Option<Framing>,
}

/// Builds a network.
type Build = fn(&Config, &Weights) -> Result<Box<dyn Architecture>, TorchError>;

/// The head by which a sequence classifier scores a text: a dense layer on the row of its first token, an activation, and a
/// linear layer to one number.
#[derive(Clone, Copy)]
pub struct Head {
    /// Name of the dense layer.
    pub dense: &'static str,
    /// True if that name stands below the network's own prefix.
    pub is_below_root: bool,
    /// What follows the dense layer.
    pub activation: fn(&Config) -> Result<Activation, TorchError>,
    /// Name of a norm between the two layers.
    pub norm: Option<&'static str>,
    /// Name of the linear layer.
    pub out: &'static str,
    /// Key of the configuration that may ask for the mean of all tokens in place of the first.
    pub pooling: Option<&'static str>,
}

impl Head {
    /// BERT's: its pooler, called `dense` below the network's own prefix, and `classifier`.
    pub const fn pooler(dense: &'static str) -> Self {
        let activation = |_: &Config| Ok(Activation::Tanh);
        Self { dense, is_below_root: true, activation, norm: None, out: "classifier", pooling: None }
    }

    /// RoBERTa's: two layers below `classifier`.
    pub const ROBERTA: Self =
        Self { is_below_root: false, out: "classifier.out_proj", ..Self::pooler("classifier.dense") };
}

/// What may stand before all names of the checkpoints of a kind.
pub fn prefixes(model_type: &str) -> &'static [&'static str] {
    match model_type {
        "bert" => &["bert."],
        "camembert" | "roberta" | "xlm-roberta" => &["roberta."],
        "albert" => &["albert."],
        "mpnet" => &["mpnet."],
        "distilbert" => &["distilbert."],
        "bloom" | "gpt_neo" | "gptj" | "t5" | "mt5" | "umt5" => &["transformer."],
        "gte" | "new" => &["gte.", "new."],
        "nomic_bert" => &["nomic_bert.", "bert."],
        _ => &["model."],
    }
}

/// True if the layer called `name` has a bias.
pub fn is_biased(config: &Config, name: &str) -> bool {
    let ends = |parts: &[&str]| parts.iter().any(|part| name.ends_with(part));
    let attention = config.flag_or("attention_bias", false) && name.contains("attn");
    match config.text_or("model_type", "") {
        "gpt_neo" => !ends(&["q_proj", "k_proj", "v_proj"]),
        "gptj" => !ends(&["q_proj", "k_proj", "v_proj", "out_proj"]),
        "nomic_bert" => ends(&["emb_ln", "norm1", "norm2"]),
        "modernbert" if name.contains("norm") => config.flag_or("norm_bias", false),
        "modernbert" | "llama" => attention || config.flag_or("mlp_bias", false) && name.contains("mlp."),
        "qwen2" => ends(&["q_proj", "k_proj", "v_proj"]),
        "qwen3" | "gemma3_text" => attention,
        "mistral" | "t5" | "mt5" | "umt5" => false,
        _ => true,
    }
}

/// Names of tensors that no layer takes, and by which no number changes: heads for other uses, and what is computed again.
const HARMLESS: [&str; 9] = [
    "pooler.",
    "lm_head.",
    "cls.",
    "classifier.",
    "qa_outputs.",
    "score.",
    "vocab_",
    "predictions.",
    "sop_classifier.",
];

/// Ends of names of buffers that networks make by themselves.
const BUFFERS: [&str; 9] = [
    "position_ids",
    "token_type_ids",
    "inv_freq",
    "masked_bias",
    "embed_positions",
    "embed_scale",
    "attn.attention.bias",
    "attn.bias",
    "decoder_start_token_id",
];

/// Parts of names by which quantised checkpoints and adapters are known.
const SIGNS: [&str; 14] = [
    ".SCB",
    ".weight_format",
    "absmax",
    "quant_map",
    "quant_state",
    "qweight",
    "qzeros",
    ".scales",
    "g_idx",
    "weight_scale",
    "input_scale",
    "weight_packed",
    "weight_zero_point",
    "lora_",
];

/// True if the tensor with the whole name `full` may be in a checkpoint though no layer takes it; `root` stands before the names of the
/// network.
pub fn may_be_left(config: &Config, full: &str, root: &str) -> bool {
    if SIGNS.iter().any(|sign| full.contains(sign)) {
        return false;
    }
    let Some(name) = full.strip_prefix(root) else { return true };
    let is_t5 = matches!(config.text_or("model_type", ""), "t5" | "mt5" | "umt5");
    HARMLESS.iter().any(|head| name.starts_with(head))
        || BUFFERS.iter().any(|end| name.ends_with(end))
        || is_t5 && (name.starts_with("decoder.") || name == "shared.weight")
}
