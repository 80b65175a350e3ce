//! Languages with their scripts, as cards have them.

use isolang::Language;

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
    }
}
