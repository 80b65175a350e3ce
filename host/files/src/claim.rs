//! A claim to something that several processes, on one machine or on many, change in turn. It needs no locks of the file system, which
//! Lustre and NFS may not have: only that a folder is renamed as a whole.
//!
//! A claim is a folder with one file in it. Whoever wants it makes such a folder under a name of its own and renames it to the name of
//! the claim, which fails as long as a folder with something in it has that name. The file is named by its owner, so that its end is
//! seen at once on the same machine; it shows a sign of life every second, so that its silence is seen from any other by that one's own
//! watch, whatever the clocks say. To take over is to remove the file: the folder is empty then, and the next one is renamed in its place.
//!
//! The file is also what the holder writes into, and gives its final name at the end. So whoever was stopped and lost the claim meanwhile
//! cannot write any more, at whatever moment it goes on: the file that it would rename is gone.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::beat::Beat;
use crate::digest::hex;
use crate::leftover::Form;
use crate::owner::Owner;

/// Whoever shows no sign of life for so long has lost its claim.
const SILENCE: Duration = Duration::from_secs(10);

/// Seconds after which nobody waits any more.
const LONG_AGO: i64 = 24 * 60 * 60;

/// How often in a row a claim that was just let go may be taken by somebody else.
const TRIES: usize = 16;

/// Between two looks at a holder of whom nothing is known.
const LOOK: Duration = Duration::from_millis(100);

/// Bytes of the longest name of a file whose claim has that name in its own.
const LONGEST_NAME: usize = 200;

/// Begin of the names that NFS gives to removed files which somebody still has open.
const REMOVED_BUT_OPEN: &str = ".nfs";

/// One who wants a claim.
#[derive(Debug)]
pub struct Claimant {
    place: PathBuf,
    silence: Duration,
    ready: Option<Ready>,
    watched: Option<Watched>,
    has_outlasted: bool,
}

/// What was seen of the one who holds a claim.
#[derive(Debug)]
struct Watched {
    name: OsString,
    state: State,
    /// When it was first seen so.
    since: Instant,
    /// True if it has changed since it was first seen.
    is_alive: bool,
}

/// Time and size of a file: what changes with every sign of life.
type State = (i64, i64, u64);

/// What came of an attempt.
#[derive(Debug)]
pub enum Attempt {
    /// The claim is this process's.
    Taken(Claim),
    /// Somebody else's.
    Held(Holder),
    /// This file system, or who owns what is there, does not let it be claimed.
    Refused(io::Error),
}

/// Who holds a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    name: OsString,
    owner: Option<Owner>,
    /// True if it has shown a sign of life since it was first looked at.
    pub is_alive: bool,
}

/// A claim, which ends when this is dropped.
#[derive(Debug)]
pub struct Claim {
    place: PathBuf,
    path: PathBuf,
    file: Arc<File>,
    beat: Option<Beat>,
    /// True if it was taken from one that is silent and has perhaps not ended.
    pub has_outlasted: bool,
}

/// A folder that can become the claim.
#[derive(Debug)]
struct Ready {
    folder: TempDir,
    name: String,
    file: File,
}

impl Claimant {
    /// One who wants the claim at `place`, in a folder that is there.
    pub fn new(place: PathBuf) -> Self {
        Self::patient(place, SILENCE)
    }

    /// One who wants the claim of the file at `path`.
    pub fn of_file(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default();
        Self::new(path.with_file_name(claim_of(name)))
    }

    /// The same as [`Self::new`]; who shows no sign of life for `silence` has lost it.
    pub fn patient(place: PathBuf, silence: Duration) -> Self {
        Self { place, silence, ready: None, watched: None, has_outlasted: false }
    }

    /// Tries until the claim is this process's, or its holder is known to be alive: a process of this machine, or one that shows a sign
    /// of life.
    ///
    /// # Errors
    /// As [`Self::attempt`].
    pub fn attempt_until_sure(&mut self) -> io::Result<Attempt> {
        loop {
            match self.attempt()? {
                Attempt::Held(holder) if holder.process_here().is_none() && !holder.is_alive => {
                    std::thread::sleep(LOOK);
                }
                sure => return Ok(sure),
            }
        }
    }

