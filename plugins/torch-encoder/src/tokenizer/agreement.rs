//! Holds the settings of a tokenizer against its `tokenizer.json`. transformers builds most tokenizers from the settings and takes
//! little but the vocabulary from that file; where the two say different things, its tokens are others than the file's.

use serde_json::Value;
use tokenizers::normalizers::Sequence;
use tokenizers::{ModelWrapper, NormalizerWrapper, PreTokenizerWrapper, Tokenizer};

use super::added;
use super::class::{Between, Class, Ends, Text, class_name, class_of, is_fixed};
use crate::error::TorchError;
use crate::folder::{Config, Transformer};

/// Checks the tokenizer that was read from `tokenizer.json`, which neither cuts nor fills up; what transformers always builds in the
/// same way in place of an older form of the file is put there. `has_own_ends` is true where the reference says by itself what stands
/// around a text.
///
/// # Errors
/// If the settings ask for other tokens than the file; the key and both values are named.
pub fn check(
    transformer: &Transformer,
    tokenizer: &mut Tokenizer,
    has_own_ends: bool,
    takes_pairs: bool,
) -> Result<(), TorchError> {
    let settings = &transformer.tokenizer;
    let own_code =
        settings.raw("auto_map").filter(|map| map.is_array() || map.get("AutoTokenizer").is_some());
    // Where the reference says what stands around a text, that is what the code of such tokenizers adds.
    if let Some(code) = own_code.filter(|_| !has_own_ends) {
        return Err(settings.unsupported(format!(
            "`auto_map`: the model's makers run code of its repository for the tokenizer ({code}), which is not run here"
        )));
    }
    let inputs = settings.texts("model_input_names");
    if !inputs.is_empty() && !inputs.contains(&"attention_mask") {
        return Err(settings.unsupported(format!(
            "`model_input_names`: expected attention_mask among them, without which the model takes what fills up a batch for a part of \
             the text, found: {}",
            inputs.join(", ")
        )));
    }
    let named = added::tokens(transformer)?;
    added::check(settings, tokenizer, &named)?;
    let Some(class) = class_of(transformer) else { return Ok(()) };
    let check = Check { transformer, class };
    check.model(tokenizer)?;
    check.tokens(tokenizer)?;
    match class.text {
        Text::Bert => check.bert(tokenizer)?,
        Text::Unigrams | Text::Albert => check.unigrams(tokenizer)?,
        Text::Bytes | Text::Qwen | Text::Gemma => check.parts(tokenizer)?,
    }
    match class.ends.filter(|_| !has_own_ends) {
        Some(ends) => check.ends(tokenizer, &ends, takes_pairs),
        None => Ok(()),
    }
}

struct Check<'a> {
    transformer: &'a Transformer,
    class: &'static Class,
}

