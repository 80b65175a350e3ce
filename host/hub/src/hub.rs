//! The hub: lists repositories, and brings files of them into the cache.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::cache::Cache;
use crate::client::Client;
use crate::commit::{AtCommit, Commit};
use crate::download::Downloads;
use crate::names::{check_repository, distinct_files};
use crate::patience::patiently;
use crate::{Access, HubError, Progress, RemoteFile, Report, Repository, listing, remote};

/// Files that are fetched at the same time.
const AT_ONCE: usize = 6;

/// A hub, and the cache that is shared with other tools.
pub struct Hub {
    access: Access,
    cache: Cache,
    client: OnceLock<Result<Client, String>>,
    /// What branches and tags stand for, so that all files of a run are of one commit.
    commits: Mutex<HashMap<Repository, Commit>>,
}

impl Hub {
    /// The hub that `access` leads to; nothing is asked of it yet.
    pub fn new(access: Access) -> Self {
        let cache = Cache::new(&access.cache);
        Self { access, cache, client: OnceLock::new(), commits: Mutex::default() }
    }

    /// True if nothing is asked of the network.
    pub fn is_offline(&self) -> bool {
        self.access.offline
    }

    /// The folder in which the files of `repository` lie under their names, as far as they are here; `None` if its revision
    /// is no commit.
    pub fn snapshot(&self, repository: &Repository) -> Option<PathBuf> {
        check_repository(repository).ok()?;
        let commit = Commit::parse(&repository.revision)?;
        Some(self.cache.snapshot(&AtCommit { repository: repository.clone(), commit }))
    }

    /// The files of `repository`: all of them, or offline without a kept list those that are in the cache. The hub is not
    /// asked for a list of a commit that it gave before.
    ///
    /// # Errors
    /// If the hub has no such repository or does not answer, or nothing is there and the run is offline.
    pub fn files(&self, repository: &Repository) -> Result<Vec<RemoteFile>, HubError> {
        let at = self.at(repository)?;
        if let Some(files) = listing::read(&self.access.listings, &at) {
            return Ok(files);
        }
        let here = || Some(listing::on_disk(&self.cache.snapshot(&at))).filter(|files| !files.is_empty());
        if self.access.offline {
            return here().ok_or_else(|| self.absent(repository, "every file"));
        }
        match self.client().and_then(|client| remote::files(client, &at)) {
            Ok(files) => {
                listing::write(&self.access.listings, &at, &files)?;
                Ok(files)
            }
            Err(error @ HubError::Down { .. }) => here().ok_or(error),
            Err(error) => Err(error),
        }
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
        let asked = distinct_files(repository, files)?;
        let at = self.at(repository)?;
        let mut missing = Vec::new();
        for file in asked {
            if !self.cache.holds(&at, &file.path)? {
                missing.push(file);
            }
        }
        match missing.first() {
            None => {}
            Some(file) if self.access.offline => return Err(self.absent(repository, &file.path)),
            Some(_) => self.download(&at, &missing, report)?,
        }
        if !self.access.offline && !files.is_empty() {
            self.cache.note_commit(&at)?;
        }
        Ok(self.cache.snapshot(&at))
    }

    /// The commit that a repository's revision stands for: itself, or what the hub says, or offline what it said last.
    fn at(&self, repository: &Repository) -> Result<AtCommit, HubError> {
        check_repository(repository)?;
        let found = |commit| AtCommit { repository: repository.clone(), commit };
        if let Some(commit) = Commit::parse(&repository.revision) {
            return Ok(found(commit));
        }
        let known = || self.commits.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(commit) = known().get(repository) {
            return Ok(found(commit.clone()));
        }
        let commit = if self.access.offline {
            self.cache.commit(repository)?.ok_or_else(|| self.absent(repository, "every file"))?
        } else {
            let client = self.client()?;
            patiently(client, repository, "commit of the revision", || client.commit(repository))?
        };
        known().insert(repository.clone(), commit.clone());
        Ok(found(commit))
    }

    /// Who asks the hub, from the first question on.
    fn client(&self) -> Result<&Client, HubError> {
        if let Some(fault) = &self.access.fault {
            return Err(HubError::Setting(fault.clone()));
        }
        let client = self.client.get_or_init(|| Client::new(&self.access));
        client.as_ref().map_err(|fault| HubError::Setting(fault.clone()))
    }

    fn download(&self, at: &AtCommit, files: &[&RemoteFile], report: &dyn Report) -> Result<(), HubError> {
        let bytes = files.iter().map(|file| file.size).fold(0, u64::saturating_add);
        let total = Progress { files: files.len() as u64, bytes, ..Progress::default() };
        let client = self.client()?;
        report.progress(total);
        let downloads = Downloads {
            cache: &self.cache,
            at,
            client,
            total,
            files_done: AtomicU64::new(0),
            bytes_done: AtomicU64::new(0),
            unchecked: Mutex::default(),
            report,
        };
        let outcome = fetch_all(&downloads, files);
        report.brought(&downloads.brought());
        outcome
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
fn fetch_all(downloads: &Downloads<'_>, files: &[&RemoteFile]) -> Result<(), HubError> {
    let next = AtomicUsize::new(0);
    let outcome: Mutex<Result<(), HubError>> = Mutex::new(Ok(()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(files.len()) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Err(error) = downloads.fetch(file) else { continue };
                    next.store(files.len(), Ordering::Relaxed);
                    let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
                    if outcome.is_ok() {
                        *outcome = Err(error);
                    }
                }
            });
        }
    });
    outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
}