    /// Tries once. Whoever is refused, or finds another, may try again after a while.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn attempt(&mut self) -> io::Result<Attempt> {
        for _ in 0..TRIES {
            let ready = match self.ready.take() {
                Some(ready) => ready,
                None => match Ready::beside(&self.place) {
                    // Somebody has cleaned it away before anything was in it.
                    Err(error) if error.kind() == ErrorKind::NotFound && self.is_in_a_folder() => continue,
                    ready => ready?,
                },
            };
            match fs::rename(ready.folder.path(), &self.place) {
                Ok(()) => return Ok(Attempt::Taken(ready.taken(&self.place, self.has_outlasted))),
                // Somebody has cleaned away what was ready, or all that is there.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) if is_taken(&error) => self.ready = Some(ready),
                Err(error) => return Ok(Attempt::Refused(error)),
            }
            match self.look() {
                Ok(None) => {}
                Ok(Some(holder)) => return Ok(Attempt::Held(holder)),
                Err(error) => return Ok(Attempt::Refused(error)),
            }
        }
        Ok(Attempt::Held(Holder { name: OsString::new(), owner: None, is_alive: true }))
    }

    /// Who holds the claim; nobody once what a dead or silent one has left is gone.
    fn look(&mut self) -> io::Result<Option<Holder>> {
        let entries = match fs::read_dir(&self.place) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            entries => entries?,
        };
        let mut names = entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
        let is_removed = |name: &OsStr| name.to_string_lossy().starts_with(REMOVED_BUT_OPEN);
        if !names.is_empty() && names.iter().all(|name| is_removed(name)) {
            self.move_away()?;
            return Ok(None);
        }
        names.retain(|name| !is_removed(name));
        let Some(name) = names.into_iter().min() else {
            // Some file systems put no folder in the place of an empty one.
            let _ = fs::remove_dir(&self.place);
            return Ok(None);
        };
        let path = self.place.join(&name);
        let owner = name.to_str().and_then(Owner::parse);
        let is_gone = owner.as_ref().is_some_and(Owner::is_gone);
        let silence = self.silence;
        let watched = self.watch(&name, &path);
        // What is named otherwise is not ours, and nobody removes it.
        if is_gone || (owner.is_some() && watched.since.elapsed() >= silence) {
            remove(&path)?;
            self.has_outlasted |= !is_gone;
            return Ok(None);
        }
        let is_alive = watched.is_alive;
        Ok(Some(Holder { name, owner, is_alive }))
    }

    /// Looks at the file of who holds the claim.
    fn watch(&mut self, name: &OsStr, path: &Path) -> &Watched {
        let (state, since) = (state(path), Instant::now());
        let next = match self.watched.take() {
            Some(watched) if watched.name == name && watched.state == state => watched,
            Some(watched) if watched.name == name => Watched { state, since, is_alive: true, ..watched },
            _ => Watched { name: name.to_owned(), state, since, is_alive: false },
        };
        self.watched.insert(next)
    }

    fn is_in_a_folder(&self) -> bool {
        self.place.parent().unwrap_or(Path::new(".")).is_dir()
    }

    /// Takes away a folder in which nothing is but what NFS keeps for those who still have it open. If somebody has claimed it this very
    /// moment, that one notices it and claims it again.
    fn move_away(&self) -> io::Result<()> {
        let folder = self.place.parent().unwrap_or(Path::new("."));
        let away = Form::CLAIM.builder().tempdir_in(folder)?.keep();
        fs::rename(&self.place, away)
    }
}

impl Ready {
    fn beside(place: &Path) -> io::Result<Self> {
        let around = place.parent().unwrap_or(Path::new("."));
        let folder = Form::CLAIM.builder().tempdir_in(around)?;
        // Who may write there may take over here, too.
        let mode = around.metadata()?.mode() & 0o1777;
        if mode & 0o022 != 0 {
            fs::set_permissions(folder.path(), Permissions::from_mode(mode | 0o700))?;
        }
        let work = folder.path().file_name().unwrap_or_default().to_string_lossy();
        let name = Owner::this(Form::CLAIM.random_of(&work)).to_string();
        let file =
            OpenOptions::new().write(true).create_new(true).mode(0o600).open(folder.path().join(&name))?;
        Ok(Self { folder, name, file })
    }

