//! The class of a Python file beside a card that evaluates a type or measures rankings, and the
//! files that it may read. They are hashed here and never run.

use std::collections::BTreeMap;
use std::io;
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

/// The key of a card, and of a measure in it, with the files that an evaluator reads beside its
/// own.
pub const FILES: &str = "evaluator_files";

/// What stands before the file of an evaluator.
const PYTHON: &str = "python:";

/// What is wrong with an evaluator, or with the files that it reads beside its own.
#[derive(Debug, thiserror::Error)]
pub enum EvaluatorFault {
    /// It does not name a class of a Python file.
    #[error("expected `python:FILE.py:Class`, found: {0}")]
    Form(String),
    /// The card lies in no folder.
    #[error("expected an evaluator in Python only for a card in a file of its own, found one in a pack")]
    InPack,
    /// There are too many files.
    #[error("expected at most {MOST_BESIDE} files, found {0}")]
    ManyFiles(usize),
    /// Its file is none.
    #[error(transparent)]
    File(#[from] FileFault),
    /// One of the files beside it is none.
    #[error("{fault}")]
    Beside {
        /// Which of them.
        number: usize,
        /// Why.
        #[source]
        fault: FileFault,
    },
}

/// Why a file is none of an evaluator.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// Its name leads out of the card's folder.
    #[error("expected a file in the card's folder or below, found: {0}")]
    Outside(String),
    /// It is a link that leads out of the card's folder.
    #[error("expected a file in the card's folder or below, found a link that leads out of it: {0}")]
    LinkOutside(String),
    /// It cannot be read.
    #[error("expected the file of the evaluator, found that it cannot be read: {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl EvaluatorFault {
    /// The fault of the table at `path`.
    pub fn at(&self, path: &[&str], locator: &Locator) -> Fault {
        let number = match self {
            Self::ManyFiles(_) => Some(MOST_BESIDE.to_string()),
            Self::Beside { number, .. } => Some(number.to_string()),
            Self::Form(_) | Self::InPack | Self::File(_) => None,
        };
        let key = match &number {
            Some(number) => vec![FILES, number.as_str()],
            None => vec!["evaluator"],
        };
        locator.fault(&[path, &key].concat(), self.to_string())
    }
}

/// The texts of a list; what is wrong with its form, the check of the form says.
pub fn names_of(files: Option<&Value>) -> Vec<String> {
    let names = files.and_then(Value::as_array).into_iter().flatten();
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// The class that `evaluator` names, of a file beside the card at `card`, which reads the files
/// `beside`.
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
        return Err(EvaluatorFault::Form(evaluator.to_owned()));
    };
    let Some(card) = card else {
        return Err(EvaluatorFault::InPack);
    };
    let folder = card.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (file, own_sha256) = hashed(folder, name, LARGEST)?;
    if beside.len() > MOST_BESIDE {
        return Err(EvaluatorFault::ManyFiles(beside.len()));
    }
    let mut files = BTreeMap::from([(name.to_owned(), own_sha256.clone())]);
    for (number, other) in beside.iter().enumerate() {
        let fault = |fault| EvaluatorFault::Beside { number, fault };
        let (_, sha256) = hashed(folder, other, LARGEST_BESIDE).map_err(fault)?;
        files.insert(other.clone(), sha256);
    }
    let sha256 = if files.len() == 1 { own_sha256 } else { sha256_of_all(&files) };
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    Ok(TypeEvaluator::Python { file, class: class.to_owned(), sha256, folder, files })
}

/// The file called `name` in the card's `folder` or below, and its SHA-256.
fn hashed(folder: &Path, name: &str, largest: u64) -> Result<(PathBuf, String), FileFault> {
    if Path::new(name).is_absolute() || name.split(['/', '\\']).any(|part| part == "..") {
        return Err(FileFault::Outside(name.to_owned()));
    }
    let place = folder.join(name);
    let cannot = |source| FileFault::Unreadable { path: place.clone(), source };
    let whole = place.canonicalize().map_err(cannot)?;
    if !folder.canonicalize().is_ok_and(|folder| whole.starts_with(folder)) {
        return Err(FileFault::LinkOutside(name.to_owned()));
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
