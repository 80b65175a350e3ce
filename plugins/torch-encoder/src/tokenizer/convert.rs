//! Tokenizers from the files of older checkpoints: `vocab.txt` of BERT, `vocab.json` with `merges.txt` of GPT-2, and
//! the model files of SentencePiece as T5 and XLM-RoBERTa use them.

use std::path::Path;

use tokenizers::models::bpe::BPE;
use tokenizers::models::unigram::Unigram;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::{BertNormalizer, Precompiled};
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::metaspace::{Metaspace, PrependScheme};
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::whitespace::WhitespaceSplit;
use tokenizers::processors::roberta::RobertaProcessing;
use tokenizers::processors::template::TemplateProcessing;
use tokenizers::{AddedToken, PostProcessorWrapper, PreTokenizerWrapper, Tokenizer};

use super::sentence_piece::SentencePieces;
use crate::folder::{Config, Transformer};

/// The tokenizer of a folder without `tokenizer.json`; `None` if the older files are absent too.
///
/// # Errors
/// If the files are malformed.
pub fn convert(transformer: &Transformer, framing: Option<Framing>) -> tokenizers::Result<Option<Tokenizer>> {
    let file = |name: &str| transformer.folder.join(name);
    if file("vocab.txt").is_file() {
        return word_pieces(transformer, framing, &file("vocab.txt")).map(Some);
    }
    if file("vocab.json").is_file() && file("merges.txt").is_file() {
        return bytes(transformer, framing, [&file("vocab.json"), &file("merges.txt")]).map(Some);
    }
    for name in ["spiece.model", "sentencepiece.bpe.model"] {
        if file(name).is_file() {
            return pieces(transformer, framing, &file(name)).map(Some);
        }
    }
    Ok(None)
}

/// T5, with one token behind a text and 100 sentinels behind its pieces, and XLM-RoBERTa, whose first four ids are not
/// those of the file (transformers, `convert_slow_tokenizer.py`).
fn pieces(transformer: &Transformer, framing: Option<Framing>, path: &Path) -> tokenizers::Result<Tokenizer> {
    let settings = &transformer.tokenizer;
    let found = SentencePieces::read(path)?;
    let is_t5 = framing == Some(Framing::T5);
    if !is_t5 && framing != Some(Framing::XlmRoberta) || !found.is_unigram || found.byte_fallback {
        return Err(format!(
            "{}: expected unigrams of T5 or XLM-RoBERTa, found pieces of another kind ({}); \
             `AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)` of transformers makes a tokenizer.json",
            path.display(),
            transformer.config.text_or("model_type", "")
        )
        .into());
    }
    let last = token_of(settings, "eos_token", "</s>");
    let (vocabulary, unknown, first) = if is_t5 {
        let sentinels = settings.whole_or("extra_ids", 100);
        let sentinels = (0..sentinels).rev().map(|number| (format!("<extra_id_{number}>"), 0.0));
        (found.pieces.into_iter().chain(sentinels).collect::<Vec<_>>(), found.unknown, None)
    } else {
        let names =
            [("bos_token", "<s>"), ("pad_token", "<pad>"), ("eos_token", "</s>"), ("unk_token", "<unk>")];
        let names = names.map(|(key, otherwise)| token_of(settings, key, otherwise));
        let first = names[0].clone();
        let mask = token_of(settings, "mask_token", "<mask>");
        let own = found.pieces.into_iter().skip(3);
        let all = names.into_iter().map(|name| (name, 0.0)).chain(own).chain([(mask, 0.0)]);
        (all.collect(), 3, Some(first))
    };
    let mut tokenizer = Tokenizer::new(Unigram::from(vocabulary, Some(unknown), false)?);
    if !found.rules.is_empty() {
        let rules = Precompiled::from(&found.rules).map_err(|error| error.to_string())?;
        tokenizer.with_normalizer(Some(rules))?;
    }
    let words: PreTokenizerWrapper = WhitespaceSplit.into();
    let spaces = Metaspace::new('\u{2581}', PrependScheme::Always, true);
    tokenizer.with_pre_tokenizer(Some(Sequence::new(vec![words, spaces.into()])));
    let ids =
        first.iter().chain([&last]).map(|token| (token.clone(), tokenizer.token_to_id(token).unwrap_or(0)));
    let ids: Vec<(String, u32)> = ids.collect();
    let template = match &first {
        Some(first) => TemplateProcessing::builder()
            .try_single(format!("{first} $A {last}"))?
            .try_pair(format!("{first} $A {last} {last} $B {last}"))?
            .special_tokens(ids)
            .build()?,
        None => TemplateProcessing::builder()
            .try_single(format!("$A {last}"))?
            .try_pair(format!("$A {last} $B {last}"))?
            .special_tokens(ids)
            .build()?,
    };
    tokenizer.with_post_processor(Some(template));
    let sentinels = (0..settings.whole_or("extra_ids", 100)).map(|number| format!("<extra_id_{number}>"));
    let whole = found.controls.into_iter().chain(sentinels.filter(|_| is_t5));
    let whole: Vec<AddedToken> = whole
        .filter(|token| tokenizer.token_to_id(token).is_some())
        .map(|token| AddedToken::from(token, true))
        .collect();
    tokenizer.add_special_tokens(whole)?;
    special(&mut tokenizer, settings)?;
    Ok(tokenizer)
}

