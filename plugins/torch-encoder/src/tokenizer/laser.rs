//! The tokenizer of LASER 2 (Heffernan et al. 2022; https://github.com/facebookresearch/LASER,
//! `laser_encoders`): plain punctuation, lower case, unigrams of SentencePiece, ids by the dictionary of
//! the network, `</s>` at the end.
//!
//! Punctuation is made plain by Moses' normalizer for English (sacremoses 0.2, `perl_parity`), as that tokenizer
//! sets it up (laser_encoders 0.0.2): control characters, formats and unassigned code points become
//! spaces first.

use std::collections::HashMap;
use std::path::Path;

use regex::Regex;
use tokenizers::Model;
use tokenizers::models::unigram::Unigram;

use super::sentence_piece::{CharsMap, SentencePieces};
use super::words::is_space;
use crate::error::TorchError;
use crate::weights::dictionary;

/// Id behind a text, whatever the dictionary says.
const END: u32 = 2;

/// Id of a piece that the dictionary does not have.
const UNKNOWN: u32 = 3;

/// Ids that `laser_encoders` fixes.
const FIXED: [(&str, u32); 4] = [("<s>", 0), ("<pad>", 1), ("</s>", END), ("<unk>", UNKNOWN)];

/// Texts to the ids of LASER's network.
pub struct Laser {
    punctuation: PunctuationNormalizer,
    rules: CharsMap,
    pieces: Unigram,
    ids: HashMap<String, u32>,
    count: usize,
}

impl Laser {
    /// Reads the pieces, and the dictionary out of the network's file.
    ///
    /// # Errors
    /// If a file is damaged, or the pieces are no unigrams.
    pub fn read(network: &Path, pieces: &Path) -> Result<Self, TorchError> {
        let wrong = |message: String| TorchError::Malformed { path: pieces.to_owned(), message };
        let mut found = SentencePieces::read(pieces).map_err(|error| wrong(error.to_string()))?;
        if !found.is_unigram || found.byte_fallback {
            return Err(wrong("expected unigrams of SentencePiece, found pieces of another kind".to_owned()));
        }
        let rules = CharsMap::of(&found.rules)
            .ok_or_else(|| wrong("expected rules of normalisation, found damaged ones".to_owned()))?;
        for &id in &found.hidden {
            // No text has this character any more when it is cut into pieces.
            found.pieces[id].0 = format!("\0{id}");
        }
        let unigrams = Unigram::from(found.pieces, Some(found.unknown), false);
        let mut ids = dictionary(network)?;
        ids.extend(FIXED.map(|(token, id)| (token.to_owned(), id)));
        Ok(Self {
            punctuation: PunctuationNormalizer::new()?,
            rules,
            pieces: unigrams.map_err(|error| wrong(error.to_string()))?,
            count: ids.values().max().map_or(0, |last| *last as usize + 1),
            ids,
        })
    }

    /// The ids of a text.
    ///
    /// # Errors
    /// If it cannot be cut into pieces.
    pub fn ids(&self, text: &str) -> Result<Vec<u32>, TorchError> {
        let text = self.rules.normalize(&self.punctuation.normalize(text).to_lowercase());
        let pieces = if text.is_empty() {
            Vec::new()
        } else {
            self.pieces.tokenize(&text).map_err(tokenizer_error)?
        };
        // A piece may hold white space that no rule made a space; the reference splits there.
        let words =
            pieces.iter().flat_map(|piece| piece.value.split(is_space)).filter(|word| !word.is_empty());
        let ids = words.map(|word| self.ids.get(word).copied().unwrap_or(UNKNOWN));
        Ok(ids.chain([END]).collect())
    }

    /// Number of ids.
    pub fn vocabulary(&self) -> usize {
        self.count
    }
}

fn tokenizer_error(error: tokenizers::Error) -> TorchError {
    TorchError::Tokenizer(error.to_string())
}

/// Patterns and what takes their place, one after the other (sacremoses, `MosesPunctNormalizer`).
const RULES: [(&str, &str); 46] = [
    (r"\p{C}", " "),
    ("\r", ""),
    (r"\(", " ("),
    (r"\)", ") "),
    (" +", " "),
    (r"\) ([.!:?;,])", ")${1}"),
    (r"\( ", "("),
    (r" \)", ")"),
    (r"(\d) %", "${1}%"),
    (" :", ":"),
    (" ;", ";"),
    ("`", "'"),
    ("''", " \" "),
    ("„", "\""),
    ("“", "\""),
    ("”", "\""),
    ("–", "-"),
    ("—", " - "),
    (" +", " "),
    ("´", "'"),
    ("([a-zA-Z])‘([a-zA-Z])", "${1}'${2}"),
    ("([a-zA-Z])’([a-zA-Z])", "${1}'${2}"),
    ("‘", "\""),
    ("‚", "\""),
    ("’", "\""),
    ("''", "\""),
    ("´´", "\""),
    ("…", "..."),
    ("\u{a0}«\u{a0}", " \""),
    ("«\u{a0}", "\""),
    ("«", "\""),
    ("\u{a0}»\u{a0}", "\" "),
    ("\u{a0}»", "\""),
    ("»", "\""),
    ("\u{a0}%", "%"),
    ("nº\u{a0}", "nº "),
    ("\u{a0}:", ":"),
    ("\u{a0}ºC", " ºC"),
    ("\u{a0}cm", " cm"),
    ("\u{a0}\\?", "?"),
    ("\u{a0}!", "!"),
    ("\u{a0};", ";"),
    (",\u{a0}", ", "),
    (" +", " "),
    ("\"([,.]+)", "${1}\""),
    ("(\\d)\u{a0}(\\d)", "${1}.${2}"),
];

/// The compiled rules.
struct PunctuationNormalizer {
    rules: Vec<(Regex, &'static str)>,
}

impl PunctuationNormalizer {
    /// Compiles the rules.
    ///
    /// # Errors
    /// If a rule is no pattern.
    pub fn new() -> Result<Self, TorchError> {
        let rules = RULES.iter().map(|(pattern, by)| Ok((Regex::new(pattern)?, *by)));
        let rules: Result<_, regex::Error> = rules.collect();
        Ok(Self { rules: rules.map_err(|error| TorchError::Tokenizer(error.to_string()))? })
    }

    /// The text with plain punctuation, and without white space at its ends.
    pub fn normalize(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (pattern, by) in &self.rules {
            if pattern.is_match(&text) {
                text = pattern.replace_all(&text, *by).into_owned();
            }
        }
        text.trim_matches(is_space).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_becomes_plain() {
        let rules = PunctuationNormalizer::new().expect("the rules are patterns");
        let found = rules.normalize(" «\u{a0}Isn’t»  it ( odd ) ?  5 % — ``no…''");
        assert_eq!(found, "\"Isn't\" it (odd)? 5% - \" no... \"");
    }
}
