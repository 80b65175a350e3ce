//! Reads a store, even if some of its lines are damaged.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::judgement::SCHEMA;
use super::{Judgement, StoreHead, Verdict};
use crate::{GradedError, PairId};

/// What a store holds.
#[derive(Clone, Debug)]
pub struct Contents {
    /// Whose judgements these are.
    pub head: StoreHead,
    /// The judgement of each pair: its first score, else its last failure. Without the reasoning, which may be long.
    pub judgements: HashMap<PairId, Judgement>,
    /// Lines that were skipped, one entry per cause.
    pub faults: Vec<LineFault>,
    /// True if the last line has no end.
    pub(super) is_torn: bool,
}

/// Lines that were skipped for one cause: the first of them, and how many more there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFault {
    /// The file.
    pub file: String,
    /// The first line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
    /// Lines after it that were skipped for the same cause.
    pub more: usize,
    cause: Cause,
}

/// Why a line is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Torn,
    Damaged,
    Foreign,
    Repeated,
}

impl fmt::Display for LineFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}, line {}: {}", self.file, self.line, self.message)?;
        match self.more {
            0 => {}
            1 => write!(out, " (and 1 more line like it)")?,
            more => write!(out, " (and {more} more lines like it)")?,
        }
        write!(out, "; the other lines are kept")
    }
}

/// Reads the store at `path`, which is to be that of `head`.
///
/// # Errors
/// As [`read_store`], and if it is of another judge, model or prompt.
pub fn read_store_of(path: &Path, head: &StoreHead) -> Result<Contents, GradedError> {
    if is_begun(path, head).map_err(|error| GradedError::file(path, "read", error))? {
        return Ok(Contents::empty(head.clone()));
    }
    let contents = read_store(path)?;
    if contents.head != *head {
        let shown = |head: &StoreHead| format!("{} ({}, prompt {})", head.judge, head.model, head.prompt);
        let expected = format!("judgements of {}", shown(head));
        let is_of_prompt = StoreHead { prompt: head.prompt.clone(), ..contents.head.clone() } == *head;
        let hint = if is_of_prompt {
            format!(
                "; `--judge {}` continues with the card that they were made with",
                path.with_extension("toml").display()
            )
        } else {
            String::new()
        };
        return Err(GradedError::fault(path.display(), expected, shown(&contents.head) + &hint));
    }
    Ok(contents)
}

/// The judgements of the store of `head` at `path`, line by line and with their reasoning; what [`read_store_of`] skips is left out.
///
/// # Errors
/// As [`read_store_of`].
pub fn read_judgements(
    path: &Path,
    head: &StoreHead,
) -> Result<(Vec<Judgement>, Vec<LineFault>), GradedError> {
    let known = read_store_of(path, head)?;
    let text = mteb_files::read(path, u64::MAX).map_err(|error| GradedError::file(path, "read", error))?;
    let lines = text.split(|byte| *byte == b'\n').skip(1);
    let judgements: Vec<Judgement> = lines.filter_map(|line| serde_json::from_slice(line).ok()).collect();
    Ok((
        judgements.into_iter().filter(|found| known.judgements.contains_key(&found.pair)).collect(),
        known.faults,
    ))
}

/// True if the file at `path` ends before its first line does, which begins as that of a store of `head`, or is empty: whoever made it
/// was ended, or the disk was full, before it wrote the first line.
pub(super) fn is_begun(path: &Path, head: &StoreHead) -> io::Result<bool> {
    let line = head.line()?;
    let mut found = Vec::new();
    mteb_files::open(path)?.take(line.len() as u64 + 1).read_to_end(&mut found)?;
    Ok(found.len() < line.len() && line.starts_with(&found))
}

/// Reads the store at `path`.
///
/// # Errors
/// If the file cannot be read, or does not begin as a store does: it is then something else, and none of it is taken.
pub fn read_store(path: &Path) -> Result<Contents, GradedError> {
    let unreadable = |error| GradedError::file(path, "read", error);
    let name = path.display().to_string();
    let mut file = BufReader::new(mteb_files::open(path).map_err(unreadable)?);
    let mut bytes = Vec::new();
    file.read_until(b'\n', &mut bytes).map_err(unreadable)?;
    let head = serde_json::from_slice::<StoreHead>(&bytes).ok().filter(|head| head.judgements == SCHEMA);
    let head = head.ok_or_else(|| {
        let found: String = String::from_utf8_lossy(&bytes).trim_end().chars().take(80).collect();
        let expected = format!("the head of a store of judgements of schema {SCHEMA}");
        let found = format!("{found}; move the file away, and `mteb-host graded judge` starts a new one");
        GradedError::fault(format!("{name}, line 1"), expected, found)
    })?;
    let is_torn = bytes.last() != Some(&b'\n');
    let mut contents = Contents { head, judgements: HashMap::new(), faults: Vec::new(), is_torn };
    for line in 2.. {
        bytes.clear();
        if file.read_until(b'\n', &mut bytes).map_err(unreadable)? == 0 {
            break;
        }
        contents.is_torn = bytes.last() != Some(&b'\n');
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let taken = match serde_json::from_slice::<Judgement>(&bytes) {
            Ok(judgement) => contents.take(judgement),
            Err(_) if contents.is_torn => {
                Err((Cause::Torn, "incomplete, because its writer was stopped while writing it".to_owned()))
            }
            Err(error) if error.is_data() => Err((Cause::Foreign, format!("no judgement: {error}"))),
            Err(_) => Err((Cause::Damaged, "damaged: expected JSON".to_owned())),
        };
        if let Err((cause, message)) = taken {
            contents.leave_out(&name, line, cause, message);
        }
    }
    Ok(contents)
}

impl Contents {
    /// Nothing yet of this judge.
    pub fn empty(head: StoreHead) -> Self {
        Self { head, judgements: HashMap::new(), faults: Vec::new(), is_torn: false }
    }

    /// Takes in a judgement of another store: a score before a failure, what is here before others.
    pub fn add(&mut self, judgement: Judgement) {
        let here = self.judgements.get(&judgement.pair);
        if here.is_none_or(|here| here.score().is_none() && judgement.score().is_some()) {
            self.judgements.insert(judgement.pair, judgement);
        }
    }

    fn leave_out(&mut self, file: &str, line: usize, cause: Cause, message: String) {
        match self.faults.iter_mut().find(|fault| fault.cause == cause) {
            Some(fault) => fault.more += 1,
            None => self.faults.push(LineFault { file: file.to_owned(), line, message, more: 0, cause }),
        }
    }

    fn take(&mut self, mut judgement: Judgement) -> Result<(), (Cause, String)> {
        if let Verdict::Score { reasoning, .. } = &mut judgement.verdict {
            *reasoning = String::new();
        }
        match self.judgements.get(&judgement.pair).map(Judgement::score) {
            Some(Some(_)) if judgement.score().is_some() => {
                let message = format!("pair {} already has a score, which counts", judgement.pair);
                Err((Cause::Repeated, message))
            }
            Some(Some(_)) => Ok(()),
            _ => {
                self.judgements.insert(judgement.pair, judgement);
                Ok(())
            }
        }
    }
}
