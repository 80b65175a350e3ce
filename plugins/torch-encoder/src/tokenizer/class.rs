//! Which class of transformers reads a folder's tokenizer, and what that class builds by itself in place of what `tokenizer.json` has:
//! the ways of `AutoTokenizer` and of its classes (transformers 5, `tokenization_auto.py` and the `tokenization_*.py` of the models).

use serde_json::{Value, json};

use crate::folder::{Config, Transformer};

/// What a class builds.
pub struct Class {
    /// Its name, without `Fast`.
    pub name: &'static str,
    /// The kind of model that it has.
    pub model: &'static str,
    /// How it changes and cuts a text.
    pub text: Text,
    /// What it puts around a text; `None` where the file says it.
    pub ends: Option<Ends>,
    /// The special tokens that it has where no file says others.
    pub tokens: Tokens,
}

/// Keys of special tokens and their texts.
pub type Tokens = &'static [(&'static str, &'static str)];

/// How a class changes a text before it looks for pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// BERT's: `do_lower_case`, `strip_accents` and `tokenize_chinese_chars` say how.
    Bert,
    /// Pieces of bytes behind GPT-2's expression; `add_prefix_space` says how a text begins.
    Bytes,
    /// Pieces of bytes behind Qwen's expression.
    Qwen,
    /// The rules of SentencePiece that the file has, words, and a mark before each.
    Unigrams,
    /// A mark in the place of each space.
    Gemma,
    /// The same behind rules of ALBERT's own.
    Albert,
}

/// The tokens around a text: keys of the settings, and what they are where no file says it.
#[derive(Clone, Copy)]
pub struct Ends {
    /// The token before a text.
    pub first: Option<(&'static str, &'static str)>,
    /// The token behind it.
    pub last: (&'static str, &'static str),
    /// What stands between two texts.
    pub between: Between,
}

/// What stands between two texts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Between {
    /// The last token; the second text is of another type.
    LastTyped,
    /// The last token.
    Last,
    /// The last token twice.
    LastTwice,
}

const BERT: Ends =
    Ends { first: Some(("cls_token", "[CLS]")), last: ("sep_token", "[SEP]"), between: Between::LastTyped };
const ROBERTA: Ends =
    Ends { first: Some(("cls_token", "<s>")), last: ("sep_token", "</s>"), between: Between::LastTwice };
const XLM: Ends =
    Ends { first: Some(("bos_token", "<s>")), last: ("eos_token", "</s>"), between: Between::LastTwice };
const T5: Ends = Ends { first: None, last: ("eos_token", "</s>"), between: Between::Last };

const OF_BERT: Tokens = &[
    ("unk_token", "[UNK]"),
    ("sep_token", "[SEP]"),
    ("pad_token", "[PAD]"),
    ("cls_token", "[CLS]"),
    ("mask_token", "[MASK]"),
];
const OF_ROBERTA: Tokens = &[
    ("bos_token", "<s>"),
    ("eos_token", "</s>"),
    ("sep_token", "</s>"),
    ("cls_token", "<s>"),
    ("unk_token", "<unk>"),
    ("pad_token", "<pad>"),
    ("mask_token", "<mask>"),
];
const OF_MPNET: Tokens = &[
    ("bos_token", "<s>"),
    ("eos_token", "</s>"),
    ("sep_token", "</s>"),
    ("cls_token", "<s>"),
    ("unk_token", "[UNK]"),
    ("pad_token", "<pad>"),
    ("mask_token", "<mask>"),
];
const OF_GPT2: Tokens =
    &[("unk_token", "<|endoftext|>"), ("bos_token", "<|endoftext|>"), ("eos_token", "<|endoftext|>")];
const OF_QWEN: Tokens =
    &[("unk_token", "<|endoftext|>"), ("eos_token", "<|endoftext|>"), ("pad_token", "<|endoftext|>")];