/// BERT and its relatives.
fn word_pieces(
    transformer: &Transformer,
    framing: Option<Framing>,
    vocabulary: &Path,
) -> tokenizers::Result<Tokenizer> {
    let settings = &transformer.tokenizer;
    let token = |key: &str, otherwise: &str| token_of(settings, key, otherwise);
    let model = WordPiece::from_file(&vocabulary.to_string_lossy()).unk_token(token("unk_token", "[UNK]"));
    let mut tokenizer = Tokenizer::new(model.build()?);
    let lower = settings.flag_or("do_lower_case", true);
    let accents = settings.get("strip_accents").and_then(serde_json::Value::as_bool);
    let chinese = settings.flag_or("tokenize_chinese_chars", true);
    tokenizer.with_normalizer(Some(BertNormalizer::new(true, chinese, accents, lower)))?;
    tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
    if framing == Some(Framing::MpNet) {
        let (first, last) = (token("cls_token", "<s>"), token("sep_token", "</s>"));
        let processor = roberta(&tokenizer, first, last);
        tokenizer.with_post_processor(Some(processor));
    } else {
        let (first, last) = (token("cls_token", "[CLS]"), token("sep_token", "[SEP]"));
        let ids = [&first, &last].map(|token| (token.clone(), tokenizer.token_to_id(token).unwrap_or(0)));
        let template = TemplateProcessing::builder()
            .try_single(format!("{first} $A {last}"))?
            .try_pair(format!("{first} $A {last} $B:1 {last}:1"))?
            .special_tokens(ids.to_vec())
            .build()?;
        tokenizer.with_post_processor(Some(template));
    }
    special(&mut tokenizer, settings)?;
    Ok(tokenizer)
}

/// RoBERTa, which frames a text, and GPT-2's relatives, which do not.
fn bytes(
    transformer: &Transformer,
    framing: Option<Framing>,
    [vocabulary, merges]: [&Path; 2],
) -> tokenizers::Result<Tokenizer> {
    let settings = &transformer.tokenizer;
    let model = BPE::from_file(&vocabulary.to_string_lossy(), &merges.to_string_lossy()).build()?;
    let mut tokenizer = Tokenizer::new(model);
    let space = settings.flag_or("add_prefix_space", false);
    tokenizer.with_pre_tokenizer(Some(ByteLevel::new(space, true, true)));
    let processor: PostProcessorWrapper = if framing == Some(Framing::Roberta) {
        let token = |key: &str, otherwise: &str| token_of(settings, key, otherwise);
        roberta(&tokenizer, token("cls_token", "<s>"), token("sep_token", "</s>"))
            .add_prefix_space(space)
            .into()
    } else {
        ByteLevel::new(space, true, true).into()
    };
    tokenizer.with_post_processor(Some(processor));
    special(&mut tokenizer, settings)?;
    Ok(tokenizer)
}

fn roberta(tokenizer: &Tokenizer, first: String, last: String) -> RobertaProcessing {
    let id = |token: &str| tokenizer.token_to_id(token).unwrap_or(0);
    let (first_id, last_id) = (id(&first), id(&last));
    RobertaProcessing::new((last, last_id), (first, first_id))
}

/// Tokens that stay whole where a text spells them out, as far as the vocabulary has them.
fn special(tokenizer: &mut Tokenizer, settings: &Config) -> tokenizers::Result<()> {
    let keys = ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"];
    let usual = [
        "[UNK]",
        "[SEP]",
        "[PAD]",
        "[CLS]",
        "[MASK]",
        "<s>",
        "</s>",
        "<unk>",
        "<pad>",
        "<mask>",
        "<|endoftext|>",
    ];
    let named =
        keys.iter().map(|key| (token_of(settings, key, ""), settings.part(key).flag_or("lstrip", false)));
    let mut tokens: Vec<AddedToken> = Vec::new();
    for (token, takes_space) in named.chain(usual.map(|token| (token.to_owned(), false))) {
        if tokenizer.token_to_id(&token).is_some() && tokens.iter().all(|known| known.content != token) {
            tokens.push(AddedToken::from(token, true).lstrip(takes_space));
        }
    }
    tokenizer.add_special_tokens(tokens)?;
    Ok(())
}

/// A token of the settings: a text, or an object with its content.
fn token_of(settings: &Config, key: &str, otherwise: &str) -> String {
    let content = settings.part(key).text_or("content", "").to_owned();
    if content.is_empty() { settings.text_or(key, otherwise).to_owned() } else { content }
}

/// What stands around the pieces of a text, and how these are numbered, where a checkpoint has no `tokenizer.json` that says it. An
/// architecture declares it, and the files say the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// BERT's: `[CLS]` before and `[SEP]` behind word pieces.
    Bert,
    /// MPNet's: `<s>` before and `</s>` behind word pieces, twice between two texts.
    MpNet,
    /// RoBERTa's: `<s>` before and `</s>` behind pieces of bytes, twice between two texts.
    Roberta,
    /// T5's: `</s>` behind unigrams, which have 100 sentinels behind them.
    T5,
    /// XLM-RoBERTa's: `<s>` before and `</s>` behind unigrams, whose first four ids are not those of the file.
    XlmRoberta,
}
