//! The language in which most texts of a file seem to be, with its script.

use std::collections::BTreeMap;

use whatlang::{Script, detect_script};

use crate::stats::{CONFIDENCE, language_of};

/// The language of most of the `texts` whose language is told, as `ind-Latn`; `None` where no language has more than half of them.
pub fn language<'a>(texts: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let (mut languages, mut scripts) = (BTreeMap::new(), BTreeMap::new());
    for text in texts {
        if let Some(language) = language_of(text, CONFIDENCE) {
            *languages.entry(language).or_insert(0_usize) += 1;
        }
        if let Some(script) = detect_script(text).map(code) {
            *scripts.entry(script).or_insert(0_usize) += 1;
        }
    }
    Some(format!("{}-{}", most(&languages)?, most(&scripts)?))
}

/// What more than half of all are.
fn most(counts: &BTreeMap<&'static str, usize>) -> Option<&'static str> {
    let all: usize = counts.values().sum();
    counts.iter().find(|(_, count)| 2 * **count > all).map(|(name, _)| *name)
}

/// The script by ISO 15924, of those that languages of the detector are written in.
fn code(script: Script) -> &'static str {
    match script {
        Script::Arabic => "Arab",
        Script::Armenian => "Armn",
        Script::Bengali => "Beng",
        Script::Cyrillic => "Cyrl",
        Script::Devanagari => "Deva",
        Script::Ethiopic => "Ethi",
        Script::Georgian => "Geor",
        Script::Greek => "Grek",
        Script::Gujarati => "Gujr",
        Script::Gurmukhi => "Guru",
        Script::Hangul => "Kore",
        Script::Hebrew => "Hebr",
        Script::Hiragana | Script::Katakana => "Jpan",
        Script::Kannada => "Knda",
        Script::Khmer => "Khmr",
        Script::Latin => "Latn",
        Script::Malayalam => "Mlym",
        Script::Mandarin => "Hans",
        Script::Myanmar => "Mymr",
        Script::Oriya => "Orya",
        Script::Sinhala => "Sinh",
        Script::Tamil => "Taml",
        Script::Telugu => "Telu",
        Script::Thai => "Thai",
    }
}

#[cfg(test)]
mod tests {
    use super::language;

    #[test]
    fn the_language_of_most_texts_counts_with_its_script() {
        let texts = [
            "Pemerintah daerah akan memperbaiki jalan yang rusak karena hujan deras pada bulan ini.",
            "Harga beras di pasar naik lagi sejak musim kemarau yang panjang.",
            "The local government will repair the road that was damaged by heavy rain this month.",
        ];
        assert_eq!(language(texts).as_deref(), Some("ind-Latn"));
        assert_eq!(language(["ok", "baik"]), None);
        assert_eq!(
            language(["Правительство отремонтирует дорогу после сильных дождей этого месяца."]).as_deref(),
            Some("rus-Cyrl")
        );
    }
}
