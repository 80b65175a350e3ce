//! Words split at white space, as sentence-transformers' `WhitespaceTokenizer` takes them.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde::Deserialize;

use crate::error::TorchError;
use crate::files::read_required;
use crate::folder::{Config, Rule};

/// Words that have a vector.
pub struct Words {
    ids: HashMap<String, u32>,
    stop_words: HashSet<String>,
    lower_case: bool,
    max_length: usize,
    count: usize,
}

#[derive(Deserialize)]
struct Settings {
    vocab: Vec<String>,
    #[serde(default)]
    stop_words: Vec<String>,
    #[serde(default)]
    do_lower_case: bool,
}

impl Words {
    /// Reads the settings beside the word vectors.
    ///
    /// # Errors
    /// If they are absent, or ask for another tokenizer.
    pub fn read(folder: &Path) -> Result<Self, TorchError> {
        let config = Config::read(&folder.join("wordembedding_config.json"))?;
        config.obey_strictly(&[
            ("tokenizer_class", Rule::Text),
            ("update_embeddings", Rule::Any),
            ("max_seq_length", Rule::Whole),
        ])?;
        let class = config.text_or("tokenizer_class", "");
        if !(class.starts_with("sentence_transformers.") && class.ends_with(".WhitespaceTokenizer")) {
            let message = format!("`tokenizer_class`: expected a WhitespaceTokenizer, found: {class}");
            return Err(config.unsupported(message));
        }
        let settings: Settings = read_required(&folder.join("whitespacetokenizer_config.json"))?;
        let numbered = settings.vocab.into_iter().zip(0..);
        let ids: HashMap<String, u32> = numbered.collect();
        Ok(Self {
            count: ids.values().max().map_or(0, |last| *last as usize + 1),
            ids,
            stop_words: settings.stop_words.into_iter().collect(),
            lower_case: settings.do_lower_case,
            max_length: usize::try_from(config.whole_or("max_seq_length", 1_000_000)).unwrap_or(usize::MAX),
        })
    }

    /// The ids of the words of a text that have a vector and are no stop words.
    pub fn ids(&self, text: &str) -> Vec<u32> {
        let lower = self.lower_case.then(|| text.to_lowercase());
        let words = lower.as_deref().unwrap_or(text).split(is_space).filter(|word| !word.is_empty());
        words.filter_map(|word| self.id(word)).take(self.max_length).collect()
    }

    /// Number of words.
    pub fn vocabulary(&self) -> usize {
        self.count
    }

    /// The word as it stands, else without punctuation around it, else in lower case.
    fn id(&self, word: &str) -> Option<u32> {
        let bare = word.trim_matches(|c: char| c.is_ascii_punctuation());
        let lower = bare.to_lowercase();
        for form in [word, bare, &lower] {
            if self.stop_words.contains(form) {
                return None;
            }
            if let Some(id) = self.ids.get(form).filter(|_| !form.is_empty()) {
                return Some(*id);
            }
        }
        None
    }
}

/// White space as Python's `str.split` has it, four separators more than Unicode's.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}