impl Check<'_> {
    fn settings(&self) -> &Config {
        &self.transformer.tokenizer
    }

    /// The error that a part of the file is another one than the class builds.
    fn wrong(&self, part: &str, builds: &str, found: &str) -> TorchError {
        let said = class_name(self.transformer)
            .map_or_else(|| format!("none, which is {} for this model", self.class.name), str::to_owned);
        let advice = if is_fixed(self.transformer) {
            "it takes no other class for this model"
        } else {
            "name TokenizersBackend if tokenizer.json is right"
        };
        self.settings().unsupported(format!(
            "`tokenizer_class`: expected a class that takes the {part} of tokenizer.json, {found}, found: {said}, with which transformers \
             builds {builds}; {advice}"
        ))
    }

    /// The error that a key says something else than the file.
    fn contradicts(&self, key: &str, in_file: &dyn std::fmt::Display, found: Option<bool>) -> TorchError {
        let found = found.map_or_else(
            || format!("none, for which {} has a value of its own", self.class.name),
            |found| found.to_string(),
        );
        self.settings().unsupported(format!(
            "`{key}`: expected {in_file}, as tokenizer.json has it, found: {found}; transformers builds the tokenizer by this key"
        ))
    }

    fn flag(&self, key: &str) -> Result<Option<bool>, TorchError> {
        match self.settings().get(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(other) => {
                Err(self.settings().wrong(format!("`{key}`: expected true or false, found: {other}")))
            }
        }
    }

    fn model(&self, tokenizer: &Tokenizer) -> Result<(), TorchError> {
        let (kind, found) = match tokenizer.get_model() {
            ModelWrapper::WordPiece(model) => {
                let unknown = self.token("unk_token", "[UNK]")?;
                let usual = model.unk_token == unknown
                    && model.continuing_subword_prefix == "##"
                    && model.max_input_chars_per_word == 100;
                ("WordPiece", usual)
            }
            ModelWrapper::BPE(model) => {
                let is_empty = |text: &Option<String>| text.as_deref().unwrap_or_default().is_empty();
                let usual = is_empty(&model.continuing_subword_prefix)
                    && is_empty(&model.end_of_word_suffix)
                    && !model.ignore_merges
                    && model.byte_fallback == (self.class.text == Text::Gemma);
                ("BPE", usual)
            }
            ModelWrapper::Unigram(_) => ("Unigram", true),
            ModelWrapper::WordLevel(_) => ("WordLevel", true),
        };
        if kind != self.class.model {
            return Err(self.wrong("model", &format!("a {}", self.class.model), &format!("a {kind}")));
        }
        if found {
            Ok(())
        } else {
            Err(self.wrong(
                "model",
                &format!("a plain {kind}"),
                &format!("a {kind} with settings of its own"),
            ))
        }
    }

    /// The special tokens that the class has where no file names others: it adds those that are not there.
    fn tokens(&self, tokenizer: &Tokenizer) -> Result<(), TorchError> {
        let map = added::special_tokens_map(self.transformer)?;
        let is_silent = |key: &str| self.settings().raw(key).is_none() && map.raw(key).is_none();
        let usual = self.class.tokens.iter().filter(|(key, _)| is_silent(key));
        let usual = usual.map(|(key, token)| added::Named {
            key: (*key).to_owned(),
            content: (*token).to_owned(),
            id: None,
        });
        added::check(self.settings(), tokenizer, &usual.collect::<Vec<_>>())
    }

    fn bert(&self, tokenizer: &Tokenizer) -> Result<(), TorchError> {
        let lower = self.flag("do_lower_case")?;
        let own = tokenizer.get_normalizer().map(single);
        let Some(NormalizerWrapper::BertNormalizer(own)) = own else {
            let says = format!("BERT's with `do_lower_case` = {}", lower.unwrap_or(true));
            return Err(self.wrong("normalizer", &says, &shorten_part(&value_of(own))));
        };
        if own.lowercase != lower.unwrap_or(true) {
            return Err(self.contradicts("do_lower_case", &own.lowercase, lower));
        }
        let accents = self.flag("strip_accents")?;
        let own_accents = own.strip_accents.unwrap_or(own.lowercase);
        if own_accents != accents.unwrap_or(own.lowercase) {
            return Err(self.contradicts("strip_accents", &own_accents, accents));
        }
        let chinese = self.flag("tokenize_chinese_chars")?;
        if own.handle_chinese_chars != chinese.unwrap_or(true) {
            return Err(self.contradicts("tokenize_chinese_chars", &own.handle_chinese_chars, chinese));
        }
        if !own.clean_text {
            return Err(self.wrong("normalizer", "one that cleans texts", "one that does not clean texts"));
        }
        self.words(tokenizer)
    }

    /// The normalizer and what cuts a text into words, both as the class has them.
    fn parts(&self, tokenizer: &Tokenizer) -> Result<(), TorchError> {
        let (builds, found) = (self.class.normalizer(), value_of(tokenizer.get_normalizer().map(single)));
        if builds != found {
            return Err(self.wrong("normalizer", &shorten_part(&builds), &shorten_part(&found)));
        }
        self.words(tokenizer)
    }

    fn words(&self, tokenizer: &Tokenizer) -> Result<(), TorchError> {
        let space = self.flag("add_prefix_space")?;
        let found = value_of(tokenizer.get_pre_tokenizer());
        // Marks stand for all spaces already.
        let is_idle = self.class.text == Text::Gemma && found.is_null();
        if is_idle || found == without_offsets(self.class.pre_tokenizer(space)) {
            return Ok(());
        }
        let other = !space.unwrap_or(false);
        if found == without_offsets(self.class.pre_tokenizer(Some(other))) {
            return Err(self.contradicts("add_prefix_space", &other, space));
        }
        Err(self.wrong(
            "pre_tokenizer",
            &shorten_part(&without_offsets(self.class.pre_tokenizer(space))),
            &shorten_part(&found),
        ))
    }

    /// Unigrams: of the normalizer transformers takes the compiled rules alone, behind what the class has of its own, and it cuts at
    /// white space first.
    fn unigrams(&self, tokenizer: &mut Tokenizer) -> Result<(), TorchError> {
        let is_idle = |part: &NormalizerWrapper| match part {
            NormalizerWrapper::StripNormalizer(_) => true,
            NormalizerWrapper::Replace(_) => value_of(Some(part))["pattern"]["Regex"] == " {2,}",
            _ => false,
        };
        let parts = parts_of(tokenizer.get_normalizer());
        let parts: Vec<NormalizerWrapper> =
            parts.into_iter().filter(|part| !is_idle(part)).cloned().collect();
        let rules = parts.iter().rposition(|part| matches!(part, NormalizerWrapper::Precompiled(_)));
        let own: Vec<Value> =
            parts[..rules.unwrap_or(parts.len())].iter().map(|part| value_of(Some(part))).collect();
        let accents = self.class.text == Text::Albert && !self.flag("keep_accents")?.unwrap_or(false);
        let lower = self.class.text == Text::Albert && self.flag("do_lower_case")?.unwrap_or(true);
        let builds = self.class.own_rules(accents, lower);
        if own != builds || rules.is_some_and(|rules| rules + 1 < parts.len()) {
            let builds =
                format!("{} and the compiled rules of SentencePiece", shorten_part(&Value::from(builds)));
            let found = shorten_part(&value_of(tokenizer.get_normalizer()));
            return Err(self.wrong("normalizer", &builds, &found));
        }
        let space = self.flag("add_prefix_space")?;
        // T5's class passes over the key.
        let space = space.filter(|_| self.class.name != "T5Tokenizer");
        let builds = self.class.pre_tokenizer(space);
        let found = value_of(tokenizer.get_pre_tokenizer());
        if found != builds && found != builds["pretokenizers"][1] {
            return Err(self.wrong("pre_tokenizer", &shorten_part(&builds), &shorten_part(&found)));
        }
        let failed = |error: &dyn std::fmt::Display| self.settings().wrong(error.to_string());
        let words: PreTokenizerWrapper = serde_json::from_value(builds).map_err(|error| failed(&error))?;
        tokenizer.with_pre_tokenizer(Some(words));
        let rules = (!parts.is_empty()).then(|| NormalizerWrapper::Sequence(Sequence::new(parts)));
        tokenizer.with_normalizer(rules).map_err(|error| failed(&error))?;
        Ok(())
    }

    /// What stands around a text, and between two, for an example.
    fn ends(&self, tokenizer: &Tokenizer, ends: &Ends, takes_pairs: bool) -> Result<(), TorchError> {
        let id = |(key, otherwise): (&str, &str)| {
            let token = self.token(key, otherwise)?;
            tokenizer.token_to_id(&token).ok_or_else(|| {
                self.settings().wrong(format!("`{key}`: expected a token of tokenizer.json, found: {token}"))
            })
        };
        let (first, last) = (ends.first.map(id).transpose()?, id(ends.last)?);
        let failed =
            |error: tokenizers::Error| self.settings().wrong(format!("the tokenizer failed: {error}"));
        let bare = tokenizer.encode_fast("a", false).map_err(failed)?.get_ids().to_vec();
        let mut builds: Vec<u32> = first.into_iter().chain(bare.iter().copied()).chain([last]).collect();
        let mut types = vec![0; builds.len()];
        let found = if takes_pairs {
            let twice = usize::from(ends.between == Between::LastTwice);
            builds.extend(std::iter::repeat_n(last, twice).chain(bare).chain([last]));
            types.resize(builds.len(), u32::from(ends.between == Between::LastTyped));
            tokenizer.encode_fast(("a", "a"), true)
        } else {
            tokenizer.encode_fast("a", true)
        };
        let found = found.map_err(failed)?;
        if found.get_ids() == builds && found.get_type_ids() == types {
            return Ok(());
        }
        let names = |ids: &[u32]| {
            let names = ids.iter().map(|id| tokenizer.id_to_token(*id).unwrap_or_default());
            names.collect::<Vec<_>>().join(" ")
        };
        let part = if tokenizer.get_post_processor().is_some() {
            "post_processor"
        } else {
            "missing post_processor"
        };
        let shown = format!("which makes of a: {}", names(found.get_ids()));
        Err(self.wrong(part, &names(&builds), &shown))
    }

    /// The token that the files call `key`.
    fn token(&self, key: &str, otherwise: &str) -> Result<String, TorchError> {
        let map = added::special_tokens_map(self.transformer)?;
        let found = [&map, self.settings()].into_iter().find_map(|config| added::content(config.get(key)?));
        Ok(found.unwrap_or(otherwise).to_owned())
    }
}

