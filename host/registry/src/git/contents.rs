//! The files of a commit, checked and written as they are: no filter, no hook and no attribute of the repository is used.

use std::collections::HashSet;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path};

use mteb_base::byte_size::ByteSize;
use mteb_files::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::address::Why;
use super::program::{Git, TreeEntry};

/// Modes of git: links, and repositories within a repository.
const LINK: &str = "120000";
const SUBMODULE: &str = "160000";

/// Most files of a registry.
const MOST_FILES: usize = 100_000;

/// Most bytes of all files together.
const MOST_BYTES: u64 = 4 << 30;

/// Writes all files of `commit` into `tree`, to be read alone, and gives what was written, sorted.
///
/// # Errors
/// If the commit has a submodule, a link that leaves it, or a path or a size that is refused, or cannot be written.
pub fn write_files(git: &Git, commit: &str, tree: &Path) -> Result<Vec<KeptFile>, Why> {
    let entries = git.files_of(commit)?;
    check_entries(&entries)?;
    let (links, files): (Vec<&TreeEntry>, Vec<&TreeEntry>) =
        entries.iter().partition(|entry| entry.mode == LINK);
    let write = || -> io::Result<Vec<KeptFile>> {
        let mut contents = git.contents()?;
        fs::create_dir_all(tree)?;
        let mut kept = Vec::new();
        for entry in files {
            let content = contents.read(&entry.object, entry.size.unwrap_or_default())?;
            let path = tree.join(&entry.path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&path, &content)?;
            fs::set_permissions(&path, Permissions::from_mode(0o444))?;
            kept.push(KeptFile::new(&entry.path, content.len() as u64, hex(&Sha256::digest(&content))));
        }
        // After all files, so that nothing is written through one.
        for entry in links {
            let target = contents.read(&entry.object, entry.size.unwrap_or_default())?;
            let target = String::from_utf8_lossy(&target).into_owned();
            let path = tree.join(&entry.path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            symlink(&target, &path)?;
            kept.push(KeptFile::link(&entry.path, target));
        }
        kept.sort_by(|left, right| left.path.cmp(&right.path));
        Ok(kept)
    };
    let kept = write().map_err(|error| format!("cannot write the commit into the cache: {error}"))?;
    check_links(tree, &kept)?;
    Ok(kept)
}

/// Refuses submodules, paths that lead out, and what is too large.
pub fn check_entries(entries: &[TreeEntry]) -> Result<(), Why> {
    if let Some(submodule) = entries.iter().find(|entry| entry.mode == SUBMODULE) {
        return Err(format!("expected a commit without submodules, found one: {}", submodule.path));
    }
    if let Some(odd) = entries.iter().find(|entry| !is_plain(&entry.path)) {
        let shown = mteb_files::visible_line(&odd.path);
        return Err(format!("expected paths below the folder of the repository, found: {shown}"));
    }
    let mut paths = HashSet::new();
    if let Some(twice) = entries.iter().find(|entry| !paths.insert(entry.path.as_str())) {
        return Err(format!("expected each path once in the commit, found twice: {}", twice.path));
    }
    let bytes: u64 = entries.iter().filter_map(|entry| entry.size).sum();
    if entries.len() > MOST_FILES || bytes > MOST_BYTES {
        return Err(format!(
            "expected at most {MOST_FILES} files of {} together in the commit, found {} of {}",
            ByteSize(MOST_BYTES),
            entries.len(),
            ByteSize(bytes)
        ));
    }
    Ok(())
}

fn is_plain(path: &str) -> bool {
    let is_name = |part: Component| match part {
        Component::Normal(name) => !name.eq_ignore_ascii_case(".git"),
        _ => false,
    };
    !path.is_empty() && !path.contains(['\\', '\0']) && Path::new(path).components().all(is_name)
}

/// Refuses links that lead nowhere or out of the commit.
fn check_links(tree: &Path, kept: &[KeptFile]) -> Result<(), Why> {
    let root = tree.canonicalize().map_err(|error| format!("cannot read the cached commit: {error}"))?;
    for link in kept.iter().filter(|file| file.target.is_some()) {
        let target = link.target.as_deref().unwrap_or_default();
        let leads = tree.join(&link.path).canonicalize();
        if Path::new(target).is_absolute() || !leads.is_ok_and(|found| found.starts_with(&root)) {
            return Err(format!(
                "expected links that lead to files of the commit, found {} -> {}",
                link.path,
                mteb_files::visible_line(target)
            ));
        }
    }
    Ok(())
}

/// Larger files are compared by their size alone: their content is data, whose hash stands in results.
const HASHED: u64 = 1 << 20;

/// One file of a commit.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct KeptFile {
    /// Path from the folder of the repository.
    pub path: String,
    size: u64,
    sha256: String,
    /// Where it leads, if it is a link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

impl KeptFile {
    /// A file of `size` bytes.
    pub fn new(path: &str, size: u64, sha256: String) -> Self {
        Self { path: path.to_owned(), size, sha256, target: None }
    }

    /// A link to `target`.
    pub fn link(path: &str, target: String) -> Self {
        Self { target: Some(target), ..Self::new(path, 0, String::new()) }
    }

    /// True if the file below `tree` is as it was written.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_unchanged(&self, tree: &Path) -> io::Result<bool> {
        let path = tree.join(&self.path);
        if let Some(target) = &self.target {
            return Ok(fs::read_link(&path)? == Path::new(target));
        }
        let found = fs::symlink_metadata(&path)?;
        if !found.is_file() || found.len() != self.size {
            return Ok(false);
        }
        Ok(self.size > HASHED || mteb_files::sha256(mteb_files::open(&path)?)? == self.sha256)
    }
}
