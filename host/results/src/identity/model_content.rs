//! Hash of all that a folder with a model holds, which stands for a revision where nobody gave one;
//! and hash of the small files beside a model's weights: tokenizer, pooling, prompts. The weights'
//! own hash does not cover them, and in a local folder they change without a new revision.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Endings of files that tell people something, and a model nothing.
const FOR_PEOPLE: [&str; 12] =
    ["md", "rst", "csv", "tsv", "log", "png", "jpg", "jpeg", "svg", "gif", "pdf", "lock"];

/// What training leaves beside a model, of which nothing is read to run it.
const OF_TRAINING: [&str; 6] = [
    "optimizer.pt",
    "scheduler.pt",
    "scaler.pt",
    "training_args.bin",
    "trainer_state.json",
    "eval_results.json",
];

/// Folders below the model's own that are looked through.
const DEPTH: usize = 4;

/// Hexadecimal digits of the hash.
const DIGITS: usize = 16;

/// The hash over names and contents of the files in `folder` that may change a number, as `content-` and digits.
///
/// # Errors
/// If a file cannot be read.
pub fn revision(folder: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    collect(folder, DEPTH, &mut files)?;
    Ok(format!("content-{}", &hash_of(folder, files)?.to_hex()[..DIGITS]))
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            if depth > 0 && !is_of_people(&name) {
                collect(&path, depth - 1, files)?;
            }
        } else if !is_for_people(&name) {
            files.push(path);
        }
    }
    Ok(())
}

/// True for a folder that no model is read from: a hidden one, byte code, and a state of the training.
fn is_of_people(name: &str) -> bool {
    let is_state = name.strip_prefix("checkpoint-").is_some_and(|step| step.parse::<u64>().is_ok());
    name.starts_with('.') || name == "__pycache__" || is_state
}

fn is_for_people(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
    let is_known = ending.is_some_and(|ending| FOR_PEOPLE.contains(&ending.as_str()));
    let is_of_training = OF_TRAINING.contains(&name) || name.starts_with("rng_state");
    name.starts_with('.') || is_known || is_of_training || ["LICENSE", "LICENCE", "NOTICE"].contains(&name)
}

/// Endings of files that tell a model what to do.
const ENDINGS: [&str; 10] =
    ["json", "txt", "model", "tiktoken", "vocab", "jinja", "yaml", "yml", "toml", "py"];

/// Folders below the model's own that are looked through.
const SMALL_DEPTH: usize = 3;

/// Hash over names and contents, in hexadecimal digits.
///
/// # Errors
/// If a file cannot be read.
pub fn hash_small_files(folder: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    collect_small(folder, SMALL_DEPTH, &mut files)?;
    Ok(hash_of(folder, files)?.to_hex().to_string())
}

/// Hash over the names of `files`, from `folder` on, and their contents, whatever their order.
///
/// # Errors
/// If a file cannot be read.
fn hash_of(folder: &Path, mut files: Vec<PathBuf>) -> io::Result<blake3::Hash> {
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

fn collect_small(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let known = path.extension().and_then(|ending| ending.to_str());
        if hidden {
            continue;
        } else if path.is_dir() {
            if depth > 0 {
                collect_small(&path, depth - 1, files)?;
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
    fn whatever_may_change_a_number_changes_the_revision() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let found = || revision(folder.path()).unwrap();
        write("config.json", "{}");
        for name in [
            "model.safetensors",
            "1_Pooling/config.json",
            "query_0_Transformer/spiece.model",
            "vocab",
            "modeling.py",
            "laser2.pt",
        ] {
            let before = found();
            write(name, "a");
            let with = found();
            write(name, "b");
            assert!(before != with && with != found(), "{name}");
        }
        let before = found();
        assert!(before.starts_with("content-") && before.len() == 8 + DIGITS, "{before}");
        for name in [
            "README.md",
            ".gitattributes",
            ".git/config",
            "LICENSE",
            "eval/results.csv",
            "optimizer.pt",
            "rng_state_0.pth",
            "checkpoint-500/model.safetensors",
        ] {
            write(name, "a");
            assert_eq!(before, found(), "{name}");
        }
    }

    #[test]
    fn a_changed_setting_changes_the_hash_and_a_changed_readme_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        fs::create_dir(folder.path().join("1_Pooling")).unwrap();
        write("1_Pooling/config.json", "mean");
        write("README.md", "a");
        let before = hash_small_files(folder.path()).unwrap();
        write("README.md", "b");
        assert_eq!(hash_small_files(folder.path()).unwrap(), before);
        write("1_Pooling/config.json", "cls");
        assert_ne!(hash_small_files(folder.path()).unwrap(), before);
    }
}
