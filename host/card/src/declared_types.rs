//! The types of tasks that packs and cards have declared to this process, by name: one meaning a
//! name. Why a type or a measure cannot be declared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::TypeDeclaration;

/// A type and who declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredType {
    /// Its name.
    pub name: &'static str,
    /// What is declared of it.
    pub declaration: TypeDeclaration,
    /// What evaluates it.
    pub evaluator: TypeEvaluator,
}

/// What evaluates a type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeEvaluator {
    /// A task of a pack.
    Pack {
        /// Name of the pack.
        plugin: String,
        /// The task that answers for the type.
        task: String,
        /// True if the type says itself which texts it needs.
        plans: bool,
        /// What the pack is made of.
        code: String,
    },
    /// A class of a Python file beside a card.
    Python {
        /// The file.
        file: PathBuf,
        /// The class.
        class: String,
        /// What users trust, and scores depend on: the SHA-256 of the file; with further files, that of the names and hashes of all.
        sha256: String,
        /// The card's folder.
        folder: PathBuf,
        /// All files that the class may read, its own among them, by their names from the card's folder, each with its SHA-256.
        files: BTreeMap<String, String>,
    },
}

impl TypeEvaluator {
    /// What the scores depend on beside data and options: the content of the pack or of the file.
    pub fn code(&self) -> String {
        match self {
            Self::Pack { code, .. } => code.clone(),
            Self::Python { class, sha256, .. } => format!("{class} of sha256:{sha256}"),
        }
    }

    /// Who it is, for messages.
    pub fn shown(&self) -> String {
        match self {
            Self::Pack { plugin, .. } => format!("the plugin {plugin}"),
            Self::Python { file, .. } => file.display().to_string(),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Pack { plugin, code, .. }, Self::Pack { plugin: other, code: same, .. }) => {
                plugin == other && code == same
            }
            (Self::Python { .. }, Self::Python { .. }) => self.code() == other.code(),
            _ => false,
        }
    }
}

/// Names and types live as long as the process: there are as many as cards and packs name.
static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
static TYPES: Mutex<BTreeMap<&'static str, &'static DeclaredType>> = Mutex::new(BTreeMap::new());

/// Keeps the type called `name`; again is the same.
///
/// # Errors
/// If it is declared otherwise.
pub(crate) fn keep_declared(
    name: &str,
    declaration: TypeDeclaration,
    evaluator: TypeEvaluator,
) -> Result<(), DeclareError> {
    let name = kept_name(name);
    let mut types = lock(&TYPES);
    match types.get(name) {
        Some(known) if known.declaration == declaration && known.evaluator.is_same(&evaluator) => Ok(()),
        Some(known) => Err(DeclareError::OtherType { name: name.to_owned(), by: known.evaluator.shown() }),
        None => {
            types.insert(name, Box::leak(Box::new(DeclaredType { name, declaration, evaluator })));
            Ok(())
        }
    }
}

/// The types that were declared, by name.
pub fn declared_types() -> Vec<&'static DeclaredType> {
    lock(&TYPES).values().copied().collect()
}

pub(crate) fn find_declared(name: &str) -> Option<&'static DeclaredType> {
    lock(&TYPES).get(name).copied()
}

pub(crate) fn kept_name(name: &str) -> &'static str {
    let mut names = lock(&NAMES);
    if let Some(known) = names.get(name) {
        return known;
    }
    let kept: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(kept);
    kept
}

fn lock<T>(table: &Mutex<T>) -> MutexGuard<'_, T> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A name that a type or a measure cannot have, or that has another meaning already.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeclareError {
    /// No type can be called so.
    #[error("expected a type named with letters, digits, `-` and `_`, found: {0}")]
    TypeName(String),
    /// It is the name of a type of the host.
    #[error("expected a name that no built-in type has, found: {0}")]
    BuiltIn(String),
    /// Another type has the name in other letters.
    #[error("expected a type with a name of its own, found `{name}`, which is `{taken}` in other letters")]
    OtherLetters {
        /// The name that was declared.
        name: String,
        /// The name of the other type.
        taken: &'static str,
    },
    /// Another one declares the type, and differently.
    #[error("expected a type with a name of its own, found `{name}`, which {by} declares differently")]
    OtherType {
        /// Name of the type.
        name: String,
        /// Who declares it.
        by: String,
    },
    /// No measure can be called so.
    #[error("expected a measure called by letters, digits, `_`, `-` and `.`, found: {0}")]
    MeasureName(String),
    /// Another one declares the measure, and differently.
    #[error("expected a measure with a name of its own, found `{name}`, which {by} declares otherwise")]
    OtherMeasure {
        /// Name of the measure.
        name: String,
        /// Who declares it.
        by: String,
    },
}