const OF_GEMMA: Tokens = &[
    ("unk_token", "<unk>"),
    ("bos_token", "<bos>"),
    ("eos_token", "<eos>"),
    ("pad_token", "<pad>"),
    ("mask_token", "<mask>"),
];
const OF_T5: Tokens = &[("eos_token", "</s>"), ("unk_token", "<unk>"), ("pad_token", "<pad>")];
const OF_ALBERT: Tokens = &[
    ("bos_token", "[CLS]"),
    ("eos_token", "[SEP]"),
    ("unk_token", "<unk>"),
    ("sep_token", "[SEP]"),
    ("pad_token", "<pad>"),
    ("cls_token", "[CLS]"),
    ("mask_token", "[MASK]"),
];

/// The classes that build more than they read.
const ALL: [Class; 11] = [
    Class { name: "BertTokenizer", model: "WordPiece", text: Text::Bert, ends: Some(BERT), tokens: OF_BERT },
    Class {
        name: "DistilBertTokenizer",
        model: "WordPiece",
        text: Text::Bert,
        ends: Some(BERT),
        tokens: OF_BERT,
    },
    Class {
        name: "MPNetTokenizer",
        model: "WordPiece",
        text: Text::Bert,
        ends: Some(ROBERTA),
        tokens: OF_MPNET,
    },
    Class {
        name: "RobertaTokenizer",
        model: "BPE",
        text: Text::Bytes,
        ends: Some(ROBERTA),
        tokens: OF_ROBERTA,
    },
    Class { name: "GPT2Tokenizer", model: "BPE", text: Text::Bytes, ends: None, tokens: OF_GPT2 },
    Class { name: "Qwen2Tokenizer", model: "BPE", text: Text::Qwen, ends: None, tokens: OF_QWEN },
    Class { name: "GemmaTokenizer", model: "BPE", text: Text::Gemma, ends: None, tokens: OF_GEMMA },
    Class {
        name: "XLMRobertaTokenizer",
        model: "Unigram",
        text: Text::Unigrams,
        ends: Some(XLM),
        tokens: OF_ROBERTA,
    },
    Class {
        name: "CamembertTokenizer",
        model: "Unigram",
        text: Text::Unigrams,
        ends: Some(XLM),
        tokens: OF_ROBERTA,
    },
    Class { name: "T5Tokenizer", model: "Unigram", text: Text::Unigrams, ends: Some(T5), tokens: OF_T5 },
    Class { name: "AlbertTokenizer", model: "Unigram", text: Text::Albert, ends: None, tokens: OF_ALBERT },
];

/// Other names of these classes.
const OTHER_NAMES: [(&str, &str); 6] = [
    ("ElectraTokenizer", "BertTokenizer"),
    ("MobileBertTokenizer", "BertTokenizer"),
    ("LayoutLMTokenizer", "BertTokenizer"),
    ("SqueezeBertTokenizer", "BertTokenizer"),
    ("LongformerTokenizer", "RobertaTokenizer"),
    ("BartTokenizer", "RobertaTokenizer"),
];

/// The class that each architecture has where no file names one; those that are missing have the general one, which reads the file as
/// it is.
const USUAL: [(&str, &str); 15] = [
    ("albert", "AlbertTokenizer"),
    ("bert", "BertTokenizer"),
    ("camembert", "CamembertTokenizer"),
    ("distilbert", "BertTokenizer"),
    ("gemma3_text", "GemmaTokenizer"),
    ("gpt_neo", "GPT2Tokenizer"),
    ("gptj", "GPT2Tokenizer"),
    ("gte", "XLMRobertaTokenizer"),
    ("mpnet", "MPNetTokenizer"),
    ("mt5", "T5Tokenizer"),
    ("nomic_bert", "BertTokenizer"),
    ("qwen3", "Qwen2Tokenizer"),
    ("roberta", "RobertaTokenizer"),
    ("t5", "T5Tokenizer"),
    ("xlm-roberta", "XLMRobertaTokenizer"),
];

/// Architectures whose folders name classes that transformers passes over, and which it takes.
const FIXED: [(&str, &str); 4] =
    [("mistral", ""), ("modernbert", ""), ("umt5", ""), ("qwen2", "Qwen2Tokenizer")];

