//! Hash of all that a folder with a model holds: weights, modules, settings, tokenizer. It stands for a revision where nobody gave one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::model_files::hash_of;

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
}
