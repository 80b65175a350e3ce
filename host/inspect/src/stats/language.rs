//! In which languages texts are, as far as trigrams tell.

use std::collections::BTreeMap;

use serde::Serialize;
use whatlang::{Lang, detect};

/// Texts that are looked at; more of them would say no more.
const SAMPLE: usize = 2000;

/// Confidence of the detector from which on a guess counts. On English and Indonesian sentences about one guess in a
/// hundred is wrong then; its own `is_reliable` (0.9) says nothing of most sentences.
pub const CONFIDENCE: f64 = 0.4;

/// Characters below which a guess is worth nothing.
const SHORTEST: usize = 20;

/// Languages of a sample of texts.
///
/// The detector (whatlang, 70 languages) knows Indonesian and Javanese but no other language of Indonesia; texts in a
/// language that it does not know count for a similar one or as unsure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LanguageMix {
    /// Texts that were looked at.
    pub sample: usize,
    /// Texts that are too short or too mixed to tell.
    pub unsure: usize,
    /// Texts by language (ISO 639-3).
    pub languages: BTreeMap<&'static str, usize>,
}

/// Looks at texts as they come, and at fewer and fewer of them.
pub struct LanguageCounter {
    sample: Vec<Guess>,
    /// Every so many texts one is looked at.
    step: usize,
    seen: usize,
}

type Guess = Option<&'static str>;

impl Default for LanguageCounter {
    fn default() -> Self {
        Self { sample: Vec::new(), step: 1, seen: 0 }
    }
}

impl LanguageCounter {
    /// Takes a text into account.
    pub fn add(&mut self, text: &str) {
        let is_due = self.seen.is_multiple_of(self.step);
        self.seen += 1;
        if !is_due {
            return;
        }
        self.sample.push(guess(text));
        if self.sample.len() == 2 * SAMPLE {
            // What stays is what twice the step would have taken.
            let mut index = 0;
            self.sample.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.step *= 2;
        }
    }

    /// The languages of the texts that were looked at.
    pub fn finish(self) -> LanguageMix {
        let mut mix = LanguageMix { sample: self.sample.len(), ..LanguageMix::default() };
        for guess in self.sample {
            match guess {
                Some(language) => *mix.languages.entry(language).or_default() += 1,
                None => mix.unsure += 1,
            }
        }
        mix
    }
}

fn guess(text: &str) -> Guess {
    language_of(text, CONFIDENCE)
}

/// The language of `text` (ISO 639-3), unless it is too short or the detector less confident than `confidence` (0 to 1).
pub fn language_of(text: &str, confidence: f64) -> Option<&'static str> {
    let is_long = text.chars().nth(SHORTEST - 1).is_some();
    let info = if is_long { detect(text) } else { None };
    info.filter(|info| info.confidence() >= confidence).map(|info| info.lang().code())
}

/// True if the detector knows the language `code` (ISO 639-3).
pub fn is_known(code: &str) -> bool {
    Lang::from_code(code).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_have_a_language_and_short_ones_none() {
        let mut counter = LanguageCounter::default();
        counter.add("Pemerintah daerah akan memperbaiki jalan yang rusak karena hujan deras pada bulan ini.");
        counter.add("The local government will repair the road that was damaged by heavy rain this month.");
        counter.add("baik");
        let mix = counter.finish();
        assert_eq!((mix.sample, mix.unsure), (3, 1));
        assert_eq!(mix.languages, BTreeMap::from([("eng", 1), ("ind", 1)]));
    }

    #[test]
    fn of_many_texts_an_even_sample_is_taken() {
        let mut counter = LanguageCounter::default();
        (0..50_000).for_each(|_| counter.add("pendek"));
        let mix = counter.finish();
        assert!((SAMPLE..2 * SAMPLE).contains(&mix.sample), "{}", mix.sample);
        assert_eq!(mix.unsure, mix.sample);
    }
}
