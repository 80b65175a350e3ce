//! Fetches one file: asks for its hash, goes on with what is there, checks, and only then gives the
//! file its name. A listener hears how far a fetch is, and what it brought.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mteb_files::{Attempt, Claim, Claimant};

use crate::cache::Cache;
use crate::client::{Client, FileBody, Metadata};
use crate::error::Failure;
use crate::etag::other_hash;
use crate::pace::{Pace, TICK};
use crate::place::{file_or_nothing, io_error};
use crate::repository::AtCommit;
use crate::retry::Retry;
use crate::{HubError, RemoteFile};

/// An attempt that brings so much was worth it, as was one that brings half of what is missing.
const REAL_PROGRESS: u64 = 1 << 20;

/// Between two looks whether a lock is still held.
const LOOK: Duration = Duration::from_secs(1);

/// Keeps others from fetching the same bytes.
struct Lock {
    /// Absent where the file system has no claims.
    claim: Option<Claim>,
    _file: File,
}

impl Lock {
    /// Checks that no other process fetches the same bytes since this one was stopped for a while.
    fn check(&self, part: &Path) -> Result<(), Failure> {
        let held = self.claim.as_ref().map_or(Ok(()), Claim::check);
        held.map_err(|source| Failure::Final(io_error(part, source)))
    }
}

/// What the downloads of one fetch share.
pub(crate) struct Downloads<'a> {
    pub cache: &'a Cache,
    pub at: &'a AtCommit,
    pub client: &'a Client,
    pub total: Progress,
    pub files_done: AtomicU64,
    pub bytes_done: AtomicU64,
    pub unchecked: Mutex<Vec<String>>,
    pub moved_away: Mutex<Vec<PathBuf>>,
    pub report: &'a dyn Report,
}

