//! Hash of the small files beside a model's weights: tokenizer, pooling, prompts. The weights' own hash does not
//! cover them, and in a local folder they change without a new revision.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Endings of files that tell a model what to do.
const ENDINGS: [&str; 10] =
    ["json", "txt", "model", "tiktoken", "vocab", "jinja", "yaml", "yml", "toml", "py"];

/// Folders below the model's own that are looked through.
const DEPTH: usize = 3;

/// Hash over names and contents, in hexadecimal digits.
///
/// # Errors
/// If a file cannot be read.
pub fn hash(folder: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    collect(folder, DEPTH, &mut files)?;
    Ok(hash_of(folder, files)?.to_hex().to_string())
}

/// Hash over the names of `files`, from `folder` on, and their contents, whatever their order.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn hash_of(folder: &Path, mut files: Vec<PathBuf>) -> io::Result<blake3::Hash> {
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let name = file.strip_prefix(folder).unwrap_or(&file).as_os_str().as_encoded_bytes();
        hasher.update(&(name.len() as u64).to_le_bytes()).update(name);
        let mut content = blake3::Hasher::new();
        content.update_reader(mteb_files::open(&file)?)?;
        hasher.update(content.finalize().as_bytes());
    }
    Ok(hasher.finalize())
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let known = path.extension().and_then(|ending| ending.to_str());
        if hidden {
            continue;
        } else if path.is_dir() {
            if depth > 0 {
                collect(&path, depth - 1, files)?;
            }
        } else if known.is_some_and(|ending| ENDINGS.contains(&ending)) {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_setting_changes_the_hash_and_a_changed_readme_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        fs::create_dir(folder.path().join("1_Pooling")).unwrap();
        write("1_Pooling/config.json", "mean");
        write("README.md", "a");
        let before = hash(folder.path()).unwrap();
        write("README.md", "b");
        assert_eq!(hash(folder.path()).unwrap(), before);
        write("1_Pooling/config.json", "cls");
        assert_ne!(hash(folder.path()).unwrap(), before);
    }
}
