//! The words of a language: how texts are split, which words are skipped and how they are stemmed; stop words from bm25s 0.3.16 (MIT licence).

use snowball_stemmers_rs::Algorithm;

/// How texts of a language become terms; that of `_ISO3_TO_LANG` in mteb 2.26.24 (`mteb/baseline-bm25s`, revision 0_3_0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    pub(crate) units: Units,
    /// Words that are skipped; where there is no list, those that nearly every document has.
    pub(crate) stop_words: Option<&'static str>,
    pub(crate) stemmer: Option<Algorithm>,
}

/// What a text is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Units {
    Words,
    /// Characters, where words are not set apart by spaces.
    Characters,
}

impl Language {
    /// The language with this code of ISO 639-3. One that has neither a list of stop words nor a stemmer is cut into words.
    pub fn of(code: &str) -> Self {
        let (units, stop_words) = match code {
            "zho" | "cmn" => (Units::Characters, Some(CHINESE)),
            "jpn" | "kor" | "tha" | "khm" | "mya" | "bod" | "lao" => (Units::Characters, None),
            _ => (Units::Words, stop_words_of(code)),
        };
        Self { units, stop_words, stemmer: stemmer_of(code) }
    }

    /// The language of a text in one of `languages`, as `ind-Latn`: English if they are several, as the reference has it.
    pub fn of_all<'a>(languages: impl IntoIterator<Item = &'a str>) -> Self {
        let mut codes = languages.into_iter().map(|language| language.split('-').next().unwrap_or(language));
        let first = codes.next();
        Self::of(first.filter(|first| codes.all(|code| code == *first)).unwrap_or("eng"))
    }
}

fn stop_words_of(code: &str) -> Option<&'static str> {
    Some(match code {
        "eng" => ENGLISH,
        "deu" => GERMAN,
        "nld" => DUTCH,
        "fra" => FRENCH,
        "spa" => SPANISH,
        "por" => PORTUGUESE,
        "ita" => ITALIAN,
        "rus" => RUSSIAN,
        "swe" => SWEDISH,
        "nob" | "nno" | "nor" => NORWEGIAN,
        _ => return None,
    })
}

fn stemmer_of(code: &str) -> Option<Algorithm> {
    Some(match code {
        "eng" => Algorithm::English,
        "deu" => Algorithm::German,
        "nld" => Algorithm::Dutch,
        "fra" => Algorithm::French,
        "spa" => Algorithm::Spanish,
        "por" => Algorithm::Portuguese,
        "ita" => Algorithm::Italian,
        "rus" => Algorithm::Russian,
        "swe" => Algorithm::Swedish,
        "nob" | "nno" | "nor" => Algorithm::Norwegian,
        "ara" | "arb" => Algorithm::Arabic,
        "hye" => Algorithm::Armenian,
        "eus" => Algorithm::Basque,
        "cat" => Algorithm::Catalan,
        "dan" => Algorithm::Danish,
        "epo" => Algorithm::Esperanto,
        "est" => Algorithm::Estonian,
        "fin" => Algorithm::Finnish,
        "ell" => Algorithm::Greek,
        "hin" => Algorithm::Hindi,
        "hun" => Algorithm::Hungarian,
        "ind" => Algorithm::Indonesian,
        "gle" => Algorithm::Irish,
        "lit" => Algorithm::Lithuanian,
        "nep" => Algorithm::Nepali,
        "ron" => Algorithm::Romanian,
        "srp" => Algorithm::Serbian,
        "tam" => Algorithm::Tamil,
        "tur" => Algorithm::Turkish,
        "yid" => Algorithm::Yiddish,
        _ => return None,
    })
}

macro_rules! lists {
    ($($name:ident = $file:literal;)*) => {
        $(pub(crate) const $name: &str = include_str!(concat!("../../stop_words/", $file, ".txt"));)*
    };
}

lists! {
    CHINESE = "chinese";
    DUTCH = "dutch";
    ENGLISH = "english";
    FRENCH = "french";
    GERMAN = "german";
    ITALIAN = "italian";
    NORWEGIAN = "norwegian";
    PORTUGUESE = "portuguese";
    RUSSIAN = "russian";
    SPANISH = "spanish";
    SWEDISH = "swedish";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_in_several_languages_are_taken_for_english() {
        assert_eq!(Language::of_all(["ind-Latn"]), Language::of("ind"));
        assert_eq!(Language::of_all(["zho-Hans", "zho-Hant"]), Language::of("zho"));
        assert_eq!(Language::of_all(["ind-Latn", "eng-Latn"]), Language::of("eng"));
        assert_eq!(Language::of_all([]), Language::of("eng"));
        assert_eq!(Language::of("jav").stemmer, None);
    }
}
