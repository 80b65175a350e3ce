//! SHA-256 of data files. One of a large file is remembered while the system says that the file is untouched.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use mteb_workers::settings::Roots;
use rayon::prelude::*;

use super::tables::stamp::{self, Stamp};

/// Bytes of the smallest file whose hash is remembered on the disk: a smaller one is hashed as fast.
const LEAST: u64 = 64 << 10;

/// Folder, in the hub's cache, of the files that are called as their hash.
const BLOBS: &str = "blobs";

/// The hashes of files. Those of this run are kept in memory.
#[derive(Debug, Default)]
pub struct FileHashes {
    /// Where hashes are remembered, if anywhere.
    folder: Option<PathBuf>,
    known: HashMap<PathBuf, (Stamp, String)>,
}

impl FileHashes {
    /// Hashes that are remembered below `root`, the folder of kept tables.
    pub fn below(root: &Path) -> Self {
        Self { folder: Some(root.join(stamp::STAMPS)), known: HashMap::new() }
    }

    /// Hashes that are remembered in the folder for what can be made again.
    pub fn of_cache(cache_dir: &Path) -> Self {
        Self::below(&Roots::below(cache_dir).tables)
    }

    /// Stamp and SHA-256, in hex digits, of the file at `path`.
    ///
    /// # Errors
    /// If it is no regular file, cannot be read, or changes meanwhile.
    pub fn of(&mut self, path: &Path) -> io::Result<(Stamp, String)> {
        let now = Stamp::of(&path.metadata()?);
        if let Some((stamp, hash)) = self.known.get(path)
            && *stamp == now
        {
            return Ok((stamp.clone(), hash.clone()));
        }
        let found = self.compute(path)?;
        self.known.insert(path.to_owned(), found.clone());
        Ok(found)
    }

    /// Hashes all `paths`, side by side.
    ///
    /// # Errors
    /// The first file that cannot be read.
    pub fn add(&mut self, paths: &[&Path]) -> Result<(), (PathBuf, io::Error)> {
        let is_new = |path: &&&Path| {
            let now = path.metadata().map(|found| Stamp::of(&found)).ok();
            self.known.get(**path).is_none_or(|(stamp, _)| Some(stamp) != now.as_ref())
        };
        let new: Vec<&Path> = paths.iter().filter(is_new).copied().collect();
        let found: Vec<(PathBuf, (Stamp, String))> = new
            .into_par_iter()
            .map(|path| match self.compute(path) {
                Ok(found) => Ok((path.to_owned(), found)),
                Err(error) => Err((path.to_owned(), error)),
            })
            .collect::<Result<_, _>>()?;
        self.known.extend(found);
        Ok(())
    }

    fn compute(&self, path: &Path) -> io::Result<(Stamp, String)> {
        let file = mteb_files::open(path)?;
        let stamp = Stamp::of(&file.metadata()?);
        let path = path.canonicalize()?;
        let hash = self.hash(&file, &path, &stamp)?;
        match blob_name(&path).filter(|name| !name.eq_ignore_ascii_case(&hash)) {
            None => Ok((stamp, hash)),
            Some(name) => Err(io::Error::other(format!(
                "expected the bytes whose SHA-256 is its name, {name}, found {hash}: the file was changed after it was \
                 fetched; remove it, and run again: {}",
                path.display()
            ))),
        }
    }

    /// The hash of the open `file` at `path`, which has no links in it.
    fn hash(&self, file: &File, path: &Path, stamp: &Stamp) -> io::Result<String> {
        let folder = self.folder.as_ref().filter(|_| stamp.size() >= LEAST);
        let name = stamp::file_name(path, "sha256");
        if let Some(hash) = folder.and_then(|folder| stamp::recall(&folder.join(&name), path, stamp)) {
            return Ok(hash);
        }
        let hash = mteb_files::sha256(file)?;
        if Stamp::of(&file.metadata()?) != *stamp {
            return Err(io::Error::other("the file changes while it is read"));
        }
        if let Some(folder) = folder.filter(|_| stamp.is_sure()) {
            // A hash that is not remembered is made again.
            let _ = stamp::keep(folder, &name, path, stamp, &hash);
        }
        Ok(hash)
    }
}

/// The hash that a file of the hub's cache is called by: that of a large file is the SHA-256 of its bytes.
fn blob_name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let is_blob = path.parent()?.file_name()? == BLOBS;
    let is_hash = name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_blob && is_hash).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_changed_file_has_another_hash_and_an_untouched_one_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pairs.csv");
        fs::write(&file, "abc").unwrap();
        let mut hashes = FileHashes::below(folder.path());
        let (_, first) = hashes.of(&file).unwrap();
        assert_eq!(first, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hashes.of(&file).unwrap().1, first);
        fs::write(&file, "abd").unwrap();
        hashes.add(&[&file]).unwrap();
        assert_ne!(hashes.of(&file).unwrap().1, first);
        assert!(hashes.of(folder.path()).is_err(), "a folder has none");
    }

    #[test]
    fn the_hash_of_a_large_file_is_remembered_once_its_time_is_sure() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("corpus.jsonl");
        fs::write(&file, vec![b'x'; LEAST as usize]).unwrap();
        let stamps = folder.path().join(stamp::STAMPS);
        FileHashes::below(folder.path()).of(&file).unwrap();
        assert!(!stamps.exists(), "it may change again without a new time");
        while !Stamp::of(&file.metadata().unwrap()).is_sure() {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        let (_, hash) = FileHashes::below(folder.path()).of(&file).unwrap();
        assert_eq!(fs::read_dir(&stamps).unwrap().count(), 1);
        assert_eq!(FileHashes::below(folder.path()).of(&file).unwrap().1, hash);
    }

    #[test]
    fn a_blob_of_the_hub_that_was_changed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let blob = folder.path().join(BLOBS).join(abc);
        fs::create_dir(folder.path().join(BLOBS)).unwrap();
        fs::write(&blob, "abc").unwrap();
        assert_eq!(FileHashes::default().of(&blob).unwrap().1, abc);
        fs::write(&blob, "abd").unwrap();
        let said = FileHashes::default().of(&blob).unwrap_err().to_string();
        assert!(
            said.starts_with(&format!("expected the bytes whose SHA-256 is its name, {abc}, found ")),
            "{said}"
        );
    }

    #[test]
    fn a_blob_of_the_hub_is_called_by_its_hash() {
        let hash = "0".repeat(64);
        assert_eq!(blob_name(Path::new(&format!("/hub/blobs/{hash}"))), Some(hash.clone()));
        assert_eq!(blob_name(Path::new(&format!("/hub/other/{hash}"))), None);
        assert_eq!(blob_name(Path::new(&format!("/hub/blobs/{}", &hash[..40]))), None, "git's own hash");
    }
}