impl Downloads<'_> {
    /// Puts `file` into the cache.
    pub fn fetch(&self, file: &RemoteFile) -> Result<(), HubError> {
        let mut retry = Retry::new(self.client, &self.at.repository, &file.path);
        let mut furthest = 0;
        loop {
            let before = furthest;
            match self.attempt(file, &mut furthest) {
                Ok(()) => {
                    self.files_done.fetch_add(1, Ordering::Relaxed);
                    self.tell();
                    return Ok(());
                }
                Err(failure) => retry.wait(failure, is_progress(before, furthest, file.size))?,
            }
        }
    }

    /// What was brought so far.
    pub fn brought(&self) -> Brought {
        Brought {
            files: self.files_done.load(Ordering::Relaxed),
            bytes: self.bytes_done.load(Ordering::Relaxed),
            unchecked: self.unchecked.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            moved_away: self.moved_away.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    fn attempt(&self, file: &RemoteFile, furthest: &mut u64) -> Result<(), Failure> {
        let (repository, path) = (&self.at.repository, &file.path);
        let metadata = self.client.metadata(self.at, path)?;
        self.compare(file, &metadata)?;
        let blob = self.cache.blobs(repository)?.join(metadata.etag.as_str());
        let hash = metadata.etag.hash_or(file.hash.as_deref());
        if !is_complete(&blob, &metadata, hash)? {
            let lock = self.lock(&self.cache.lock(repository, &metadata.etag)?)?;
            // Another process may have fetched it while this one waited.
            if !is_complete(&blob, &metadata, hash)? {
                self.body(path, &metadata, hash, &blob, &lock, furthest)?;
            }
        }
        Ok(self.cache.link(self.at, path, &metadata.etag)?)
    }

    /// Compares what the list of files says of a file with what the hub announces.
    fn compare(&self, file: &RemoteFile, metadata: &Metadata) -> Result<(), HubError> {
        let unlisted = |expected, found| HubError::Unlisted {
            repository: Box::new(self.at.repository.clone()),
            file: file.path.clone(),
            expected,
            found,
        };
        if metadata.size != file.size {
            return Err(unlisted(format!("the {} bytes", file.size), format!("{} bytes", metadata.size)));
        }
        match file.hash.as_deref().and_then(|hash| metadata.etag.contradiction(hash)) {
            Some(hash) => Err(unlisted(format!("the hash {hash}"), metadata.etag.as_str().to_owned())),
            None => Ok(()),
        }
    }

    /// Appends the bytes that are missing, checks the whole and renames it.
    fn body(
        &self,
        file: &str,
        metadata: &Metadata,
        hash: Option<&str>,
        blob: &Path,
        lock: &Lock,
        furthest: &mut u64,
    ) -> Result<(), Failure> {
        let part = PathBuf::from(format!("{}.incomplete", blob.display()));
        file_or_nothing(&part)?;
        let cannot = |source| io_error(&part, source);
        let mut output = OpenOptions::new().create(true).append(true).open(&part).map_err(cannot)?;
        let mut have = output.metadata().map_err(cannot)?.len();
        if have > metadata.size {
            output.set_len(0).map_err(cannot)?;
            have = 0;
        }
        *furthest = have.max(*furthest);
        if have < metadata.size {
            let body = self.client.body(self.at, file, have)?;
            if body.start < have {
                output.set_len(body.start).map_err(cannot)?;
            }
            let is_more = self.receive(body, &part, &mut output, lock, metadata.size, furthest)?;
            if is_more {
                fs::remove_file(&part).map_err(cannot)?;
                let expected = format!("{} bytes", metadata.size);
                return Err(Failure::Final(self.report_damage(file, expected, "more".to_owned())));
            }
        }
        output.sync_all().map_err(cannot)?;
        self.check(file, metadata, hash, &part)?;
        lock.check(&part)?;
        self.move_away(blob)?;
        Ok(fs::rename(&part, blob).map_err(cannot)?)
    }

    /// Moves away what has the name of the bytes and is something else: this cache has not made it.
    fn move_away(&self, blob: &Path) -> Result<(), HubError> {
        if file_or_nothing(blob)?.is_none() {
            return Ok(());
        }
        let mut places = (1..).map(|number: u32| PathBuf::from(format!("{}.other-{number}", blob.display())));
        let place = places.find(|place| place.symlink_metadata().is_err()).unwrap_or_default();
        fs::rename(blob, &place).map_err(|source| io_error(blob, source))?;
        self.moved_away.lock().unwrap_or_else(PoisonError::into_inner).push(place);
        Ok(())
    }

    /// Writes what comes, up to `size` bytes in all; true if there is more.
    fn receive(
        &self,
        mut body: FileBody,
        part: &Path,
        output: &mut File,
        lock: &Lock,
        size: u64,
        furthest: &mut u64,
    ) -> Result<bool, Failure> {
        let mut pace = Pace::new(self.client.asker.timeout());
        let mut place = body.start;
        let mut buffer = vec![0; 1 << 16];
        let mut looked = Instant::now();
        loop {
            let read = match body.reader.read(&mut buffer) {
                Ok(0) => return Ok(false),
                Ok(read) => read as u64,
                Err(error) => {
                    let message = format!("broken off after {place} of {size} bytes: {error}");
                    return Err(Failure::Passing(message));
                }
            };
            if looked.elapsed() > LOOK {
                lock.check(part)?;
                looked = Instant::now();
            }
            let wanted = read.min(size - place);
            output.write_all(&buffer[..wanted as usize]).map_err(|source| io_error(part, source))?;
            place += wanted;
            *furthest = place.max(*furthest);
            self.bytes_done.fetch_add(wanted, Ordering::Relaxed);
            self.tell();
            if wanted < read {
                return Ok(true);
            }
            self.client.asker.go_on()?;
            if place < size {
                pace.advance(read)?;
            }
        }
    }

    /// Size first: a file that is too short only needs its rest. Bytes with another hash are thrown away.
    fn check(&self, file: &str, metadata: &Metadata, hash: Option<&str>, part: &Path) -> Result<(), Failure> {
        let cannot = |source| io_error(part, source);
        let size = part.metadata().map_err(cannot)?.len();
        if size < metadata.size {
            return Err(Failure::Passing(format!("broken off after {size} of {} bytes", metadata.size)));
        }
        let Some(hash) = hash else {
            self.unchecked.lock().unwrap_or_else(PoisonError::into_inner).push(file.to_owned());
            return Ok(());
        };
        let Some(found) = other_hash(hash, part).map_err(cannot)? else { return Ok(()) };
        fs::remove_file(part).map_err(cannot)?;
        let expected = format!("hash {hash}");
        Err(Failure::Final(self.report_damage(file, expected, found)))
    }

    /// Waits until no other process fetches the same bytes; the lock ends when it is dropped. Other programs know the lock of the file
    /// alone, and other machines perhaps the claim alone.
    fn lock(&self, path: &Path) -> Result<Lock, HubError> {
        let cannot = |source| io_error(path, source);
        file_or_nothing(path)?;
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(cannot)?;
        let mut claimant = Claimant::of_file(path);
        let (claim, refusal) = loop {
            match claimant.attempt().map_err(cannot)? {
                Attempt::Taken(claim) => break (Some(claim), None),
                Attempt::Refused(refusal) => break (None, Some(refusal)),
                Attempt::Held(_) => self.client.asker.go_on()?,
            }
            std::thread::sleep(TICK);
        };
        let has_outlasted = claim.as_ref().is_some_and(|claim| claim.has_outlasted);
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if has_outlasted => break,
                Err(TryLockError::WouldBlock) => self.client.asker.go_on()?,
                Err(TryLockError::Error(_)) if refusal.is_none() => break,
                Err(TryLockError::Error(source)) => return Err(cannot(source)),
            }
            std::thread::sleep(TICK);
        }
        Ok(Lock { claim, _file: file })
    }

    fn report_damage(&self, file: &str, expected: String, found: String) -> HubError {
        let (repository, file) = (Box::new(self.at.repository.clone()), file.to_owned());
        HubError::Damaged { repository, file, expected, found }
    }

    fn tell(&self) {
        self.report.progress(Progress {
            files_done: self.files_done.load(Ordering::Relaxed),
            bytes_done: self.bytes_done.load(Ordering::Relaxed),
            ..self.total
        });
    }
}

