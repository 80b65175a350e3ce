//! The card of one task, its instruction and the scores that models are known to reach.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vocabulary::{AnnotationsCreator, Category, Domain, SampleCreation, TaskSubtype};
use crate::{
    Dataset, HoldOut, MeasureDeclaration, Protocol, Quality, Subset, Subsets, TaskType, TypeDeclaration,
};

/// A task: what it measures, where its data is, and how it is scored.
///
/// The metadata fields are those of the reference (protocol 11).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskCard {
    /// Version of the schema; always 1.
    pub schema: u32,
    /// Name of the task, unique within its registry.
    pub name: String,
    /// Task type; decides the evaluator.
    #[serde(rename = "type")]
    pub task_type: TaskType,
    /// Evaluator of a type that this card declares: `python:FILE.py:Class`, a file next to the
    /// card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluator: Option<String>,
    /// Other files that the evaluator reads or imports, in the card's folder or below; it can read
    /// no others. Results depend on their content.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evaluator_files: Vec<String>,
    /// Declaration of the type that the evaluator implements.
    #[serde(default, rename = "task_type", skip_serializing_if = "Option::is_none")]
    pub declares: Option<TypeDeclaration>,
    /// Measures over rankings that this card declares, by name; it uses them as `python/NAME`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<String, MeasureDeclaration>,
    /// Key of the main score of the task; absent: the default of the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main_score: Option<String>,
    /// One or two sentences on what the task measures.
    pub description: String,
    /// URL of a description of the dataset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Input and output, e.g. `t2t`; absent: the default of the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// Splits that are scored.
    #[serde(default = "test_split")]
    pub eval_splits: Vec<String>,
    /// Languages of a task without subsets, e.g. `ind-Latn`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// Domains of the texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub domains: Vec<Domain>,
    /// More specific kinds of the task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subtypes: Vec<TaskSubtype>,
    /// Licence of the data: a name from mteb's list or a URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Who annotated the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<AnnotationsCreator>,
    /// How the texts were created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample_creation: Option<SampleCreation>,
    /// Dialects, e.g. `ind-x-jakarta`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dialect: Vec<String>,
    /// First and last day on which the texts were written, e.g. `2025-01-31`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<[String; 2]>,
    /// BibTeX entry of the dataset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation: Option<String>,
    /// Instruction for models that use one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Prompt>,
    /// Tasks this one was made from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adapted_from: Vec<String>,
    /// Task that replaces this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// True if the data is not public: its owners grant access to the dataset on the hub.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// Why the host cannot run this task; absent for a task that it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsupported: Option<String>,
    /// Notes for readers: known errors, contamination.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// Names of the tasks whose mean this task is, with their cards next to this one; such a task
    /// has no data of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
    /// Where the data is.
    #[serde(default, skip_serializing_if = "is_default")]
    pub dataset: Dataset,
    /// Subsets, in the order in which they are evaluated; empty for a task that has only `default`.
    #[serde(default, skip_serializing_if = "Subsets::is_empty")]
    #[schemars(with = "BTreeMap<String, Subset>")]
    pub subsets: Subsets,
    /// Options that differ from the defaults of the task type.
    #[serde(default, skip_serializing_if = "Protocol::is_default")]
    pub protocol: Protocol,
    /// Quality requirements for the data, beyond those of the task type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<Quality>,
    /// Expected main scores by model name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub expected: BTreeMap<String, Expected>,
}

/// A card that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CardError {
    /// What was expected and what was found.
    pub message: String,
    /// Where in the text, in bytes.
    pub span: Option<std::ops::Range<usize>>,
}

impl TaskCard {
    /// Reads a card from TOML text.
    ///
    /// # Errors
    /// If the text is no TOML or does not have the form of a card; the error carries the place.
    pub fn from_toml(text: &str) -> Result<Self, CardError> {
        toml::from_str(text)
            .map_err(|error| CardError { message: error.message().to_owned(), span: error.span() })
    }

    /// Key of the score that stands for the task.
    pub fn main_score(&self) -> &str {
        self.main_score.as_deref().unwrap_or_else(|| self.task_type.main_score())
    }

    /// True if the outcomes of single items can be kept: always for types of the host; for a declared type if it has outcomes
    /// and they are of the card's main score.
    pub fn has_outcomes(&self) -> bool {
        let declared = self.task_type.declared();
        declared.is_none_or(|own| own.declaration.outcomes.as_deref() == Some(self.main_score()))
    }

