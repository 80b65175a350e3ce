//! The rubrics, each under a name and a version that results carry. A rubric that was used is never changed: a better one is a new version.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Language of a rubric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    En,
    /// Indonesian.
    Id,
}

/// A rubric and the words around a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// Its name and version, as `en-1`.
    pub name: &'static str,
    /// What the judge is told of its work.
    pub rubric: &'static str,
    /// The word before the query.
    pub query: &'static str,
    /// The word before the document.
    pub document: &'static str,
    /// What stands around the query and the document.
    pub tags: Tags,
}

/// The tags around the query and the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tags {
    /// The same for all: a document can close its own.
    Plain,
    /// With a code that depends on every byte of what stands in them, so that no text can hold the code of its own tag.
    Coded,
}

const PROMPTS: [(Language, u32, Prompt); 4] = [
    (
        Language::En,
        1,
        Prompt {
            name: "en-1",
            rubric: include_str!("prompts/en-1.txt"),
            query: "Query",
            document: "Document",
            tags: Tags::Plain,
        },
    ),
    (
        Language::En,
        2,
        Prompt {
            name: "en-2",
            rubric: include_str!("prompts/en-2.txt"),
            query: "Query",
            document: "Document",
            tags: Tags::Coded,
        },
    ),
    (
        Language::Id,
        1,
        Prompt {
            name: "id-1",
            rubric: include_str!("prompts/id-1.txt"),
            query: "Kueri",
            document: "Dokumen",
            tags: Tags::Plain,
        },
    ),
    (
        Language::Id,
        2,
        Prompt {
            name: "id-2",
            rubric: include_str!("prompts/id-2.txt"),
            query: "Kueri",
            document: "Dokumen",
            tags: Tags::Coded,
        },
    ),
];

/// The prompt of a language and version, if there is one.
pub fn prompt(language: Language, version: u32) -> Option<Prompt> {
    let mut prompts = PROMPTS.into_iter();
    prompts.find(|(other, number, _)| *other == language && *number == version).map(|(_, _, prompt)| prompt)
}

#[cfg(test)]
mod tests {
    use mteb_files::hex;
    use sha2::{Digest, Sha256};

    use super::*;

    /// Judgements say which prompt they were made with; another text under the same name would make that untrue.
    #[test]
    fn a_prompt_that_was_used_is_never_changed() {
        let hash = |prompt: Prompt| hex(&Sha256::digest(prompt.rubric)[..8]);
        let hashes: Vec<_> = PROMPTS.iter().map(|(_, _, prompt)| (prompt.name, hash(*prompt))).collect();
        assert_eq!(
            hashes,
            [
                ("en-1", "83f1075807938c40".to_owned()),
                ("en-2", "1e9599c14bd09504".to_owned()),
                ("id-1", "d582084b5186e7db".to_owned()),
                ("id-2", "3d8b0c3dd084f1a3".to_owned()),
            ]
        );
    }

    #[test]
    fn the_reasoning_is_asked_for_before_the_score() {
        for (_, _, prompt) in PROMPTS {
            let (reasoning, score) = (prompt.rubric.find("\"reasoning\""), prompt.rubric.find("\"score\""));
            assert!(reasoning.is_some() && reasoning < score, "{}", prompt.name);
        }
        assert_eq!(prompt(Language::En, 99), None);
    }
}