/// True if an attempt came so much further that the end is in sight; a hub that sends the same bytes over and over, or a
/// byte at a time, brings no progress.
fn is_progress(before: u64, furthest: u64, size: u64) -> bool {
    let gained = furthest.saturating_sub(before);
    gained > 0 && gained >= REAL_PROGRESS.min(size.saturating_sub(before).div_ceil(2))
}

/// True if the bytes are here. Those that are not called by their own hash are held to that of the list, if it has one.
fn is_complete(blob: &Path, metadata: &Metadata, hash: Option<&str>) -> Result<bool, HubError> {
    let is_there = file_or_nothing(blob)?.is_some_and(|found| found.len() == metadata.size);
    match hash.filter(|_| is_there && !metadata.etag.is_hash()) {
        Some(hash) => Ok(other_hash(hash, blob).map_err(|source| io_error(blob, source))?.is_none()),
        None => Ok(is_there),
    }
}

/// State of a fetch; bytes that were in the cache before do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Files that are there.
    pub files_done: u64,
    /// Files to fetch.
    pub files: u64,
    /// Bytes that have arrived.
    pub bytes_done: u64,
    /// Bytes to fetch, as far as it is known.
    pub bytes: u64,
}

/// What a fetch brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brought {
    /// Files that were not in the cache before.
    pub files: u64,
    /// Bytes that have arrived.
    pub bytes: u64,
    /// Those of the files whose hash the hub did not give: their size was checked, and nothing else.
    pub unchecked: Vec<String>,
    /// Where bytes are now that had the name of others: they were not those that their hash promises.
    pub moved_away: Vec<PathBuf>,
}

/// Is told how far a fetch is.
pub trait Report: Sync {
    /// The fetch is this far now.
    fn progress(&self, progress: Progress);

    /// The fetch ends; said also where it failed, if it brought anything.
    fn brought(&self, _brought: &Brought) {}
}

/// Nobody is told.
#[derive(Clone, Copy, Debug)]
pub struct NoReport;

impl Report for NoReport {
    fn progress(&self, _: Progress) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_a_megabyte_or_half_of_what_is_missing() {
        assert!(is_progress(0, 50, 100) && is_progress(50, 75, 100) && is_progress(0, 1 << 20, 1 << 40));
        assert!(!is_progress(50, 50, 100) && !is_progress(0, 1, 100) && !is_progress(0, 1 << 19, 1 << 40));
    }
}
