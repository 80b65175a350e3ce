//! The types of tasks: those of the host, and those that packs and cards declare.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::TypeDeclaration;
use super::declared_types::{
    DeclareError, DeclaredType, TypeEvaluator, declared_types, find_declared, keep_declared, kept_name,
};

/// Longest name of a type: a column of a table is called so.
const LONGEST_NAME: usize = 64;

/// The type of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskType {
    /// `BitextMining`
    BitextMining,
    /// `Classification`
    Classification,
    /// `MultilabelClassification`
    MultilabelClassification,
    /// `Clustering`
    Clustering,
    /// `PairClassification`
    PairClassification,
    /// `Reranking`
    Reranking,
    /// `Retrieval`
    Retrieval,
    /// `STS`
    Sts,
    /// `Summarization`
    Summarization,
    /// `InstructionRetrieval`
    InstructionRetrieval,
    /// `InstructionReranking`
    InstructionReranking,
    /// `Regression`
    Regression,
    /// A type that a pack or a card declares.
    Own(OwnType),
}

/// The name of a type that the host does not bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnType(&'static str);

impl OwnType {
    /// The type called `name`; `None` of what no type may be called.
    pub fn named(name: &str) -> Option<Self> {
        is_type_name(name).then(|| Self(kept_name(name)))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// What is declared of it; `None` if nobody declares it.
    pub fn declared(self) -> Option<&'static DeclaredType> {
        find_declared(self.0)
    }
}

impl TaskType {
    /// The types of the host, in the reference's order.
    pub const ALL: &'static [Self] = &[
        Self::BitextMining,
        Self::Classification,
        Self::MultilabelClassification,
        Self::Clustering,
        Self::PairClassification,
        Self::Reranking,
        Self::Retrieval,
        Self::Sts,
        Self::Summarization,
        Self::InstructionRetrieval,
        Self::InstructionReranking,
        Self::Regression,
    ];

    /// All types that are known now: those of the host, then those that were declared, by name.
    pub fn known() -> Vec<Self> {
        let own = declared_types().into_iter().map(|declared| Self::Own(OwnType(declared.name)));
        Self::ALL.iter().copied().chain(own).collect()
    }

    /// The type called `name`, of the host or of others; `None` of what no type may be called.
    pub fn named(name: &str) -> Option<Self> {
        let of_host = Self::ALL.iter().copied().find(|known| known.as_str() == name);
        of_host.or_else(|| OwnType::named(name).map(Self::Own))
    }

    /// The value as cards and results write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BitextMining => "BitextMining",
            Self::Classification => "Classification",
            Self::MultilabelClassification => "MultilabelClassification",
            Self::Clustering => "Clustering",
            Self::PairClassification => "PairClassification",
            Self::Reranking => "Reranking",
            Self::Retrieval => "Retrieval",
            Self::Sts => "STS",
            Self::Summarization => "Summarization",
            Self::InstructionRetrieval => "InstructionRetrieval",
            Self::InstructionReranking => "InstructionReranking",
            Self::Regression => "Regression",
            Self::Own(own) => own.name(),
        }
    }

    /// What is declared of a type that the host does not bring.
    pub fn declared(self) -> Option<&'static DeclaredType> {
        match self {
            Self::Own(own) => own.declared(),
            _ => None,
        }
    }

    /// Key of the score that stands for a task of this type unless its card says otherwise; empty of a type that nobody declares.
    pub fn main_score(self) -> &'static str {
        match self {
            Self::BitextMining => "f1",
            Self::Classification | Self::MultilabelClassification => "accuracy",
            Self::Clustering => "v_measure",
            Self::PairClassification => "max_ap",
            Self::Reranking => "map_at_1000",
            Self::Retrieval | Self::InstructionRetrieval => "ndcg_at_10",
            Self::Sts | Self::Summarization => "cosine_spearman",
            Self::InstructionReranking => "p-MRR",
            Self::Regression => "kendalltau",
            Self::Own(own) => own.declared().map_or("", |declared| &declared.declaration.main_score),
        }
    }

    /// True if the type searches a corpus and so has queries, corpus and judgements.
    pub fn is_ranking(self) -> bool {
        match self {
            Self::Reranking | Self::Retrieval | Self::InstructionRetrieval | Self::InstructionReranking => {
                true
            }
            Self::Own(own) => own.declared().is_some_and(|declared| declared.declaration.ranking.is_some()),
            Self::BitextMining
            | Self::Classification
            | Self::MultilabelClassification
            | Self::Clustering
            | Self::PairClassification
            | Self::Sts
            | Self::Summarization
            | Self::Regression => false,
        }
    }
}

