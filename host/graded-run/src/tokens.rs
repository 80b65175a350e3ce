//! Counts the tokens of texts with the tokenizer that a judge's card names.

use std::path::{Path, PathBuf};

use mteb_graded::judge::tokens_by_bytes;
use mteb_hub::NoReport;
use mteb_source::model_folder;
use mteb_workers::settings::Settings;
use tokenizers::Tokenizer;

use super::FoundJudge;
use super::judge_error::JudgeError;

/// The file of a tokenizer.
const FILE: &str = "tokenizer.json";

/// Counts tokens.
pub enum TokenCounter {
    /// With the judge's own tokenizer, and where it lies.
    Exact(Box<Tokenizer>, PathBuf),
    /// From bytes, because the card names no tokenizer, or it is not at hand: then a line says where it was looked for.
    Estimated(Box<dyn Fn(&str) -> u64>, Option<String>),
}

impl TokenCounter {
    /// The counter of a judge. Nothing is fetched for it.
    ///
    /// # Errors
    /// If the file is there, but is no tokenizer.
    pub fn of(judge: &FoundJudge, settings: &Settings) -> Result<Self, JudgeError> {
        let estimated = |said| Self::Estimated(Box::new(tokens_by_bytes(&judge.card)), said);
        let Some(name) = &judge.card.limits.tokenizer else { return Ok(estimated(None)) };
        let Some(path) = file(judge, name, settings) else {
            return Ok(estimated(Some(format!(
                "{}: the tokenizer {name} is not available, neither as a file nor in the hub's cache; tokens \
                 are estimated",
                judge.file
            ))));
        };
        match Tokenizer::from_file(&path) {
            Ok(tokenizer) => Ok(Self::Exact(Box::new(tokenizer), path)),
            Err(source) => Err(JudgeError::Tokenizer { path, source }),
        }
    }

    /// The tokens of a text, without those that a model puts around it.
    pub fn count(&self, text: &str) -> u64 {
        match self {
            // What cannot be encoded is not asked either; no tokenizer of the usual kinds refuses a text.
            Self::Exact(tokenizer, _) => {
                tokenizer.encode_fast(text, false).map_or(0, |encoding| encoding.len() as u64)
            }
            Self::Estimated(count, _) => count(text),
        }
    }
}

/// Where the tokenizer lies that a card calls `name`: beside the card, in the folder that stands for the hub, or in the hub's cache.
fn file(judge: &FoundJudge, name: &str, settings: &Settings) -> Option<PathBuf> {
    let folder = Path::new(&judge.file).parent().unwrap_or(Path::new(""));
    let beside = folder.join(name);
    let found = [beside.clone(), beside.join(FILE)].into_iter().find(|path| path.is_file());
    if found.is_some() && !judge.is_embedded {
        return found;
    }
    let offline = Settings { offline: true, ..settings.clone() };
    let model = model_folder(&offline, name, None, false, &NoReport).ok().flatten()?;
    Some(model.path.join(FILE)).filter(|path| path.is_file())
}