    fn taken(self, place: &Path, has_outlasted: bool) -> Claim {
        // Its name is not there any more.
        let _ = self.folder.keep();
        let file = Arc::new(self.file);
        let beat = Some(Beat::of(Arc::clone(&file)));
        Claim { place: place.to_owned(), path: place.join(self.name), file, beat, has_outlasted }
    }
}

impl Claim {
    /// True if nobody has taken it over.
    pub fn is_held(&self) -> bool {
        self.path.symlink_metadata().is_ok()
    }

    /// Checks that nobody has taken it over.
    ///
    /// # Errors
    /// [`ErrorKind::StaleNetworkFileHandle`] if somebody has.
    pub fn check(&self) -> io::Result<()> {
        if self.is_held() { Ok(()) } else { Err(lost()) }
    }

    /// The file of the claim, which becomes another by [`Self::commit`].
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Gives the file of the claim the name `path`, and the permissions `mode`, and ends the claim.
    ///
    /// # Errors
    /// [`ErrorKind::StaleNetworkFileHandle`] if somebody has taken it over; nothing was changed then.
    pub fn commit(mut self, path: &Path, mode: u32) -> io::Result<()> {
        self.beat = None;
        self.file.set_permissions(Permissions::from_mode(mode))?;
        fs::rename(&self.path, path).map_err(|error| {
            let is_lost = error.kind() == ErrorKind::NotFound && path.parent().is_none_or(Path::exists);
            if is_lost { lost() } else { error }
        })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Both fail where somebody has taken it over, and leave what is that one's.
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_dir(&self.place);
    }
}

impl Holder {
    /// The process, if it is one of this machine.
    pub fn process_here(&self) -> Option<u32> {
        self.owner.as_ref()?.process_here()
    }

    /// True if `other` is the same claim of the same one.
    pub fn is(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// True if `error` is what a holder is told that has lost its claim: it may claim it again, look anew and do its work once more.
pub fn is_lost(error: &io::Error) -> bool {
    error.kind() == ErrorKind::StaleNetworkFileHandle
}

fn lost() -> io::Error {
    let message = "another process has taken over the lock of this one, which showed no sign of life for a \
                   while; nothing was written";
    io::Error::new(ErrorKind::StaleNetworkFileHandle, message)
}

/// Name of the claim of a file.
fn claim_of(name: &OsStr) -> OsString {
    let short = if name.len() > LONGEST_NAME {
        hex(&Sha256::digest(name.as_encoded_bytes())).into()
    } else {
        name.to_owned()
    };
    let mut claim = OsString::from(".");
    claim.push(short);
    claim.push(".mteb-host-claim");
    claim
}

/// True if a rename failed because a folder with something in it has the name.
fn is_taken(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists | ErrorKind::ResourceBusy)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn state(path: &Path) -> State {
    // A file server is asked anew when a file is opened, not when it is only looked at.
    let found = File::open(path).and_then(|file| file.metadata()).or_else(|_| path.symlink_metadata());
    found.map_or((0, 0, 0), |found| (found.mtime(), found.mtime_nsec(), found.len()))
}

/// Removes what those that waited for a claim in `folder` have left there when they were killed. `claim` is of the same file system,
/// whose clock says what is old.
pub fn remove_unclaimed(folder: &Path, claim: &Claim) {
    let now = claim.file.metadata().map_or(0, |found| found.mtime());
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if !path.file_name().is_some_and(|name| Form::CLAIM.fits(name)) {
            continue;
        }
        for name in fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.file_name()) {
            let (file, owner) = (path.join(&name), name.to_str().and_then(Owner::parse));
            let is_left = |owner: Owner| owner.is_gone() || state(&file).0.saturating_add(LONG_AGO) < now;
            if owner.is_some_and(is_left) {
                let _ = fs::remove_file(&file);
            }
        }
        // Only if nothing is in it.
        let _ = fs::remove_dir(&path);
    }
}
