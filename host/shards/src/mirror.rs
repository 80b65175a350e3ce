//! The folder of a shard, or that of merged results, mirrored in an object store: what others left there is fetched, what is new here is
//! sent.
//!
//! Each object is written whole. Files beside the scores go first, then the results that rest on them, then the report of the shard, each
//! as it was before those ahead of it were looked at: whatever is killed in the midst, no score is there without its files, and no report
//! says more than there is. Two who score the same shard write the same units; a file of several units is never put in the place of one
//! that has all of them and perhaps more.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::error::MirrorError;
use crate::objects::{Objects, Over};
use crate::state::{STATE_FILE, ShardState, State};

/// How often a file is written that others change meanwhile.
const TRIES: usize = 8;

/// Objects that are in memory at once while many are fetched.
const AT_ONCE: usize = 64;

/// The units that a file holds, by split and subset; `None` of a file that is not of units.
pub type UnitsOf = fn(&[u8]) -> Option<BTreeSet<(String, String)>>;

/// A folder of results, and its place in a store.
#[derive(Debug)]
pub struct Mirror<O> {
    objects: O,
    /// The name before those of its objects.
    below: String,
    folder: PathBuf,
    units_of: UnitsOf,
    /// What of each file is in the store, by name.
    sent: BTreeMap<String, Sent>,
}

/// What of a file is in the store.
#[derive(Clone, Debug, Default)]
struct Sent {
    /// The file as it was sent, or fetched.
    stamp: Option<Stamp>,
    /// The tag of the object that was written or fetched by this program.
    tag: Option<String>,
    /// SHA-256 of what the object holds.
    hash: Option<String>,
}

/// What changes with a file, which is never written in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    file: u64,
    bytes: u64,
    modified: (i64, i64),
}

/// A file as it was read.
struct Read {
    name: String,
    bytes: Vec<u8>,
    stamp: Stamp,
}

impl<O: Objects> Mirror<O> {
    /// The mirror of `folder` in `objects`, below this name.
    pub fn new(objects: O, below: &str, folder: &Path, units_of: UnitsOf) -> Self {
        Self { objects, below: below.to_owned(), folder: folder.to_owned(), units_of, sent: BTreeMap::new() }
    }

    /// Fetches what a shard of `plan` has left that is not here, or is more there than here; gives the number of files.
    ///
    /// # Errors
    /// If the store does not answer, a file cannot be written, or what is there is of another plan.
    pub fn fetch_shard(&mut self, plan: &str) -> Result<usize, MirrorError> {
        if let Some(found) = self.objects.read(&self.object(STATE_FILE))?
            && let Some(state) = parsed(&found.bytes)
            && state.plan != plan
        {
            return Err(MirrorError::OtherPlan);
        }
        self.fetch()
    }

    /// Fetches what is not here, or is more there than here; gives the number of files.
    ///
    /// # Errors
    /// If the store does not answer, or a file cannot be written.
    pub fn fetch(&mut self) -> Result<usize, MirrorError> {
        let names = self.objects.list(&self.below)?;
        let mut fetched = 0;
        for name in names.into_iter().filter(|name| is_name(name)) {
            let path = self.folder.join(&name);
            let here = match self.read(&name) {
                Ok(here) => here,
                Err(source) => return Err(MirrorError::Io { path, source }),
            };
            if here.as_ref().is_some_and(|here| (self.units_of)(&here.bytes).is_none()) {
                continue;
            }
            let Some(there) = self.objects.read(&self.object(&name))? else { continue };
            let is_better = match &here {
                None => true,
                Some(here) => self.has_more(&there.bytes, &here.bytes),
            };
            if is_better {
                mteb_files::write(&path, &there.bytes)
                    .map_err(|source| MirrorError::Unwritable { path: path.clone(), source })?;
                fetched += 1;
            }
            let is_same = here.is_some_and(|here| here.bytes == there.bytes);
            let stamp = stamp(&path).filter(|_| is_better || is_same);
            let hash = hash(&there.bytes);
            self.sent.insert(name, Sent { stamp, tag: Some(there.tag), hash });
        }
        Ok(fetched)
    }

    /// Sends what is new since the last time; gives the number of files.
    ///
    /// # Errors
    /// If a file cannot be read, or the store does not answer.
    pub fn send(&mut self) -> Result<usize, MirrorError> {
        let folder = self.folder.clone();
        let failed = |source| MirrorError::Io { path: folder.clone(), source };
        let state = self.changed(STATE_FILE).map_err(failed)?;
        let mut results = Vec::new();
        for name in self.names().map_err(failed)?.iter().filter(|name| is_result(name)) {
            results.extend(self.changed(name).map_err(failed)?);
        }
        // What lies beside the results that were just read is there by now.
        let mut sent = 0;
        for name in
            self.names().map_err(failed)?.iter().filter(|name| !is_result(name) && *name != STATE_FILE)
        {
            if let Some(file) = self.changed(name).map_err(failed)? {
                self.write(file)?;
                sent += 1;
            }
        }
        for file in results.into_iter().chain(state) {
            self.write(file)?;
            sent += 1;
        }
        Ok(sent)
    }

    fn object(&self, name: &str) -> String {
        format!("{}/{name}", self.below)
    }

