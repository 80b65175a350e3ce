//! A tokenizer of the `tokenizers` library, set up as sentence-transformers sets it up.

use std::path::Path;

use tokenizers::normalizers::{Lowercase, Sequence};
use tokenizers::tokenizer::EncodeInput;
use tokenizers::utils::truncation::truncate_encodings;
use tokenizers::{
    Encoding, NormalizerWrapper, PaddingDirection, PostProcessor, Tokenizer, TruncationDirection,
    TruncationParams,
};

use super::convert::{Framing, convert};
use super::tokens::{Tokens, frame};
use super::{added, agreement};
use crate::error::TorchError;
use crate::folder::{Config, ModelFolder, Transformer};

/// Texts to token ids.
pub struct Subwords {
    tokenizer: Tokenizer,
    /// The tokenizer that does not cut, and how a pair is cut afterwards; for models that take pairs.
    ///
    /// Cutting while it tokenises, the library takes the lengths at which it stopped for those of the texts.
    whole: Option<(Tokenizer, Option<TruncationParams>)>,
    /// True if the model hears which text of a pair a token belongs to.
    typed: bool,
    /// True if special tokens frame the text.
    framed: bool,
}

impl Subwords {
    /// The tokenizer of a transformer.
    ///
    /// # Errors
    /// If its file is absent or no tokenizer.
    pub fn of_transformer(
        transformer: &Transformer,
        framing: Option<Framing>,
        max_length: Option<usize>,
        folder: &ModelFolder,
    ) -> Result<Self, TorchError> {
        let path = transformer.folder.join("tokenizer.json");
        let mut tokenizer = open_or_convert(transformer, framing, &path)?;
        refuse_moved(transformer, &tokenizer)?;
        if folder.loading.pad_token.is_none() {
            added::check_filler(transformer, &tokenizer)?;
        }
        let direction = side(&transformer.tokenizer, &tokenizer);
        // The file may fix a length and a padding of its own; the folder's maximum and no padding are right.
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|error| malformed_error(&path, &error.to_string()))?;
        if path.is_file() {
            let loading = &folder.loading;
            let has_own_ends = loading.add_bos_token.is_some() || loading.add_eos_token.is_some();
            agreement::check(transformer, &mut tokenizer, has_own_ends, folder.cross_encoder)?;
        }
        if transformer.lower_case {
            let lower = NormalizerWrapper::Lowercase(Lowercase);
            let normalizer = match tokenizer.get_normalizer() {
                None => lower,
                Some(own) => NormalizerWrapper::Sequence(Sequence::new(vec![lower, own.clone()])),
            };
            tokenizer
                .with_normalizer(Some(normalizer))
                .map_err(|error| malformed_error(&path, &error.to_string()))?;
        }
        frame(&mut tokenizer, transformer, &folder.loading)?;
        let truncation = max_length.map(|max_length| TruncationParams {
            max_length,
            direction,
            ..TruncationParams::default()
        });
        let room = tokenizer
            .get_post_processor()
            .map_or(0, |processor| processor.added_tokens(folder.cross_encoder));
        if let Some(length) = max_length.filter(|length| *length < room) {
            let message = format!(
                "expected a maximum of at least {room} tokens, as many as are put around each text, found {length}"
            );
            return Err(malformed_error(&path, &message));
        }
        let whole = folder.cross_encoder.then(|| (tokenizer.clone(), truncation.clone()));
        tokenizer.with_truncation(truncation).map_err(|error| malformed_error(&path, &error.to_string()))?;
        Ok(Self { tokenizer, whole, typed: is_typed(&transformer.tokenizer), framed: true })
    }

    /// The tokenizer of static embeddings, which neither cuts nor frames.
    ///
    /// # Errors
    /// If its file is absent or no tokenizer.
    pub fn of_static(folder: &Path) -> Result<Self, TorchError> {
        let mut tokenizer = open(&folder.join("tokenizer.json"))?;
        tokenizer.with_padding(None);
        Ok(Self { tokenizer, whole: None, typed: false, framed: false })
    }

    /// The tokens of one text.
    ///
    /// # Errors
    /// If it cannot be tokenised.
    pub fn text(&self, text: &str) -> Result<Tokens, TorchError> {
        self.encode(text.into(), self.framed)
    }

    /// The tokens of a pair; where it is too long, the longer text is cut first.
    ///
    /// # Errors
    /// If it cannot be tokenised.
    pub fn pair(&self, first: &str, second: &str) -> Result<Tokens, TorchError> {
        let Some((tokenizer, truncation)) = &self.whole else {
            return self.encode((first, second).into(), self.framed);
        };
        let encoding = whole_pair(tokenizer, truncation.as_ref(), first, second);
        Ok(self.tokens(&encoding.map_err(|error| TorchError::Tokenizer(error.to_string()))?))
    }

    /// The ids of one text without the tokens that frame it, cut nowhere but at the maximum.
    ///
    /// # Errors
    /// If it cannot be tokenised.
    pub fn bare(&self, text: &str) -> Result<Vec<u32>, TorchError> {
        Ok(self.encode(text.into(), false)?.ids)
    }

    /// Tokens of a prompt, without a special token behind it.
    ///
    /// # Errors
    /// If it cannot be tokenised.
    pub fn prompt_length(&self, prompt: &str) -> Result<usize, TorchError> {
        let ids = self.text(prompt)?.ids;
        let added = self.tokenizer.get_added_tokens_decoder();
        let special = ids.last().and_then(|id| added.get(id)).is_some_and(|token| token.special);
        Ok(ids.len() - usize::from(special))
    }

    /// The id of a token.
    pub fn id_of(&self, token: &str) -> Option<u32> {
        self.tokenizer.token_to_id(token)
    }

    /// Tokens without those that were added to the vocabulary: a text gets one of those only where it spells it out.
    pub fn vocabulary(&self) -> usize {
        self.tokenizer.get_vocab_size(false)
    }

    fn encode(&self, input: EncodeInput<'_>, framed: bool) -> Result<Tokens, TorchError> {
        let encoding = self.tokenizer.encode_fast(input, framed);
        Ok(self.tokens(&encoding.map_err(|error| TorchError::Tokenizer(error.to_string()))?))
    }

    fn tokens(&self, encoding: &Encoding) -> Tokens {
        let types = encoding.get_type_ids();
        let types = (self.typed && types.iter().any(|kind| *kind != 0)).then(|| types.to_vec());
        Tokens { ids: encoding.get_ids().to_vec(), types }
    }
}

