//! The hub: lists repositories, and brings files of them into the cache.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::cache::Cache;
use crate::client::Client;
use crate::download::Downloads;
use crate::{Access, HubError, Progress, RemoteFile, Report, Repository, listing, remote};

/// Files that are fetched at the same time.
const AT_ONCE: usize = 6;

/// A hub, and the cache that is shared with other tools.
pub struct Hub {
    access: Access,
    cache: Cache,
    client: Client,
}

impl Hub {
    /// The hub that `access` leads to; nothing is asked of it yet.
    pub fn new(access: Access) -> Self {
        let cache = Cache::new(&access.cache);
        let client = Client::new(&access);
        Self { access, cache, client }
    }

    /// True if nothing is asked of the network.
    pub fn is_offline(&self) -> bool {
        self.access.offline
    }

    /// The folder in which the files of `repository` lie under their names, as far as they are here; `None` if it is not
    /// known which commit a branch stands for.
    pub fn snapshot(&self, repository: &Repository) -> Option<PathBuf> {
        let commit = self.cache.commit(repository)?;
        Some(self.cache.snapshot(repository, &commit))
    }

    /// The files of `repository`: all of them, or offline without a kept list those that are in the cache.
    ///
    /// # Errors
    /// If the hub has no such repository or does not answer, or nothing is there and the run is offline.
    pub fn files(&self, repository: &Repository) -> Result<Vec<RemoteFile>, HubError> {
        let commit = self.cache.commit(repository);
        if let Some(commit) = commit.filter(|_| self.access.offline || repository.is_pinned()) {
            if let Some(files) = listing::read(&self.access.listings, repository, &commit) {
                return Ok(files);
            }
            let files = listing::on_disk(&self.cache.snapshot(repository, &commit));
            if self.access.offline && !files.is_empty() {
                return Ok(files);
            }
        }
        if self.access.offline {
            return Err(self.absent(repository, "every file"));
        }
        let files = remote::files(&self.client, repository)?;
        files.iter().try_for_each(|file| listing::check(repository, &file.path))?;
        if repository.is_pinned() {
            listing::write(&self.access.listings, repository, &repository.revision, &files)?;
        }
        Ok(files)
    }

    /// Brings `files` of `repository` into the cache, those that are missing; gives the folder in which they lie under
    /// their names.
    ///
    /// # Errors
    /// If a file cannot be had; those that were fetched before stay.
    pub fn fetch(
        &self,
        repository: &Repository,
        files: &[RemoteFile],
        report: &dyn Report,
    ) -> Result<PathBuf, HubError> {
        files.iter().try_for_each(|file| listing::check(repository, &file.path))?;
        let mut missing: Vec<&RemoteFile> = files.iter().collect();
        // A branch may have moved, so its files are looked up again while there is a network.
        let known = self.cache.commit(repository).filter(|_| self.access.offline || repository.is_pinned());
        if let Some(commit) = known {
            let snapshot = self.cache.snapshot(repository, &commit);
            missing.retain(|file| !snapshot.join(&file.path).is_file());
            if missing.is_empty() {
                return Ok(snapshot);
            }
        }
        match missing.first() {
            Some(file) if self.access.offline => Err(self.absent(repository, &file.path)),
            _ => self.download(repository, &missing, report),
        }
    }

    fn download(
        &self,
        repository: &Repository,
        files: &[&RemoteFile],
        report: &dyn Report,
    ) -> Result<PathBuf, HubError> {
        let bytes = files.iter().map(|file| file.size).sum();
        let total = Progress { files: files.len() as u64, bytes, ..Progress::default() };
        report.progress(total);
        let downloads = Downloads {
            cache: &self.cache,
            repository,
            client: &self.client,
            total,
            files_done: AtomicU64::new(0),
            bytes_done: AtomicU64::new(0),
            report,
        };
        let commit = fetch_all(&downloads, files)?.unwrap_or_else(|| repository.revision.clone());
        self.cache.note_commit(repository, &commit)?;
        Ok(self.cache.snapshot(repository, &commit))
    }

    fn absent(&self, repository: &Repository, file: &str) -> HubError {
        HubError::Offline {
            repository: Box::new(repository.clone()),
            file: file.to_owned(),
            cache: self.access.cache.clone(),
        }
    }
}

/// Fetches several files at once; the first that fails ends the others after the file they are at.
fn fetch_all(downloads: &Downloads<'_>, files: &[&RemoteFile]) -> Result<Option<String>, HubError> {
    let next = AtomicUsize::new(0);
    let outcome: Mutex<Result<Option<String>, HubError>> = Mutex::new(Ok(None));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(files.len()) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let fetched = downloads.fetch(&file.path);
                    let has_failed = fetched.is_err();
                    let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
                    if outcome.is_ok() {
                        *outcome = fetched.map(Some);
                    }
                    if has_failed {
                        next.store(files.len(), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
}
