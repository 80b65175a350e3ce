//! Languages with their scripts, as cards have them.

use isolang::Language;

/// Checks `ind-Latn`: a language of ISO 639-3 and the form of a script; whether there is such a script, the check of the card says.
///
/// # Errors
/// What was expected.
pub fn check(code: &str) -> Result<(), String> {
    let is_script = |script: &str| {
        script.len() == 4
            && script.starts_with(|letter: char| letter.is_ascii_uppercase())
            && script[1..].chars().all(|letter| letter.is_ascii_lowercase())
    };
    let known = code.split_once('-').filter(|(language, script)| {
        is_script(script) && (Language::from_639_3(language).is_some() || *script == "Code")
    });
    known.map(drop).ok_or_else(|| {
        format!("expected a language and a script as `ind-Latn` (ISO 639-3, ISO 15924), found: {code}")
    })
}

/// The English name of the language of `ind-Latn`.
pub fn name(code: &str) -> String {
    let language = code.split('-').next().unwrap_or(code);
    Language::from_639_3(language).map_or_else(|| code.to_owned(), |language| language.to_name().to_owned())
}

/// The shortest code that the hub knows for the language of `ind-Latn`: `id`.
pub fn on_the_hub(code: &str) -> String {
    let long = code.split('-').next().unwrap_or(code);
    let short = Language::from_639_3(long).and_then(|language| language.to_639_1());
    short.unwrap_or(long).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_a_name_and_a_code_on_the_hub() {
        assert_eq!((name("ind-Latn").as_str(), on_the_hub("ind-Latn").as_str()), ("Indonesian", "id"));
        assert_eq!(on_the_hub("ban-Latn"), "ban");
        assert!(check("vie-Latn").is_ok() && check("vie").is_err() && check("xxx-Latn").is_err());
    }
}
