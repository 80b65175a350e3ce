//! Languages as command lines and benchmarks name them: `vi`, `vie`, `vie-Latn`, `Vietnamese`.

use std::collections::BTreeSet;

use isolang::Language;
use mteb_base::suggest::hint;

use super::macrolanguages::members;
use crate::selecting::selection_error::SelectionError;

/// A language that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageFilter {
    /// Codes of ISO 639-3.
    codes: BTreeSet<String>,
    /// Script of ISO 15924, if one is named.
    script: Option<String>,
}

impl LanguageFilter {
    /// The language that a benchmark names: no other one, so that its tasks stay what they are.
    ///
    /// `text` is a code of two or three letters or an English name, with or without a script behind `-` (`_` is taken
    /// too). `used` are the codes of the cards, as `ind-Latn`; they are known whatever the standard says.
    ///
    /// # Errors
    /// If there is no such language.
    pub fn exact(text: &str, used: &BTreeSet<&str>) -> Result<Self, SelectionError> {
        let wanted = text.trim();
        let of_cards: BTreeSet<&str> = used.iter().map(|code| language_of(code)).collect();
        if let Some(codes) = codes(wanted, &of_cards) {
            return Ok(Self { codes, script: None });
        }
        let scripted = wanted.rsplit_once(['-', '_']).filter(|(_, script)| is_script(script));
        if let Some((language, script)) = scripted
            && let Some(codes) = codes(language, &of_cards)
        {
            let (first, rest) = script.split_at(1);
            let script = Some(first.to_ascii_uppercase() + &rest.to_ascii_lowercase());
            return Ok(Self { codes, script });
        }
        let language = scripted.map_or(wanted, |(language, _)| language);
        let names = isolang::languages().map(|language| language.to_name());
        let otherwise = "`mteb-host list tasks` shows those of each task";
        // Any code of three letters is near some word; a name says what was meant.
        let codes = of_cards.iter().copied().filter(|_| language.len() <= 3);
        let near = hint(language, codes.chain(names), otherwise);
        Err(SelectionError::NoLanguage { found: text.to_owned(), near })
    }

    /// The language that a user names, as [`Self::exact`] reads it, and with it the members of a macrolanguage, and of a
    /// member what is only known to be in its macrolanguage: cards say `swa` or `swh` of the same texts.
    ///
    /// # Errors
    /// If there is no such language.
    pub fn new(text: &str, used: &BTreeSet<&str>) -> Result<Self, SelectionError> {
        let Self { codes, script } = Self::exact(text, used)?;
        let wider = |code: &String| {
            members(code).chain(macrolanguage_of(code)).map(str::to_owned).collect::<Vec<_>>()
        };
        let codes = codes.iter().flat_map(wider).chain(codes.clone()).collect();
        Ok(Self { codes, script })
    }

    /// True if `code`, as `ind-Latn`, is in the language.
    pub fn takes(&self, code: &str) -> bool {
        let (language, script) = code.split_once('-').unwrap_or((code, ""));
        self.codes.contains(language) && self.script.as_deref().is_none_or(|wanted| wanted == script)
    }
}

/// The code of ISO 639-3 of a language by a code of two or three letters or an English name.
pub(super) fn code_of(text: &str) -> Option<String> {
    codes(text.trim(), &BTreeSet::new())?.pop_first()
}

/// The codes that `text` stands for; `None` if there is no such language.
fn codes(text: &str, of_cards: &BTreeSet<&str>) -> Option<BTreeSet<String>> {
    let lower = text.to_lowercase();
    let found: BTreeSet<String> = match Language::from_639_1(&lower).or_else(|| Language::from_639_3(&lower))
    {
        Some(language) => BTreeSet::from([language.to_639_3().to_owned()]),
        None if of_cards.contains(lower.as_str()) => BTreeSet::from([lower]),
        None => {
            let named = isolang::languages().filter(|language| language.to_name().to_lowercase() == lower);
            named.map(|language| language.to_639_3().to_owned()).collect()
        }
    };
    (!found.is_empty()).then_some(found)
}

fn macrolanguage_of(code: &str) -> Option<&'static str> {
    super::macrolanguages::ALL
        .iter()
        .find(|(_, members)| members.split(' ').any(|member| member == code))
        .map(|(whole, _)| *whole)
}

fn language_of(code: &str) -> &str {
    code.split('-').next().unwrap_or(code)
}

fn is_script(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(text: &str) -> Result<LanguageFilter, String> {
        LanguageFilter::new(text, &BTreeSet::from(["ind-Latn", "xqz-Latn"]))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_language_is_known_by_codes_of_two_and_three_letters_and_by_its_name() {
        for text in ["vi", "vie", "vie-Latn", "VIE-latn", "vi_Latn", "Vietnamese"] {
            assert!(filter(text).unwrap().takes("vie-Latn"), "{text}");
            assert!(!filter(text).unwrap().takes("ind-Latn"), "{text}");
        }
        assert!(filter("xqz").unwrap().takes("xqz-Latn"), "a code that a card uses is known");
    }

    #[test]
    fn a_language_with_a_script_is_that_script_alone() {
        assert!(filter("min").unwrap().takes("min-Arab"));
        assert!(filter("min-Latn").unwrap().takes("min-Latn"));
        assert!(!filter("min-Latn").unwrap().takes("min-Arab"));
    }

    #[test]
    fn a_macrolanguage_and_its_members_find_each_other() {
        assert!(filter("swa").unwrap().takes("swh-Latn") && filter("swh").unwrap().takes("swa-Latn"));
        assert!(filter("sw").unwrap().takes("swh-Latn") && filter("Swahili").unwrap().takes("swa-Latn"));
        assert!(
            !filter("swh").unwrap().takes("swc-Latn"),
            "members of one macrolanguage are languages of their own"
        );
    }

    #[test]
    fn an_unknown_language_is_refused_with_what_is_near() {
        let error = filter("Indonesain").unwrap_err();
        assert!(error.contains("found: Indonesain (near it: Indonesian"), "{error}");
        assert!(filter("q").unwrap_err().contains("found: q"));
    }
}
