//! The class of a Python file beside a card that evaluates a type or measures rankings, and the files that it may read. They are hashed here
//! and never run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mteb_card::TypeEvaluator;
use mteb_files::hex;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{Fault, Locator};

/// Largest evaluator in bytes, largest file that it reads beside, and most of these.
const LARGEST: u64 = 8 << 20;
const LARGEST_BESIDE: u64 = 256 << 20;
const MOST_BESIDE: usize = 100;

/// The key of a card, and of a measure in it, with the files that an evaluator reads beside its own.
pub const FILES: &str = "evaluator_files";

/// What stands before the file of an evaluator.
const PYTHON: &str = "python:";

/// What is wrong with an evaluator, or with one of the files that it reads beside its own.
pub struct EvaluatorFault {
    message: String,
    /// Which of these files.
    file: Option<usize>,
}

impl EvaluatorFault {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), file: None }
    }

    /// The fault of the table at `path`.
    pub fn at(self, path: &[&str], locator: &Locator) -> Fault {
        let number = self.file.map(|file| file.to_string());
        let key = match &number {
            Some(number) => vec![FILES, number.as_str()],
            None => vec!["evaluator"],
        };
        locator.fault(&[path, &key].concat(), self.message)
    }
}

/// The texts of a list; what is wrong with its form, the check of the form says.
pub fn names_of(files: Option<&Value>) -> Vec<String> {
    let names = files.and_then(Value::as_array).into_iter().flatten();
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// The class that `evaluator` names, of a file beside the card at `card`, which reads the files `beside`.
pub fn python_evaluator(
    evaluator: &str,
    beside: &[String],
    card: Option<&Path>,
) -> Result<TypeEvaluator, EvaluatorFault> {
    let named = evaluator.strip_prefix(PYTHON).and_then(|rest| rest.rsplit_once(':'));
    let is_class = |class: &str| {
        class.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
            && class.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    let named = named.filter(|(file, class)| file.ends_with(".py") && is_class(class));
    let Some((name, class)) = named else {
        return Err(EvaluatorFault::new(format!("expected `python:FILE.py:Class`, found: {evaluator}")));
    };
    let Some(card) = card else {
        return Err(EvaluatorFault::new(
            "expected an evaluator in Python only for a card in a file of its own, found one in a pack",
        ));
    };
    let folder = card.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (file, own_sha256) = hashed(folder, name, LARGEST).map_err(EvaluatorFault::new)?;
    if beside.len() > MOST_BESIDE {
        let message = format!("expected at most {MOST_BESIDE} files, found {}", beside.len());
        return Err(EvaluatorFault { message, file: Some(MOST_BESIDE) });
    }
    let mut files = BTreeMap::from([(name.to_owned(), own_sha256.clone())]);
    for (number, other) in beside.iter().enumerate() {
        let fault = |message| EvaluatorFault { message, file: Some(number) };
        let (_, sha256) = hashed(folder, other, LARGEST_BESIDE).map_err(fault)?;
        files.insert(other.clone(), sha256);
    }
    let sha256 = if files.len() == 1 { own_sha256 } else { sha256_of_all(&files) };
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    Ok(TypeEvaluator::Python { file, class: class.to_owned(), sha256, folder, files })
}

/// The file called `name` in the card's `folder` or below, and its SHA-256.
fn hashed(folder: &Path, name: &str, largest: u64) -> Result<(PathBuf, String), String> {
    if Path::new(name).is_absolute() || name.split(['/', '\\']).any(|part| part == "..") {
        return Err(format!("expected a file in the card's folder or below, found: {name}"));
    }
    let place = folder.join(name);
    let cannot = |error: std::io::Error| {
        format!(
            "expected the file of the evaluator, found that it cannot be read: {}: {error}",
            place.display()
        )
    };
    let whole = place.canonicalize().map_err(cannot)?;
    if !folder.canonicalize().is_ok_and(|folder| whole.starts_with(folder)) {
        return Err(format!(
            "expected a file in the card's folder or below, found a link that leads out of it: {name}"
        ));
    }
    let bytes = mteb_files::read(&whole, largest).map_err(cannot)?;
    Ok((whole, hex(&Sha256::digest(&bytes))))
}

/// One hash of the names and hashes of all files.
fn sha256_of_all(files: &BTreeMap<String, String>) -> String {
    let mut hasher = Sha256::new();
    for (name, sha256) in files {
        hasher.update(format!("{}\0{name}\0{sha256}\0", name.len()));
    }
    hex(&hasher.finalize())
}
