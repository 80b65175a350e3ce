//! A user's file of prompts, which takes the place of those of the model.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use mteb_base::suggest::hint;
use mteb_card::TaskType;
use mteb_files::hex;
use mteb_plugin_api::{Brackets, Prompts};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use sha2::{Digest, Sha256};

/// Names that stand for a role in the keys of a file.
const ROLES: [&str; 4] = ["query", "document", "passage", "corpus"];

/// What a file of prompts says; what it does not say stays as the model has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PromptFile {
    /// Prompts by name (protocol 3.4); absent if the file has none.
    pub named: Option<BTreeMap<String, String>>,
    /// Template with `{instruction}`.
    pub instruction_template: Option<String>,
    /// True if the instruction applies to documents too.
    pub instruct_documents: Option<bool>,
    /// What is put before a text whose instruction is empty.
    pub empty_instruction: Option<String>,
    /// What is put before texts as it stands, by name.
    pub whole: Option<BTreeMap<String, String>>,
    /// Name of the prompt for texts that nothing else covers.
    pub default: Option<String>,
    /// Tokens around a text.
    pub brackets: Option<Brackets>,
}

/// The long form: the keys of a model card's `prompts`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Long {
    named: Option<BTreeMap<String, PromptEntry>>,
    instruction_template: Option<String>,
    instruct_documents: Option<bool>,
    empty_instruction: Option<String>,
    whole: Option<BTreeMap<String, PromptEntry>>,
    default: Option<String>,
    brackets: Option<Brackets>,
}

/// One prompt, or one for each role.
#[derive(Deserialize)]
#[serde(untagged)]
enum PromptEntry {
    One(String),
    ByRole(ByRole),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ByRole {
    #[serde(default)]
    query: String,
    #[serde(default)]
    document: String,
}

/// What keeps a text from being prompts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormFault {
    /// It is no TOML, or TOML of something else.
    #[error("{}", .0.message())]
    Toml(#[from] toml::de::Error),
    /// It is no JSON, or JSON of something else.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The template of instructions has no place for one.
    #[error("an `instruction_template` without {{instruction}}: {0}")]
    Template(String),
}

/// Why a file of prompts cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PromptFileError {
    /// It cannot be read.
    #[error("{}: cannot read the file: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A key stands twice.
    #[error("{}: {source}", .path.display())]
    Twice {
        /// The file.
        path: PathBuf,
        /// Which key.
        source: serde_json::Error,
    },
    /// It holds no prompts.
    #[error(
        "{}: expected prompts by name, as {{\"query\": \"query: \", \"document\": \"passage: \"}}, or the keys \
         of a model card's `prompts`, found: {fault}", .path.display()
    )]
    Form {
        /// The file.
        path: PathBuf,
        /// What it holds.
        fault: FormFault,
    },
}

impl PromptFile {
    /// Reads a JSON file, or a TOML file if its name ends so: a map of prompts by name, or the keys of a model card's
    /// `prompts`.
    ///
    /// # Errors
    /// If the file cannot be read, or has another form.
    pub fn read(path: &Path) -> Result<Self, PromptFileError> {
        let path = path.to_owned();
        let text = match mteb_files::read_to_string(&path, mteb_files::TEXT) {
            Ok(text) => text,
            Err(source) => return Err(PromptFileError::Io { path, source }),
        };
        let is_toml = path.extension().is_some_and(|extension| extension == "toml");
        if !is_toml
            && let Err(error) = mteb_data::each_key_once(text.as_bytes())
            && error.is_data()
        {
            return Err(PromptFileError::Twice { path, source: error });
        }
        Self::parse(&text, is_toml).map_err(|fault| PromptFileError::Form { path, fault })
    }

    fn parse(text: &str, is_toml: bool) -> Result<Self, FormFault> {
        match parse::<Long>(text, is_toml) {
            Ok(long) => {
                if let Some(template) = &long.instruction_template
                    && !template.contains("{instruction}")
                {
                    return Err(FormFault::Template(template.clone()));
                }
                Ok(Self {
                    named: long.named.map(flat),
                    instruction_template: long.instruction_template,
                    instruct_documents: long.instruct_documents,
                    empty_instruction: long.empty_instruction,
                    whole: long.whole.map(flat),
                    default: long.default,
                    brackets: long.brackets,
                })
            }
            Err(error) => match parse::<BTreeMap<String, PromptEntry>>(text, is_toml) {
                Ok(named) => Ok(Self { named: Some(flat(named)), ..Self::default() }),
                Err(plain) => Err(if error.to_string().contains("unknown field") { plain } else { error }),
            },
        }
    }

    /// What the file says, in twelve hex digits.
    pub fn hash(&self) -> String {
        let Self { named, instruction_template, instruct_documents, default, brackets, .. } = self;
        let mut said = json!([named, instruction_template, instruct_documents, default, brackets]);
        if self.empty_instruction.is_some() || self.whole.is_some() {
            said = json!([said, self.empty_instruction, self.whole]);
        }
        let digest = Sha256::digest(said.to_string());
        hex(&digest[..6])
    }

