//! Declares the task types and measures of cards for the whole process, and then checks these
//! cards. The Python files beside a card that evaluate a type or measure rankings, and the files
//! that these may read, are hashed here and never run.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use mteb_card::{MeasureDeclaration, TypeDeclaration, TypeEvaluator, declare_measure, declare_type};
use mteb_files::hex;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::checking::form::{Kind, parse_value, value_faults};
use crate::reading::text::Text;
use crate::{Fault, Locator};

/// Declares the task type and the measures of the card `text`, which its form may name, then checks
/// it; everything that is wrong with either.
pub fn declare_and_check(text: &Text) -> Vec<Fault> {
    let locator = Locator::new(&text.file, text.text());
    let value = match parse_value(text, &locator) {
        Ok(value) => value,
        Err(faults) => return faults,
    };
    let mut faults = declare_own_type(&value, text, &locator);
    faults.extend(declare_own_measures(&value, text, &locator));
    if faults.is_empty() { value_faults(&value, text, Kind::Card, &locator) } else { faults }
}

/// Declares the type of the card whose content is `root`, if the card declares one whose form is
/// sound; what keeps it from that.
fn declare_own_type(root: &Value, text: &Text, locator: &Locator) -> Vec<Fault> {
    let (evaluator, declared) = match (root.get("evaluator"), root.get("task_type")) {
        (None, None) if root.get(FILES).is_some() => {
            let message =
                "expected `evaluator = \"python:FILE.py:Class\"` beside `evaluator_files`, found none";
            return vec![locator.fault(&[FILES], message)];
        }
        (None, None) => return Vec::new(),
        (Some(_), None) => {
            let message = "expected `[task_type]` beside `evaluator`, with the columns and scores of the type, found none";
            return vec![locator.fault(&["evaluator"], message)];
        }
        (None, Some(_)) => {
            let message = "expected `evaluator = \"python:FILE.py:Class\"` beside `[task_type]`, found none";
            return vec![locator.fault(&["task_type"], message)];
        }
        (Some(evaluator), Some(declared)) => (evaluator, declared),
    };
    let Some(evaluator) = evaluator.as_str() else { return Vec::new() };
    // What is wrong with its form, the check of the form says.
    let Ok(declaration) = serde_json::from_value::<TypeDeclaration>(declared.clone()) else {
        return Vec::new();
    };
    let Some(name) = root.get("type").and_then(Value::as_str) else { return Vec::new() };
    let faults: Vec<Fault> = declaration
        .faults()
        .into_iter()
        .map(|(path, message)| {
            let path: Vec<&str> = ["task_type"].into_iter().chain(path.iter().map(String::as_str)).collect();
            locator.fault(&path, message)
        })
        .collect();
    if !faults.is_empty() {
        return faults;
    }
    let file = match python_evaluator(evaluator, &names_of(root.get(FILES)), text.path.as_deref()) {
        Ok(file) => file,
        Err(fault) => return vec![fault.at(&[], locator)],
    };
    let declared = declare_type(name, declaration, file);
    declared.err().map(|error| locator.fault(&["type"], error.to_string())).into_iter().collect()
}

/// What stands before the names of measures of cards, and the key of the table that declares them.
const DECLARED: &str = "python";

const TABLE: &str = "measures";

/// Declares the measures of the card whose content is `root`, as far as their form is sound; what
/// keeps it from that.
fn declare_own_measures(root: &Value, text: &Text, locator: &Locator) -> Vec<Fault> {
    let measures = root.get(TABLE).and_then(Value::as_object).into_iter().flatten();
    let mut faults = Vec::new();
    for (name, declared) in measures {
        // What is wrong with its form, the check of the form says.
        let Ok(declaration) = serde_json::from_value::<MeasureDeclaration>(declared.clone()) else {
            continue;
        };
        let of_declaration = declaration.faults();
        if !of_declaration.is_empty() {
            faults.extend(of_declaration.into_iter().map(|(path, message)| {
                let path: Vec<&str> =
                    [TABLE, name].into_iter().chain(path.iter().map(String::as_str)).collect();
                locator.fault(&path, message)
            }));
            continue;
        }
        let Some(evaluator) = &declaration.evaluator else {
            let message = "expected `evaluator = \"python:FILE.py:Class\"` of a measure, found none";
            faults.push(locator.fault(&[TABLE, name], message));
            continue;
        };
        match python_evaluator(evaluator, &declaration.evaluator_files, text.path.as_deref()) {
            Err(fault) => faults.push(fault.at(&[TABLE, name], locator)),
            Ok(evaluator) => {
                let declared = declare_measure(&format!("{DECLARED}/{name}"), declaration, evaluator);
                faults.extend(declared.err().map(|error| locator.fault(&[TABLE, name], error.to_string())));
            }
        }
    }
    faults
}

/// Largest evaluator in bytes, largest file that it reads beside, and most of these.
const LARGEST: u64 = 8 << 20;

const LARGEST_BESIDE: u64 = 256 << 20;

const MOST_BESIDE: usize = 100;

/// The key of a card, and of a measure in it, with the files that an evaluator reads beside its
/// own.
const FILES: &str = "evaluator_files";

/// What stands before the file of an evaluator.
const PYTHON: &str = "python:";

/// What is wrong with an evaluator, or with the files that it reads beside its own.
#[derive(Debug, thiserror::Error)]
enum EvaluatorFault {
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
enum FileFault {
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
fn names_of(files: Option<&Value>) -> Vec<String> {
    let names = files.and_then(Value::as_array).into_iter().flatten();
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// The class that `evaluator` names, of a file beside the card at `card`, which reads the files
/// `beside`.
fn python_evaluator(
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