/// The class that reads the tokenizer of a folder; `None` for the general one, which takes `tokenizer.json` as it is.
pub fn class_of(transformer: &Transformer) -> Option<&'static Class> {
    let model_type = transformer.config.text_or("model_type", "");
    let entry = |table: &[(&str, &'static str)]| {
        table.iter().find(|(name, _)| *name == model_type).map(|(_, class)| *class)
    };
    if let Some(fixed) = entry(&FIXED) {
        return by_name(fixed);
    }
    match class_name(transformer) {
        Some(name) => by_name(name),
        None => by_name(entry(&USUAL)?),
    }
}

/// True if transformers passes over the class that the files of this architecture name.
pub fn is_fixed(transformer: &Transformer) -> bool {
    let model_type = transformer.config.text_or("model_type", "");
    FIXED.iter().any(|(name, _)| *name == model_type)
}

/// The class that the files name.
pub fn class_name(transformer: &Transformer) -> Option<&str> {
    let of = |config| Config::get(config, "tokenizer_class").and_then(Value::as_str);
    of(&transformer.tokenizer).or_else(|| of(&transformer.config)).filter(|name| !name.is_empty())
}

fn by_name(name: &str) -> Option<&'static Class> {
    let name = name.strip_suffix("Fast").unwrap_or(name);
    let name = OTHER_NAMES.iter().find(|(other, _)| *other == name).map_or(name, |(_, name)| name);
    ALL.iter().find(|class| class.name == name)
}

/// Qwen's expression (transformers, `tokenization_qwen2.py`).
const QWEN: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

impl Class {
    /// The normalizer that the class builds, as `tokenizer.json` writes it; for BERT's and unigrams another part of the code knows it.
    pub fn normalizer(&self) -> Value {
        match self.text {
            Text::Qwen => json!({ "type": "NFC" }),
            Text::Gemma => json!({ "type": "Replace", "pattern": { "String": " " }, "content": "\u{2581}" }),
            _ => Value::Null,
        }
    }

    /// What a class of unigrams puts before the compiled rules, likewise.
    pub fn own_rules(&self, strips_accents: bool, lowers: bool) -> Vec<Value> {
        if self.text != Text::Albert {
            return Vec::new();
        }
        let quotes = ["``", "''"]
            .map(|quote| json!({ "type": "Replace", "pattern": { "String": quote }, "content": "\"" }));
        let accents = [json!({ "type": "NFKD" }), json!({ "type": "StripAccents" })];
        let accents = accents.into_iter().filter(|_| strips_accents);
        quotes.into_iter().chain(accents).chain(lowers.then(|| json!({ "type": "Lowercase" }))).collect()
    }

    /// The part that cuts a text into words, likewise. `space` is what `add_prefix_space` says.
    pub fn pre_tokenizer(&self, space: Option<bool>) -> Value {
        let bytes = |uses_regex: bool| json!({ "type": "ByteLevel", "add_prefix_space": space.unwrap_or(false), "trim_offsets": true, "use_regex": uses_regex });
        match self.text {
            Text::Bert => json!({ "type": "BertPreTokenizer" }),
            Text::Bytes => bytes(true),
            Text::Qwen => {
                let split = json!({ "type": "Split", "pattern": { "Regex": QWEN }, "behavior": "Isolated", "invert": false });
                json!({ "type": "Sequence", "pretokenizers": [split, bytes(false)] })
            }
            Text::Unigrams | Text::Albert => {
                let scheme = if space.unwrap_or(true) { "always" } else { "never" };
                let mark = json!({ "type": "Metaspace", "replacement": "\u{2581}", "prepend_scheme": scheme, "split": true });
                json!({ "type": "Sequence", "pretokenizers": [{ "type": "WhitespaceSplit" }, mark] })
            }
            Text::Gemma => {
                json!({ "type": "Split", "pattern": { "String": " " }, "behavior": "MergedWithPrevious", "invert": false })
            }
        }
    }
}
