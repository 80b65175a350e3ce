//! The judges that have judged, each with its card.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use mteb_graded::judge::{JudgeCard, read_card};
use mteb_graded::pool::Pool;
use mteb_graded::store::{Contents, Judgement, StoreHead, read_store, read_store_of};

use super::folder::unreadable;
use super::judge_error::{JudgeError, borrowed_name};
use crate::{FoundJudge, GradedFolder, unit_of};

/// A judge and all that it has said.
#[derive(Clone, Debug)]
pub struct JudgeStore {
    /// Its card.
    pub card: JudgeCard,
    /// What it has said.
    pub judgements: Contents,
}

impl JudgeStore {
    /// All its scores.
    pub fn scores(&self) -> Vec<f64> {
        self.judgements.judgements.values().filter_map(mteb_graded::store::Judgement::score).collect()
    }
}

/// Leaves the card of a judge beside its judgements, which say nothing without it. Another card that was there is kept under a name of its
/// own; a line says so.
///
/// # Errors
/// If it cannot be written.
pub fn keep_card(folder: &GradedFolder, judge: &FoundJudge) -> Result<Option<String>, JudgeError> {
    let path = folder.judge_card(&judge.card.name);
    let unwritable = |source| JudgeError::Unwritable { path: path.clone(), source };
    mteb_files::check_place(&path).map_err(unwritable)?;
    let said = match fs::read_to_string(&path) {
        Ok(found) if found == judge.text => return Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(unwritable(error)),
        Ok(found) => {
            let before = keep_before(&path, &found).map_err(unwritable)?;
            Some(format!(
                "{}: now the card {}, which differs from the earlier one; that one is kept as {}",
                path.display(),
                judge.file,
                before.display()
            ))
        }
    };
    mteb_files::write(&path, judge.text.as_bytes()).map_err(unwritable)?;
    Ok(said)
}

/// Keeps the text of a card that another one replaces, under the first name that nothing has. A link has its name, wherever it leads.
fn keep_before(path: &Path, text: &str) -> std::io::Result<PathBuf> {
    let mut number = 1u32;
    loop {
        let before = path.with_extension(format!("toml.{number}"));
        match File::create_new(&before) {
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                return Ok(before);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// The judges called `names`, or where none is named all that have judged, by name; and what is wrong with lines of their stores.
///
/// # Errors
/// If there is none, or a store or a card cannot be read.
pub fn judge_stores(
    folder: &GradedFolder,
    names: &[String],
) -> Result<(Vec<JudgeStore>, Vec<String>), JudgeError> {
    let files = folder.judged().map_err(unreadable(folder.path()))?;
    let is_wanted = |file: &Path| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        names.is_empty() || names.iter().any(|wanted| *wanted == name)
    };
    let (mut stores, mut faults) = (Vec::new(), Vec::new());
    for file in files.iter().filter(|file| is_wanted(file)) {
        let card = match read_card(&file.with_extension("toml")) {
            Ok(card) => card,
            // `graded judge` puts it there once it has the store; one that was ended between the two leaves none.
            Err(error) if names.is_empty() => {
                let name = file.file_stem().unwrap_or_default().to_string_lossy();
                faults.push(format!(
                    "{error}; the judge {name} is left out, because its judgements mean nothing without its \
                     card: put the card there, or move {} away",
                    file.display()
                ));
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        if let Some(borrowed) = borrowed_name(&card) {
            let card = file.with_extension("toml");
            faults.push(format!("{}: {borrowed}; these are not that judge's judgements", card.display()));
        }
        // A card of a prompt that this version does not know says nothing of its store.
        let judgements = match card.prompt() {
            Some(prompt) => {
                read_store_of(file, &StoreHead::new(&card.name, &card.endpoint.model, prompt.name))
            }
            None => read_store(file),
        };
        let judgements = match judgements {
            Ok(judgements) => judgements,
            // One judge that nobody named keeps the others from nothing.
            Err(error) if names.is_empty() => {
                faults.push(format!("{error}; the judge {} is left out", card.name));
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        faults.extend(judgements.faults.iter().map(ToString::to_string));
        let store = JudgeStore { card, judgements };
        if store.scores().is_empty() {
            faults.push(format!("{}: left out because it has judged nothing yet", store.card.name));
        } else {
            stores.push(store);
        }
    }
    let is_there = |name: &&String| !stores.iter().any(|store| store.card.name == **name);
    if let Some(name) = names.iter().find(is_there) {
        let (folder, judge) = (folder.path().to_owned(), name.clone());
        return Err(JudgeError::NotJudged { folder, judge });
    }
    if stores.is_empty() {
        return Err(JudgeError::NoJudgements { folder: folder.path().to_owned(), faults });
    }
    Ok((stores, faults))
}

/// A line for each judge that has judged some pairs of the pool and not all of them.
pub fn unjudged(pool: &Pool, judges: &[JudgeStore]) -> Vec<String> {
    let line = |judge: &JudgeStore| {
        let known = &judge.judgements.judgements;
        let scored = |pair| known.get(&pair).and_then(Judgement::score).is_some();
        let judged = pool.pairs.iter().filter(|pair| scored(pair.pair)).count();
        (0 < judged && judged < pool.pairs.len()).then(|| {
            format!(
                "{}: {} has judged {judged} of the {} pairs of the pool; unjudged pairs lower scores: run \
                 `mteb-host graded judge` to judge them",
                unit_of(pool),
                judge.card.name,
                pool.pairs.len()
            )
        })
    };
    judges.iter().filter_map(line).collect()
}