    /// Writes an object, unless others have written as much or more.
    fn write(&mut self, Read { name, bytes, stamp }: Read) -> Result<(), MirrorError> {
        let object = self.object(&name);
        let is_shared = name == STATE_FILE || (self.units_of)(&bytes).is_some();
        let mut known = self.sent.get(&name).and_then(|sent| sent.tag.clone());
        for _ in 0..TRIES {
            let over = match &known {
                _ if !is_shared => Over::Anything,
                None => Over::Nothing,
                Some(tag) => Over::Tagged(tag),
            };
            if let Some(tag) = self.objects.write(&object, &bytes, over)? {
                self.sent.insert(name, Sent { stamp: Some(stamp), tag: Some(tag), hash: hash(&bytes) });
                return Ok(());
            }
            known = match self.objects.read(&object)? {
                None => None,
                // What others wrote stays unknown: whatever comes next is compared with it, too.
                Some(there) if self.covers(&name, &there.bytes, &bytes) => {
                    self.sent.entry(name).or_default().stamp = Some(stamp);
                    return Ok(());
                }
                Some(there) => Some(there.tag),
            };
        }
        Err(MirrorError::Contended { object, tries: TRIES })
    }

    /// True if what is `there` is as good as what is `here`.
    fn covers(&self, name: &str, there: &[u8], here: &[u8]) -> bool {
        if name == STATE_FILE {
            let is_done = |state: &ShardState| state.state == State::Done;
            let both = parsed(there).zip(parsed(here));
            return both
                .is_some_and(|(there, here)| there.plan == here.plan && is_done(&there) && !is_done(&here));
        }
        let both = (self.units_of)(there).zip((self.units_of)(here));
        both.is_some_and(|(there, here)| there.is_superset(&here))
    }

    fn has_more(&self, there: &[u8], here: &[u8]) -> bool {
        let both = (self.units_of)(there).zip((self.units_of)(here));
        both.is_some_and(|(there, here)| there.is_superset(&here) && there.len() > here.len())
    }

    /// The names of all files, sorted; temporary and hidden ones are none.
    fn names(&self) -> io::Result<Vec<String>> {
        let (mut folders, mut names) = (vec![String::new()], Vec::new());
        while let Some(below) = folders.pop() {
            let entries = match fs::read_dir(self.folder.join(&below)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries?,
            };
            for entry in entries {
                let entry = entry?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                let kind = entry.file_type()?;
                let name = if below.is_empty() { name } else { format!("{below}/{name}") };
                if !is_name(&name) {
                    continue;
                }
                if kind.is_dir() {
                    folders.push(name);
                } else if kind.is_file() {
                    names.push(name);
                }
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// A file that is not in the store as it is here; `None` if it is, or is not here.
    fn changed(&self, name: &str) -> io::Result<Option<Read>> {
        let known = self.sent.get(name).cloned().unwrap_or_default();
        if known.stamp.is_some() && known.stamp == stamp(&self.folder.join(name)) {
            return Ok(None);
        }
        // A file may be written anew as it was.
        Ok(self.read(name)?.filter(|file| known.hash.is_none() || known.hash != hash(&file.bytes)))
    }

    fn read(&self, name: &str) -> io::Result<Option<Read>> {
        let path = self.folder.join(name);
        // A file that is replaced while it is read has another stamp, and is read again the next time.
        let Some(stamp) = stamp(&path) else { return Ok(None) };
        match mteb_files::read(&path, u64::MAX) {
            Ok(bytes) => Ok(Some(Read { name: name.to_owned(), bytes, stamp })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Fetches the report of each of `shards` shards, each into a folder of its number in `folder`.
///
/// # Errors
/// If the store does not answer, or a file cannot be written.
pub fn fetch_states(objects: &dyn Objects, shards: usize, folder: &Path) -> Result<(), MirrorError> {
    let names: Vec<String> = (0..shards).map(|shard| format!("{shard}/{STATE_FILE}")).collect();
    fetch_files(objects, &names, folder)
}

/// Fetches all that `shards` shards have left, each into a folder of its number in `folder`.
///
/// # Errors
/// As [`fetch_states`].
pub fn fetch_all(objects: &dyn Objects, shards: usize, folder: &Path) -> Result<(), MirrorError> {
    for shard in 0..shards {
        let found = objects.list(&shard.to_string())?;
        let names: Vec<String> =
            found.iter().filter(|name| is_name(name)).map(|name| format!("{shard}/{name}")).collect();
        fetch_files(objects, &names, folder)?;
    }
    Ok(())
}

fn fetch_files(objects: &dyn Objects, names: &[String], folder: &Path) -> Result<(), MirrorError> {
    for names in names.chunks(AT_ONCE) {
        for (name, found) in names.iter().zip(objects.read_all(names)?) {
            let path = folder.join(name);
            let Some(found) = found else { continue };
            if mteb_files::read(&path, u64::MAX).is_ok_and(|here| here == found.bytes) {
                continue;
            }
            mteb_files::write(&path, &found.bytes).map_err(|source| MirrorError::Io { path, source })?;
        }
    }
    Ok(())
}

/// True if `name` is that of a file which a shard leaves: below its folder, and neither hidden nor temporary.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'))
}

/// True for the scores of a task, which rest on what lies beside them.
fn is_result(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    file.ends_with(".json")
        && name != STATE_FILE
        && file != "model_meta.json"
        && !name.split('/').any(|part| part == "predictions")
}

fn hash(bytes: &[u8]) -> Option<String> {
    mteb_files::sha256(bytes).ok()
}

fn parsed(state: &[u8]) -> Option<ShardState> {
    serde_json::from_slice(state).ok()
}

fn stamp(path: &Path) -> Option<Stamp> {
    let found = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some(Stamp { file: found.ino(), bytes: found.len(), modified: (found.mtime(), found.mtime_nsec()) })
}