    /// Puts what the file says in the place of what the model says.
    pub fn apply(&self, prompts: &mut Prompts) {
        if let Some(named) = &self.named {
            prompts.named.clone_from(named);
            prompts.default = None;
        }
        // What stood whole was of the prompts and the template whose place is taken.
        if self.named.is_some() || self.instruction_template.is_some() || self.whole.is_some() {
            prompts.whole = self.whole.clone().unwrap_or_default();
        }
        if self.instruction_template.is_some() || self.empty_instruction.is_some() {
            prompts.empty_instruction.clone_from(&self.empty_instruction);
        }
        if self.instruction_template.is_some() {
            prompts.instruction_template.clone_from(&self.instruction_template);
        }
        if self.default.is_some() {
            prompts.default.clone_from(&self.default);
        }
        if self.brackets.is_some() {
            prompts.brackets.clone_from(&self.brackets);
        }
        prompts.instruct_documents = self.instruct_documents.unwrap_or(prompts.instruct_documents);
    }

    /// Names that no text will ask for: no task of `tasks`, no type of tasks, no role.
    pub fn unknown<'a>(&'a self, tasks: &[&str]) -> Vec<&'a str> {
        let is_subject = |name: &str| {
            tasks.contains(&name) || TaskType::known().iter().any(|known| known.as_str() == name)
        };
        let is_known = |name: &str| {
            let bare = ["-query", "-document"].iter().find_map(|role| name.strip_suffix(role));
            ROLES.contains(&name)
                || is_subject(name)
                || bare.is_some_and(is_subject)
                || self.default.as_deref() == Some(name)
        };
        let names = self.named.iter().chain(&self.whole).flat_map(BTreeMap::keys).map(String::as_str);
        names.filter(|name| !is_known(name)).collect()
    }
}

/// What follows a name that no text will ask for: tasks, types of tasks and roles near it.
pub fn near_subject(name: &str, tasks: &[&str]) -> String {
    let types = TaskType::known();
    let types = types.iter().map(|known| -> &str { known.as_str() });
    hint(name, ROLES.into_iter().chain(types).chain(tasks.iter().copied()), "")
}

fn parse<T: DeserializeOwned>(text: &str, is_toml: bool) -> Result<T, FormFault> {
    if is_toml {
        return Ok(toml::from_str(text)?);
    }
    Ok(serde_json::from_str(text)?)
}

/// A prompt for each role becomes one under `{name}-{role}` each.
fn flat(entries: BTreeMap<String, PromptEntry>) -> BTreeMap<String, String> {
    let flat = entries.into_iter().flat_map(|(name, entry)| match entry {
        PromptEntry::One(prompt) => vec![(name, prompt)],
        PromptEntry::ByRole(ByRole { query, document }) => {
            vec![(format!("{name}-query"), query), (format!("{name}-document"), document)]
        }
    });
    flat.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_map_takes_the_place_of_all_named_prompts_and_nothing_else() {
        let file = PromptFile::parse(r#"{"query": "q: ", "SciFact": {"query": "claim: "}}"#, false).unwrap();
        let mut prompts = Prompts {
            named: BTreeMap::from([("document".to_owned(), "old: ".to_owned())]),
            instruction_template: Some("{instruction}".to_owned()),
            default: Some("document".to_owned()),
            whole: BTreeMap::from([("document".to_owned(), " ".to_owned())]),
            ..Prompts::default()
        };
        file.apply(&mut prompts);
        assert!(prompts.whole.is_empty());
        let named: Vec<(&str, &str)> =
            prompts.named.iter().map(|(name, prompt)| (name.as_str(), prompt.as_str())).collect();
        assert_eq!(named, [("SciFact-document", ""), ("SciFact-query", "claim: "), ("query", "q: ")]);
        assert_eq!((prompts.instruction_template.as_deref(), prompts.default), (Some("{instruction}"), None));
    }

    #[test]
    fn the_keys_of_a_card_may_stand_in_toml() {
        let text =
            "instruction_template = \"I: {instruction}\"\ninstruct_documents = true\nnamed.STS = \"same?\"";
        let mut prompts = Prompts::default();
        PromptFile::parse(text, true).unwrap().apply(&mut prompts);
        assert_eq!(prompts.named["STS"], "same?");
        assert!(prompts.instruct_documents && prompts.instruction_template.is_some());
        assert!(
            PromptFile::parse("instruction_template = \"I:\"", true)
                .unwrap_err()
                .to_string()
                .contains("{instruction}")
        );
    }

    #[test]
    fn a_name_that_stands_twice_is_refused_in_both_forms() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text, expected) in [
            (
                "p.json",
                r#"{"query": "a", "query": "b"}"#,
                "p.json: expected each key once, found `query` twice at line 1",
            ),
            (
                "q.json",
                r#"{"STS": {"query": "a", "query": "b"}}"#,
                "q.json: expected each key once, found `query` twice",
            ),
            ("p.toml", "query = \"a\"\nquery = \"b\"", "duplicate key"),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            let said = PromptFile::read(&path).unwrap_err().to_string();
            assert!(said.contains(expected), "{said}");
        }
    }

    #[test]
    fn names_that_nothing_asks_for_are_found() {
        let text = r#"{"query": "", "SciFact-query": "", "STS": "", "Retrieval-document": "", "SciFacts": "", "querry": ""}"#;
        let file = PromptFile::parse(text, false).unwrap();
        assert_eq!(file.unknown(&["SciFact"]), ["SciFacts", "querry"]);
        assert_eq!(near_subject("SciFacts", &["SciFact"]), " (near it: SciFact)");
        assert_eq!(near_subject("STSS", &[]), " (near it: STS)");
    }
}