/// The only part of a sequence of one.
fn single(normalizer: &NormalizerWrapper) -> &NormalizerWrapper {
    match normalizer {
        NormalizerWrapper::Sequence(parts) if parts.as_ref().len() == 1 => &parts.as_ref()[0],
        other => other,
    }
}

fn parts_of(normalizer: Option<&NormalizerWrapper>) -> Vec<&NormalizerWrapper> {
    match normalizer {
        None => Vec::new(),
        Some(NormalizerWrapper::Sequence(parts)) => parts.as_ref().iter().collect(),
        Some(one) => vec![one],
    }
}

/// A part of a tokenizer as `tokenizer.json` writes it, without what changes no token.
fn value_of(part: Option<&impl serde::Serialize>) -> Value {
    without_offsets(part.and_then(|part| serde_json::to_value(part).ok()).unwrap_or(Value::Null))
}

/// Offsets of tokens are not used.
fn without_offsets(mut part: Value) -> Value {
    if let Some(entries) = part.as_object_mut() {
        entries.remove("trim_offsets");
        let inner = entries.get_mut("pretokenizers").and_then(Value::as_array_mut);
        inner.into_iter().flatten().for_each(|part| *part = without_offsets(part.take()));
    }
    part
}

/// A part for a message: its begin.
fn shorten_part(part: &Value) -> String {
    if part.is_null() { "none".to_owned() } else { crate::folder::excerpt(part) }
}
