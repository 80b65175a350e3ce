//! The hub: lists repositories, and brings files of them into the cache.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Builder;

use tracing::debug_span;

use crate::cache::Cache;
use crate::client::Client;
use crate::download::Downloads;
use crate::names::{check_repository, distinct_files};
use crate::repository::{AtCommit, Commit};
use crate::retry::with_retries;
use crate::{Access, HubError, Progress, RemoteFile, Report, Repository, SettingError, listing, remote};

/// Files that are fetched at the same time.
const AT_ONCE: usize = 6;

/// Bytes of stack of each thread that downloads, whatever `RUST_MIN_STACK` says.
const STACK: usize = 2 << 20;

/// A hub, and the cache that is shared with other tools.
pub struct Hub {
    access: Access,
    cache: Cache,
    client: OnceLock<Result<Client, SettingError>>,
    /// What branches and tags stand for, so that all files of a run are of one commit.
    commits: Mutex<HashMap<Repository, Commit>>,
    /// Files of the cache whose bytes were held to what is known of them.
    checked: Mutex<HashSet<PathBuf>>,
    /// What became of the lists of files in this run.
    lists: Mutex<HashMap<Repository, List>>,
}

/// Where the list of a repository's files comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    /// It was kept by an earlier run, and is to be asked for.
    Doubted,
    /// The hub gave it in this run, or could not be asked.
    Asked,
}

impl Hub {
    /// The hub that `access` leads to; nothing is asked of it yet.
    pub fn new(access: Access) -> Self {
        let cache = Cache::new(&access.cache);
        let (commits, checked, lists) = Default::default();
        Self { access, cache, client: OnceLock::new(), commits, checked, lists }
    }

    /// True if nothing is asked of the network.
    pub fn is_offline(&self) -> bool {
        self.access.offline
    }

    /// The folder in which the files of `repository` lie under their names, as far as they are
    /// here; `None` if its revision is no commit.
    pub fn snapshot(&self, repository: &Repository) -> Option<PathBuf> {
        check_repository(repository).ok()?;
        let commit = Commit::parse(&repository.revision)?;
        Some(self.cache.snapshot(&AtCommit { repository: repository.clone(), commit }))
    }

    /// The files of `repository`: all of them, or offline without a kept list those that are in the
    /// cache. The hub is not asked again for a list that it gave of a commit of which something is
    /// here, unless it is to be asked or was doubted.
    ///
    /// # Errors
    /// If the hub has no such repository or does not answer, or nothing is there and the run is
    /// offline.
    pub fn files(&self, repository: &Repository) -> Result<Vec<RemoteFile>, HubError> {
        let at = self.at(repository)?;
        let (folder, endpoint) = (&self.access.listings, self.access.address());
        let kept = listing::read(folder, endpoint, &at);
        let snapshot = self.cache.snapshot(&at);
        let is_believed = match self.known_lists().get(repository) {
            Some(list) => *list == List::Asked,
            None => !self.access.refresh_lists && snapshot.is_dir(),
        };
        if let Some(files) = kept.as_ref().filter(|_| is_believed) {
            return Ok(files.clone());
        }
        let here = || Some(listing::on_disk(&snapshot)).filter(|files| !files.is_empty());
        let lasting = || kept.clone().or_else(|| listing::read_any(folder, &at)).or_else(here);
        if self.access.offline {
            return lasting().ok_or_else(|| self.absent(repository, "none of its files is"));
        }
        let _span = debug_span!("list files", %repository).entered();
        let asked = self.client().and_then(|client| remote::files(client, &at));
        self.known_lists().insert(repository.clone(), List::Asked);
        match asked {
            Ok(files) => {
                listing::write(folder, endpoint, &at, &files)?;
                Ok(files)
            }
            Err(error @ HubError::Down { .. }) => lasting().ok_or(error),
            Err(error) => Err(error),
        }
    }

    /// Doubts the list of files of `repository`; true if it was kept by an earlier run, so that
    /// asking for it now may give another one. Each list is doubted once.
    pub fn doubts_list(&self, repository: &Repository) -> bool {
        let mut lists = self.known_lists();
        let is_old = !self.access.offline && !self.access.refresh_lists && !lists.contains_key(repository);
        if is_old {
            lists.insert(repository.clone(), List::Doubted);
        }
        is_old
    }

    /// Brings `files` of `repository` into the cache, those that are missing; gives the folder in
    /// which they lie under their names.
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
                continue;
            }
            // Once a run: what changes while it runs is seen by who reads it.
            let path = self.cache.snapshot(&at).join(&file.path);
            let checked = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
            if !checked().contains(&path) {
                self.cache.check(&at, file)?;
                checked().insert(path);
            }
        }
        match missing.first() {
            None => {}
            Some(file) if self.access.offline => {
                return Err(self.absent(repository, &format!("{} is not", file.path)));
            }
            Some(_) => self.download(&at, &missing, report)?,
        }
        if !self.access.offline && !files.is_empty() {
            self.cache.note_commit(&at)?;
        }
        Ok(self.cache.snapshot(&at))
    }

    /// The commit that a repository's revision stands for: itself, or what the hub says, or offline
    /// what it said last.
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
            self.cache.commit(repository)?.ok_or_else(|| self.absent(repository, "none of its files is"))?
        } else {
            let client = self.client()?;
            with_retries(client, repository, "commit of the revision", || client.commit(repository))?
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
        let repository = &at.repository;
        let _span = debug_span!("download", %repository, files = files.len(), bytes).entered();
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
            moved_away: Mutex::default(),
            report,
        };
        let outcome = fetch_all(&downloads, files);
        report.brought(&downloads.brought());
        let is_wrong = outcome.as_ref().is_err_and(HubError::contradicts_list);
        if is_wrong && self.known_lists().get(&at.repository) == Some(&List::Asked) {
            listing::forget(&self.access.listings, self.access.address(), at);
        }
        outcome
    }

    fn known_lists(&self) -> MutexGuard<'_, HashMap<Repository, List>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn absent(&self, repository: &Repository, missing: &str) -> HubError {
        HubError::Offline {
            repository: Box::new(repository.clone()),
            missing: missing.to_owned(),
            cache: self.access.cache.clone(),
            by_variable: self.access.offline_by_variable,
        }
    }
}

/// Fetches several files at once; the first that fails ends the others after the file they are at.
fn fetch_all(downloads: &Downloads<'_>, files: &[&RemoteFile]) -> Result<(), HubError> {
    let next = AtomicUsize::new(0);
    let outcome: Mutex<Result<(), HubError>> = Mutex::new(Ok(()));
    std::thread::scope(|scope| {
        let work = || {
            while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                let Err(error) = downloads.fetch(file) else { continue };
                next.store(files.len(), Ordering::Relaxed);
                let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
                if outcome.is_ok() {
                    *outcome = Err(error);
                }
            }
        };
        for _ in 1..AT_ONCE.min(files.len()) {
            // Where the system gives no thread, fewer do the same.
            if Builder::new().stack_size(STACK).spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
}
