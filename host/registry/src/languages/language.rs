//! Languages as command lines and benchmarks name them (`vi`, `vie`, `vie-Latn`, `Vietnamese`), and
//! as cards do: a code of ISO 639-3 and one of ISO 15924, as `ind-Latn`; of programs, as
//! `python-Code`.

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

/// What is wrong with `code`; `None` if it names a language and a script.
pub fn language_fault(code: &str) -> Option<String> {
    if code.strip_suffix("-Code").is_some_and(|language| of(PROGRAMMING, language)) {
        return None;
    }
    let Some((language, script)) =
        code.split_once('-').filter(|(language, script)| has_form(language, script))
    else {
        let meant = code_of(code).map_or(String::new(), |language| {
            format!("; did you mean `{language}-Latn`, or `{language}` with another script?")
        });
        return Some(format!(
            "expected a language and a script such as `ind-Latn` (ISO 639-3, ISO 15924), found: {code}{meant}"
        ));
    };
    let is_language = Language::from_639_3(language).is_some() || of(BESIDE_ISO_639_3, language);
    match (is_language, of(SCRIPTS, script)) {
        (true, true) => None,
        (false, true) => Some(format!("expected a language of ISO 639-3 as in `ind-Latn`, found: {code}")),
        (is_language, false) => {
            let what = if is_language { "a script of ISO 15924" } else { "codes of ISO 639-3 and ISO 15924" };
            let near = hint(script, SCRIPTS.split_whitespace(), "");
            Some(format!("expected {what} as in `ind-Latn`, found: {code}{near}"))
        }
    }
}

fn has_form(language: &str, script: &str) -> bool {
    let lower = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase());
    language.len() == 3
        && lower(language)
        && script.len() == 4
        && script.starts_with(|first: char| first.is_ascii_uppercase())
        && lower(&script[1..])
}

fn of(codes: &str, code: &str) -> bool {
    codes.split_whitespace().any(|known| known == code)
}

/// Codes of groups of languages, and codes that the standard has retired, which the reference knows (mteb 2.26.24,
/// `mteb.languages`).
const BESIDE_ISO_639_3: &str = "ajp ber cls kzj rrm vsn";

/// Programming languages, written as the reference writes them.
const PROGRAMMING: &str = "c c# c++ go java javascript php python ruby rust scala shell sql swift typescript";

/// The codes of ISO 15924.
const SCRIPTS: &str = "\
    Adlm Afak Aghb Ahom Arab Aran Armi Armn Avst Bali Bamu Bass Batk Beng Bhks Blis Bopo Brah Brai Bugi Buhd \
    Cakm Cans Cari Cham Cher Chis Chrs Cirt Copt Cpmn Cprt Cyrl Cyrs Deva Diak Dogr Dsrt Dupl Egyd Egyh Egyp \
    Elba Elym Ethi Gara Geok Geor Glag Gong Gonm Goth Gran Grek Gujr Gukh Guru Hanb Hang Hani Hano Hans Hant \
    Hatr Hebr Hira Hluw Hmng Hmnp Hrkt Hung Inds Ital Jamo Java Jpan Jurc Kali Kana Kawi Khar Khmr Khoj Kitl \
    Kits Knda Kore Kpel Krai Kthi Lana Laoo Latf Latg Latn Leke Lepc Limb Lina Linb Lisu Loma Lyci Lydi Mahj \
    Maka Mand Mani Marc Maya Medf Mend Merc Mero Mlym Modi Mong Moon Mroo Mtei Mult Mymr Nagm Nand Narb Nbat \
    Newa Nkdb Nkgb Nkoo Nshu Ogam Olck Onao Orkh Orya Osge Osma Ougr Palm Pauc Pcun Pelm Perm Phag Phli Phlp \
    Phlv Phnx Piqd Plrd Prti Psin Qaaa Qabx Ranj Rjng Rohg Roro Runr Samr Sara Sarb Saur Sgnw Shaw Shrd Shui \
    Sidd Sidt Sind Sinh Sogd Sogo Sora Soyo Sund Sunu Sylo Syrc Syre Syrj Syrn Tagb Takr Tale Talu Taml Tang \
    Tavt Tayo Telu Teng Tfng Tglg Thaa Thai Tibt Tirh Tnsa Todr Tols Toto Tutg Ugar Vaii Visp Vith Wara Wcho \
    Wole Xpeo Xsux Yezi Yiii Zanb Zinh Zmth Zsye Zsym Zxxx Zyyy Zzzz";

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

    #[test]
    fn codes_are_those_of_the_standards_and_of_the_reference() {
        for code in ["ind-Latn", "min-Arab", "python-Code", "ajp-Arab", "ber-Tfng", "kzj-Latn", "zho-Hans"] {
            assert_eq!(language_fault(code), None, "{code}");
        }
        let fault = |code| language_fault(code).unwrap_or_default();
        assert_eq!(fault("idn-Latn"), "expected a language of ISO 639-3 as in `ind-Latn`, found: idn-Latn");
        assert!(fault("ind-Lant").contains("a script of ISO 15924 as in `ind-Latn`, found: ind-Lant"));
        assert!(fault("indonesian").contains("expected a language and a script such as `ind-Latn`"));
        for text in ["vi", "vie", "Vietnamese"] {
            assert!(
                fault(text).ends_with("did you mean `vie-Latn`, or `vie` with another script?"),
                "{text}"
            );
        }
        assert!(fault("klingonese").ends_with("found: klingonese"));
    }
}
