//! Moses' punctuation normalizer for English (sacremoses 0.2, `perl_parity`), as LASER's tokenizer sets it up
//! (laser_encoders 0.0.2): control characters, formats and unassigned code points become spaces first.

use regex::Regex;

use super::words::is_space;
use crate::error::TorchError;

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
pub struct PunctuationNormalizer {
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
    use super::PunctuationNormalizer;

    #[test]
    fn punctuation_becomes_plain() {
        let rules = PunctuationNormalizer::new().expect("the rules are patterns");
        let found = rules.normalize(" «\u{a0}Isn’t»  it ( odd ) ?  5 % — ``no…''");
        assert_eq!(found, "\"Isn't\" it (odd)? 5% - \" no... \"");
    }
}
