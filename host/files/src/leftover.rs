//! Names and marks of temporary files and folders that only this program gives, so that what a killed run has left can be told from
//! what is the user's own.

use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use tempfile::Builder;

/// Letters and digits that chance puts behind the begin of a name.
const RANDOM: usize = 16;

/// Seconds.
const A_DAY: i64 = 24 * 60 * 60;

/// The permissions of a file while it is being written. The sticky bit means nothing for a file and nobody sets it, so it is the mark
/// by which such a file is known as ours, whatever of it is written; it goes just before the file gets its name.
const WRITING: u32 = 0o1600;

/// The names that begin so and end with 16 letters and digits.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    begin: &'static str,
    /// True if a file is ours by its mark too: where it lies, users have files of their own.
    has_mark: bool,
}

impl Form {
    /// Files that are being written, beside the file that they will be.
    pub const WRITING: Self = Self { begin: ".mteb-host-write-", has_mark: true };
    /// Files that are being written into a cache.
    pub const CACHING: Self = Self { begin: ".mteb-host-cache-", has_mark: false };
    /// Folders for the temporary files of workers.
    pub const WORKER: Self = Self { begin: "mteb-host-worker-", has_mark: false };

    /// Folders that are to become the claim of a folder.
    pub const CLAIM: Self = Self { begin: ".mteb-host-claim-", has_mark: false };

    /// Makes files and folders with a name of this form.
    pub fn builder(self) -> Builder<'static, 'static> {
        let mut builder = Builder::new();
        builder.prefix(self.begin).rand_bytes(RANDOM);
        builder
    }

    /// What chance has chosen of a name of this form.
    pub(crate) fn random_of(self, name: &str) -> &str {
        name.strip_prefix(self.begin).unwrap_or(name)
    }

    /// True if `name` is of this form.
    pub fn fits(self, name: &OsStr) -> bool {
        let end = name.to_str().and_then(|name| name.strip_prefix(self.begin));
        end.is_some_and(|end| end.len() == RANDOM && end.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    }

    /// The file or folder at `path`, open, if its name is of this form, it belongs to the user and has the mark that the form asks for.
    /// A link is none, nor is a device.
    pub fn ours(self, path: &Path) -> Option<File> {
        let file = self.fits(path.file_name()?).then(|| open(path).ok())??;
        let found = file.metadata().ok()?;
        let is_ours = found.uid() == rustix::process::geteuid().as_raw();
        let is_kept = is_ours && (found.is_file() || found.is_dir()) && (!self.has_mark || is_marked(&found));
        is_kept.then_some(file)
    }

    /// The same, locked, if it is in nobody's use. Where the file system has no locks, a file counts as left a day after it was last
    /// written, and a folder never.
    pub fn left(self, path: &Path) -> Option<File> {
        let file = self.ours(path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Some(file),
            Err(Errno::WOULDBLOCK) => None,
            Err(_) => is_old(path, &file).then_some(file),
        }
    }
}

/// True if the folder around a file has changed a day after the file, by the clock of their own file system.
fn is_old(path: &Path, file: &File) -> bool {
    let changed =
        |found: io::Result<Metadata>| found.ok().filter(|found| !found.is_dir()).map(|found| found.mtime());
    let around = path.parent().and_then(|folder| folder.metadata().ok()).map(|found| found.mtime());
    let own = changed(file.metadata());
    own.zip(around).is_some_and(|(own, around)| around.saturating_sub(own) > A_DAY)
}

/// The permissions that mark a file as one that is being written.
pub(crate) fn mark() -> Permissions {
    Permissions::from_mode(WRITING)
}

/// True if a file is marked as one that was being written; one without a byte has nothing that could be lost.
fn is_marked(found: &Metadata) -> bool {
    found.is_file() && (found.mode() & 0o7777 == WRITING || found.len() == 0)
}

/// Opens what is there, but waits for nobody and follows no link.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW;
    OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_of_the_form_fits() {
        let fits = |name: &str| Form::WRITING.fits(OsStr::new(name));
        assert!(fits(".mteb-host-write-0123456789abcdEF"));
        for other in
            [".write-left", ".mteb-host-write-", ".mteb-host-write-notes", "mteb-host-write-0123456789abcdEF"]
        {
            assert!(!fits(other), "{other}");
        }
    }

    #[test]
    fn what_is_in_use_is_not_left_and_neither_is_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let file = Form::WRITING.builder().tempfile_in(folder.path()).unwrap();
        let in_use = Form::WRITING.left(file.path()).unwrap();
        assert!(Form::WRITING.left(file.path()).is_none());
        drop(in_use);
        assert!(Form::WRITING.left(file.path()).is_some());
        assert!(!is_old(file.path(), file.as_file()), "who writes it without a lock is at work");
        let link = folder.path().join(".mteb-host-write-0123456789abcdEF");
        std::os::unix::fs::symlink(file.path(), &link).unwrap();
        assert!(Form::WRITING.left(&link).is_none());
    }
}
