//! Adds lines to a store.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use mteb_files::{Attempt, Claim, Claimant};

use super::read::is_begun;
use super::{Contents, Judgement, StoreHead, read_store_of};
use crate::GradedError;

/// A store that is open for more; no other process can add to it meanwhile.
#[derive(Debug)]
pub struct StoreWriter {
    file: File,
    path: PathBuf,
    head: StoreHead,
    /// Absent where the file system has no claims, and the lock of the file alone keeps others out.
    claim: Option<Claim>,
    has_scores: bool,
}

impl StoreWriter {
    /// Opens the store of `head` at `path`, made if there is none, and gives what it holds.
    ///
    /// # Errors
    /// If it cannot be opened, another process adds to it, or it is of another judge, model or prompt.
    pub fn open(path: &Path, head: &StoreHead) -> Result<(Self, Contents), GradedError> {
        let failed = |error| GradedError::file(path, "write", error);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut file = mteb_files::append(path).map_err(failed)?;
        let claim = take(path, &file).map_err(failed)?;
        if is_begun(path, head).map_err(failed)? {
            let line = head.line().map_err(failed)?;
            let written = file.set_len(0).and_then(|()| file.write_all(&line)).and_then(|()| file.sync_all());
            written.map_err(failed)?;
        }
        let contents = read_store_of(path, head)?;
        if contents.is_torn {
            // What is torn stays as it is, and is a line of its own.
            file.write_all(b"\n").map_err(failed)?;
        }
        let has_scores = contents.judgements.values().any(|judgement| judgement.score().is_some());
        Ok((Self { file, path: path.to_owned(), head: head.clone(), claim, has_scores }, contents))
    }

    /// True if the judge has given a score, now or before.
    pub fn has_scores(&self) -> bool {
        self.has_scores
    }

    /// Adds a judgement: with one call to the system, so that a process that is killed leaves whole lines.
    ///
    /// # Errors
    /// If it cannot be written, or another process has taken over the store of this one, which was stopped for a while.
    pub fn append(&mut self, judgement: &Judgement) -> Result<(), GradedError> {
        let written =
            self.check().and_then(|()| judgement.line()).and_then(|line| self.file.write_all(&line));
        self.has_scores |= written.is_ok() && judgement.score().is_some();
        written.map_err(|error| self.failed(error))
    }

    /// Waits until all that was added is on the disk.
    ///
    /// # Errors
    /// If the system cannot say so.
    pub fn flush(&mut self) -> Result<(), GradedError> {
        self.file.sync_data().map_err(|error| self.failed(error))
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whose judgements it holds.
    pub(super) fn head(&self) -> &StoreHead {
        &self.head
    }

    /// Checks that no other process has taken it over.
    pub(super) fn check(&self) -> io::Result<()> {
        self.claim.as_ref().map_or(Ok(()), Claim::check)
    }

    /// What cannot be done with the store.
    pub(super) fn failed(&self, error: io::Error) -> GradedError {
        GradedError::file(&self.path, "write", error)
    }
}

/// Keeps other processes, on this machine and others, from adding to the store at `path`, which is open as `file`.
fn take(path: &Path, file: &File) -> io::Result<Option<Claim>> {
    let busy =
        || io::Error::new(ErrorKind::ResourceBusy, "another run is writing to it; wait until that ends");
    let (claim, refusal) = match Claimant::of_file(path).attempt_until_sure()? {
        Attempt::Taken(claim) => (Some(claim), None),
        Attempt::Held(_) => return Err(busy()),
        Attempt::Refused(refusal) => (None, Some(refusal)),
    };
    match (file.try_lock(), refusal) {
        (Ok(()), _) => Ok(claim),
        // A stopped process that has lost its claim has the lock still.
        (Err(TryLockError::WouldBlock), _) if claim.as_ref().is_some_and(|claim| claim.has_outlasted) => {
            Ok(claim)
        }
        (Err(TryLockError::WouldBlock), _) => Err(busy()),
        // A file system without locks, which older versions refuse.
        (Err(TryLockError::Error(_)), None) => Ok(claim),
        (Err(TryLockError::Error(error)), Some(_)) => Err(error),
    }
}