    /// Names of the subsets in evaluation order; `default` alone for a task without subsets.
    pub fn subset_names(&self) -> Vec<&str> {
        if self.subsets.is_empty() {
            vec!["default"]
        } else {
            self.subsets.iter().map(|(name, _)| name.as_str()).collect()
        }
    }

    /// How many subsets there are, `default` among them.
    pub fn subset_count(&self) -> usize {
        self.subsets.len().max(1)
    }

    /// Names of the subsets with a language that `fits`, in evaluation order.
    pub fn subsets_with_language(&self, fits: impl Fn(&str) -> bool) -> Vec<String> {
        let others = self.languages.iter().any(|language| fits(language));
        if self.subsets.is_empty() {
            return others.then(|| "default".to_owned()).into_iter().collect();
        }
        self.subsets.with_language(fits, others)
    }

    /// Shows `see` the name and the languages of each subset, in evaluation order: for a look at many subsets.
    pub fn visit_subsets<'a>(&'a self, mut see: impl FnMut(&str, &[&'a str])) {
        let whole: Vec<&str> = self.languages.iter().map(String::as_str).collect();
        if self.subsets.is_empty() {
            return see("default", &whole);
        }
        self.subsets
            .visit(|name, languages| see(name, if languages.is_empty() { &whole } else { languages }));
    }

    /// The subset called `name`.
    pub fn subset(&self, name: &str) -> Option<&Subset> {
        self.subsets.find(name)
    }

    /// How the subset called `name` holds rows out; `None` where it does not.
    pub fn hold_out(&self, name: &str) -> Option<&HoldOut> {
        self.subset(name).and_then(|subset| subset.hold_out.as_ref()).or(self.dataset.hold_out.as_ref())
    }

    /// Languages of the subset called `name`, as `ind-Latn`, duplicates kept.
    pub fn subset_languages(&self, name: &str) -> &[String] {
        match self.subset(name) {
            Some(subset) if !subset.languages.is_empty() => &subset.languages,
            _ => &self.languages,
        }
    }

    /// Languages of each subset, as `ind-Latn`, duplicates kept: for a look at many subsets.
    pub fn languages_by_subset(&self) -> HashMap<&str, &[String]> {
        self.named_subsets()
            .map(|(name, subset)| match subset {
                Some(subset) if !subset.languages.is_empty() => (name, subset.languages.as_slice()),
                _ => (name, self.languages.as_slice()),
            })
            .collect()
    }

    /// All units in evaluation order, as split and subset: split after split, and in each the subsets that have it.
    pub fn units(&self) -> impl Iterator<Item = (&str, &str)> {
        self.eval_splits.iter().flat_map(move |split| {
            let has_split = move |subset: Option<&Subset>| {
                subset.and_then(|subset| subset.eval_splits.as_ref()).is_none_or(|own| own.contains(split))
            };
            let scored = self.named_subsets().filter(move |(_, subset)| has_split(*subset));
            scored.map(move |(subset, _)| (split.as_str(), subset))
        })
    }

    fn named_subsets(&self) -> impl Iterator<Item = (&str, Option<&Subset>)> {
        let lone = self.subsets.is_empty().then_some(("default", None));
        lone.into_iter().chain(self.subsets.iter().map(|(name, subset)| (name.as_str(), Some(subset))))
    }

    /// All languages of the task, sorted, each once.
    pub fn all_languages(&self) -> Vec<&str> {
        let own = self.languages.iter().map(String::as_str);
        let mut languages: Vec<&str> = own.chain(self.subsets.languages(&[])).collect();
        languages.sort_unstable();
        languages.dedup();
        languages
    }

    /// Revision of the data, as results state it; `1` for data that names none.
    pub fn revision(&self) -> &str {
        self.dataset.revision.as_deref().unwrap_or("1")
    }
}

fn is_default(dataset: &Dataset) -> bool {
    *dataset == Dataset::default()
}

fn test_split() -> Vec<String> {
    vec!["test".to_owned()]
}

/// Expected main scores of one model, by split and subset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Expected {
    /// Where the scores come from.
    pub source: String,
    /// Largest difference that counts as equal.
    #[serde(default = "tolerance")]
    pub tolerance: f64,
    /// Main scores: split, then subset, then score.
    #[serde(flatten)]
    pub splits: BTreeMap<String, BTreeMap<String, f64>>,
}

fn tolerance() -> f64 {
    0.0005
}

/// An instruction: one for all texts, or one a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum Prompt {
    /// One instruction for every text.
    All(String),
    /// An instruction a role; a role left out has an empty one.
    ByRole {
        /// For queries.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        query: Option<String>,
        /// For documents.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        document: Option<String>,
    },
}
