//! Tokenizers from the files of older checkpoints: `vocab.txt` of BERT, `vocab.json` with `merges.txt` of GPT-2.

use std::path::Path;

use tokenizers::models::bpe::BPE;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::processors::roberta::RobertaProcessing;
use tokenizers::processors::template::TemplateProcessing;
use tokenizers::{AddedToken, PostProcessorWrapper, Tokenizer};

use crate::folder::{Config, Transformer};

/// The tokenizer of a folder without `tokenizer.json`; `None` if the older files are absent too.
///
/// # Errors
/// If the files are malformed.
pub fn convert(transformer: &Transformer) -> tokenizers::Result<Option<Tokenizer>> {
    let file = |name: &str| transformer.folder.join(name);
    if file("vocab.txt").is_file() {
        return word_pieces(transformer, &file("vocab.txt")).map(Some);
    }
    if file("vocab.json").is_file() && file("merges.txt").is_file() {
        return bytes(transformer, &file("vocab.json"), &file("merges.txt")).map(Some);
    }
    Ok(None)
}

/// BERT, DistilBERT and MPNet.
fn word_pieces(transformer: &Transformer, vocabulary: &Path) -> tokenizers::Result<Tokenizer> {
    let settings = &transformer.tokenizer;
    let token = |key: &str, otherwise: &str| token_of(settings, key, otherwise);
    let model = WordPiece::from_file(&vocabulary.to_string_lossy()).unk_token(token("unk_token", "[UNK]"));
    let mut tokenizer = Tokenizer::new(model.build()?);
    let lower = settings.flag_or("do_lower_case", true);
    let accents = settings.get("strip_accents").and_then(serde_json::Value::as_bool);
    let chinese = settings.flag_or("tokenize_chinese_chars", true);
    tokenizer.with_normalizer(Some(BertNormalizer::new(true, chinese, accents, lower)))?;
    tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
    if transformer.config.text_or("model_type", "") == "mpnet" {
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
fn bytes(transformer: &Transformer, vocabulary: &Path, merges: &Path) -> tokenizers::Result<Tokenizer> {
    let settings = &transformer.tokenizer;
    let model = BPE::from_file(&vocabulary.to_string_lossy(), &merges.to_string_lossy()).build()?;
    let mut tokenizer = Tokenizer::new(model);
    let space = settings.flag_or("add_prefix_space", false);
    tokenizer.with_pre_tokenizer(Some(ByteLevel::new(space, true, true)));
    let processor: PostProcessorWrapper = if transformer.config.text_or("model_type", "") == "roberta" {
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
