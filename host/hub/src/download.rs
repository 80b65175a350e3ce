//! Fetches one file: asks for its hash, goes on with what is there, checks, and only then gives the file its name.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::cache::{Cache, make_parent};
use crate::client::{Client, Metadata};
use crate::error::Failure;
use crate::patience::Patience;
use crate::verify::hash_like;
use crate::{HubError, Progress, Report, Repository};

/// What the downloads of one fetch share.
pub(crate) struct Downloads<'a> {
    pub cache: &'a Cache,
    pub repository: &'a Repository,
    pub client: &'a Client,
    pub total: Progress,
    pub files_done: AtomicU64,
    pub bytes_done: AtomicU64,
    pub report: &'a dyn Report,
}

impl Downloads<'_> {
    /// Puts `file` into the cache; gives the commit it belongs to.
    pub fn fetch(&self, file: &str) -> Result<String, HubError> {
        let mut patience = Patience::default();
        loop {
            let mut arrived = 0;
            let message = match self.attempt(file, &mut arrived) {
                Ok(commit) => {
                    self.files_done.fetch_add(1, Ordering::Relaxed);
                    self.tell();
                    return Ok(commit);
                }
                Err(Failure::Final(error)) => return Err(error),
                Err(Failure::Passing(message)) => message,
            };
            if let Err(attempts) = patience.wait(arrived > 0) {
                let (repository, what) = (Box::new(self.repository.clone()), file.to_owned());
                return Err(HubError::Unreachable { repository, what, attempts, message });
            }
        }
    }

    fn attempt(&self, file: &str, arrived: &mut u64) -> Result<String, Failure> {
        let metadata = self.client.metadata(self.repository, file)?;
        let blob = self.cache.blob(self.repository, &metadata.etag);
        if !is_complete(&blob, metadata.size) {
            let _lock = lock(&self.cache.lock(self.repository, &metadata.etag))?;
            // Another process may have fetched it while this one waited.
            if !is_complete(&blob, metadata.size) {
                self.body(file, &metadata, &blob, arrived)?;
            }
        }
        self.cache.link(self.repository, &metadata.commit, file, &metadata.etag)?;
        Ok(metadata.commit)
    }

    /// Appends the bytes that are missing, checks the whole and renames it.
    fn body(&self, file: &str, metadata: &Metadata, blob: &Path, arrived: &mut u64) -> Result<(), Failure> {
        let part = PathBuf::from(format!("{}.incomplete", blob.display()));
        make_parent(&part)?;
        let cannot = |source: io::Error| Failure::Final(HubError::Io { path: part.clone(), source });
        let mut output = OpenOptions::new().create(true).append(true).open(&part).map_err(cannot)?;
        let mut have = output.metadata().map_err(cannot)?.len();
        if have > metadata.size {
            output.set_len(0).map_err(cannot)?;
            have = 0;
        }
        if have < metadata.size {
            let mut body = self.client.body(self.repository, &metadata.commit, file, have)?;
            if body.start < have {
                output.set_len(body.start).map_err(cannot)?;
            }
            let mut buffer = vec![0; 1 << 16];
            loop {
                let read = match body.reader.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(read) => read,
                    Err(error) => return Err(Failure::Passing(error.to_string())),
                };
                output.write_all(&buffer[..read]).map_err(cannot)?;
                *arrived += read as u64;
                self.bytes_done.fetch_add(read as u64, Ordering::Relaxed);
                self.tell();
            }
        }
        output.sync_all().map_err(cannot)?;
        self.check(file, metadata, &part)?;
        fs::rename(&part, blob).map_err(cannot)
    }

    /// Size first: a file that is too short only needs its rest. Bytes with another hash are thrown away.
    fn check(&self, file: &str, metadata: &Metadata, part: &Path) -> Result<(), Failure> {
        let cannot = |source: io::Error| Failure::Final(HubError::Io { path: part.to_owned(), source });
        let size = part.metadata().map_err(cannot)?.len();
        if size < metadata.size {
            return Err(Failure::Passing(format!("broken off after {size} of {} bytes", metadata.size)));
        }
        let hash = hash_like(&metadata.etag, part).map_err(cannot)?;
        let (expected, found) = match hash {
            _ if size != metadata.size => (format!("{} bytes", metadata.size), format!("{size} bytes")),
            Some(hash) if hash != metadata.etag => (format!("hash {}", metadata.etag), hash),
            _ => return Ok(()),
        };
        fs::remove_file(part).map_err(cannot)?;
        let (repository, file) = (Box::new(self.repository.clone()), file.to_owned());
        Err(Failure::Final(HubError::Damaged { repository, file, expected, found }))
    }

    fn tell(&self) {
        self.report.progress(Progress {
            files_done: self.files_done.load(Ordering::Relaxed),
            bytes_done: self.bytes_done.load(Ordering::Relaxed),
            ..self.total
        });
    }
}

fn is_complete(blob: &Path, size: u64) -> bool {
    blob.metadata().is_ok_and(|found| found.is_file() && found.len() == size)
}

/// Waits until no other process fetches the same bytes; the lock ends when the file is dropped.
fn lock(path: &Path) -> Result<File, HubError> {
    make_parent(path)?;
    let locked = File::create(path).and_then(|file| file.lock().map(|()| file));
    locked.map_err(|source| HubError::Io { path: path.to_owned(), source })
}