fn whole_pair(
    tokenizer: &Tokenizer,
    truncation: Option<&TruncationParams>,
    first: &str,
    second: &str,
) -> tokenizers::Result<Encoding> {
    let first = tokenizer.encode_fast(first, false)?;
    let second = tokenizer.encode_fast(second, false)?;
    let (first, second) = match truncation {
        None => (first, Some(second)),
        Some(truncation) => {
            let added = tokenizer.get_post_processor().map_or(0, |processor| processor.added_tokens(true));
            let max_length = truncation.max_length.saturating_sub(added);
            truncate_encodings(first, Some(second), &TruncationParams { max_length, ..truncation.clone() })?
        }
    };
    tokenizer.post_process(first, second, true)
}

/// Whether transformers gives the model token types: those of generic tokenizers it does not, unless they say so.
fn is_typed(config: &Config) -> bool {
    let inputs = config.texts("model_input_names");
    if inputs.is_empty() {
        return config.text_or("tokenizer_class", "") != "TokenizersBackend";
    }
    inputs.contains(&"token_type_ids")
}

fn open_or_convert(
    transformer: &Transformer,
    framing: Option<Framing>,
    path: &Path,
) -> Result<Tokenizer, TorchError> {
    if path.is_file() {
        return open(path);
    }
    let converted = convert(transformer, framing)
        .map_err(|error| malformed_error(&transformer.folder, &error.to_string()))?;
    converted.ok_or_else(|| TorchError::Missing {
        path: transformer.folder.clone(),
        expected: "a tokenizer (tokenizer.json, vocab.txt, vocab.json with merges.txt, spiece.model, or sentencepiece.bpe.model; from other files \
                   `AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)` of transformers makes one)",
    })
}

fn open(path: &Path) -> Result<Tokenizer, TorchError> {
    if !path.is_file() {
        return Err(TorchError::Missing { path: path.to_owned(), expected: "a tokenizer (tokenizer.json)" });
    }
    Tokenizer::from_file(path)
        .map_err(|error| malformed_error(path, &format!("expected a tokenizer, found: {error}")))
}

/// The end at which a text is cut.
fn side(config: &Config, tokenizer: &Tokenizer) -> TruncationDirection {
    match config.text_or("truncation_side", "") {
        "left" => TruncationDirection::Left,
        "right" => TruncationDirection::Right,
        _ => tokenizer.get_truncation().map_or(TruncationDirection::Right, |own| own.direction),
    }
}

/// Networks that count places from the begin of a row of a batch, whatever fills it up.
const COUNT_FROM_ROW: [&str; 4] = ["albert", "bert", "distilbert", "gpt_neo"];

/// Refuses a model whose batches are filled up before the texts, where that moves them to other places: its rows depend on the texts
/// beside it.
fn refuse_moved(transformer: &Transformer, tokenizer: &Tokenizer) -> Result<(), TorchError> {
    let of_settings = transformer.padding_side.as_deref();
    let of_config = transformer.tokenizer.get("padding_side").and_then(serde_json::Value::as_str);
    let is_left = match of_settings.or(of_config) {
        Some(side) => side == "left",
        None => tokenizer.get_padding().is_some_and(|own| matches!(own.direction, PaddingDirection::Left)),
    };
    let model_type = transformer.config.text_or("model_type", "");
    if !is_left || !COUNT_FROM_ROW.contains(&model_type) {
        return Ok(());
    }
    Err(transformer.tokenizer.unsupported(format!(
        "`padding_side`: expected right for {model_type}, found left, with which the vector of a text depends \
         on the longest text of its batch; set `right`, or run it in its own library with `st:` before the folder"
    )))
}

fn malformed_error(path: &Path, message: &str) -> TorchError {
    TorchError::Malformed { path: path.to_owned(), message: message.to_owned() }
}