/// Declares the type called `name`; again is the same.
///
/// # Errors
/// If it cannot be called so, is a type of the host, or is declared otherwise.
pub fn declare_type(
    name: &str,
    declaration: TypeDeclaration,
    evaluator: TypeEvaluator,
) -> Result<(), DeclareError> {
    let built_in = TaskType::ALL.iter().map(|known| known.as_str());
    let others = built_in.chain(declared_types().into_iter().map(|known| known.name));
    if let Some(taken) = others.into_iter().find(|other| *other != name && other.eq_ignore_ascii_case(name)) {
        return Err(DeclareError::OtherLetters { name: name.to_owned(), taken });
    }
    match TaskType::named(name) {
        Some(TaskType::Own(_)) => keep_declared(name, declaration, evaluator),
        Some(_) => Err(DeclareError::BuiltIn(name.to_owned())),
        None => Err(DeclareError::TypeName(name.to_owned())),
    }
}

/// True if a type may be called so: letters, digits, `-` and `_`, a letter first.
fn is_type_name(name: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    name.len() <= LONGEST_NAME
        && name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.chars().all(plain)
}

impl fmt::Display for TaskType {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl Serialize for TaskType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for TaskType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| {
            let expected = "a type of task: letters, digits, `-` and `_`, a letter first, at most 64";
            Error::custom(format!(
                "expected {expected}, found: {}",
                name.chars().take(80).collect::<String>()
            ))
        })
    }
}

impl JsonSchema for TaskType {
    fn schema_name() -> Cow<'static, str> {
        "TaskType".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = Self::ALL.iter().map(|known| known.as_str()).collect();
        json_schema!({ "type": "string", "enum": names })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn a_type_is_found_by_its_name_and_written_by_it() {
        for known in TaskType::ALL {
            assert_eq!(TaskType::named(known.as_str()), Some(*known));
            assert_eq!(serde_json::to_string(known).unwrap(), format!("\"{known}\""));
        }
        let own = TaskType::named("Analogy").unwrap();
        assert_eq!((own.as_str(), own.main_score(), own.declared()), ("Analogy", "", None));
        assert_eq!(serde_json::from_str::<TaskType>("\"Analogy\"").unwrap(), own);
    }

    #[test]
    fn what_could_be_a_path_or_a_word_of_a_message_is_no_type() {
        for name in ["", "1st", "a b", "../x", "Ä", "a\nb", &"x".repeat(65)] {
            assert_eq!(TaskType::named(name), None, "{name:?}");
        }
    }

    fn evaluator(sha256: &str) -> TypeEvaluator {
        let (file, class, sha256) = ("a.py".into(), "A".to_owned(), sha256.to_owned());
        TypeEvaluator::Python { file, class, sha256, folder: PathBuf::new(), files: BTreeMap::new() }
    }

    #[test]
    fn a_name_means_one_type() {
        let declaration = TypeDeclaration { about: "One.".to_owned(), ..TypeDeclaration::default() };
        let declare = |name: &str, sha256: &str| declare_type(name, declaration.clone(), evaluator(sha256));
        assert_eq!((declare("OneMeaning", "aa"), declare("OneMeaning", "aa")), (Ok(()), Ok(())));
        assert_eq!(
            declare("OneMeaning", "bb"),
            Err(DeclareError::OtherType { name: "OneMeaning".to_owned(), by: "a.py".to_owned() })
        );
        assert_eq!(declare("STS", "aa"), Err(DeclareError::BuiltIn("STS".to_owned())));
        assert!(matches!(
            declare("onemeaning", "aa"),
            Err(DeclareError::OtherLetters { taken: "OneMeaning", .. })
        ));
        assert!(TaskType::known().iter().any(|known| known.as_str() == "OneMeaning"));
    }
}
