//! Languages as cards name them: a code of ISO 639-3 and one of ISO 15924, as `ind-Latn`; of programs, as `python-Code`.

use isolang::Language;
use mteb_base::suggest::hint;

use super::language::code_of;

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
