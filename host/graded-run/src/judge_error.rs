//! Why a judge cannot be asked, or has no judgements; names of bundled judges, which cards that ask
//! others may not have.

use std::io;
use std::path::PathBuf;

use mteb_graded::GradedError;
use mteb_graded::judge::{JudgeCard, parse_card};
use mteb_registry::embedded;
use mteb_remote::{AddressError, EndpointError, Failure};
use mteb_workers::settings::{Allowance, NO_NAME_OF_VARIABLE};

/// A judge that is not there, may not be asked, or whose card or judgements cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// There is none of the name.
    #[error("expected the card of a judge, a file or a name, found: {name}{hint}")]
    Unknown {
        /// The name.
        name: String,
        /// Which judges there are, or which may be meant.
        hint: String,
    },
    /// A card, or the store of judgements, cannot be read or written.
    #[error(transparent)]
    File(#[from] GradedError),
    /// The card has the name of a bundled judge.
    #[error("{file}: {source}; give this judge another `name`")]
    Borrowed {
        /// The card.
        file: String,
        /// In what they differ.
        source: Box<BorrowedName>,
    },
    /// The judge is asked by files.
    #[error(
        "{0}: expected a judge with an endpoint, found one of the style `import`: `--export FILE` writes what to judge, \
         `--import FILE` reads the judgements"
    )]
    NoEndpoint(String),
    /// The card's address is none.
    #[error("{file}: `endpoint.url`: {source}")]
    Address {
        /// The card.
        file: String,
        /// What is wrong with it.
        source: AddressError,
    },
    /// The card is another's, and the user has not let it send texts.
    #[error(
        "{file}: permission needed to send texts to {host}, because this card does not come with mteb-host{note}; if you \
         trust it, add `--allow-host {host}`"
    )]
    Host {
        /// The card.
        file: String,
        /// Where it would send them.
        host: String,
        /// What is said of leave for another port, or nothing.
        note: String,
    },
    /// What the card has for the name of a variable may be a key.
    #[error("{0}: `endpoint.key_env`: {NO_NAME_OF_VARIABLE}")]
    VariableName(String),
    /// The card is another's, and the user has not let it have the key.
    #[error(
        "{file}: permission needed to send the variable `{}` to {}, because this card does not come with mteb-host{note}; if \
         you trust it, add `--allow-env {missing}`",
        .missing.variable, .missing.host
    )]
    Variable {
        /// The card.
        file: String,
        /// What the user would allow.
        missing: Allowance,
        /// What is said of leave for another port, or nothing.
        note: String,
    },
    /// There is no key.
    #[error("judge {judge}: expected a key in the environment variable `{variable}`, found none")]
    NoKey {
        /// Name of the judge.
        judge: String,
        /// The variable.
        variable: String,
    },
    /// The key cannot be sent.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// Connections cannot be had.
    #[error(transparent)]
    Connection(#[from] Failure),
    /// The file of the tokenizer holds none.
    #[error("{}: expected a tokenizer, found: {source}", .path.display())]
    Tokenizer {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: tokenizers::Error,
    },
    /// The card cannot be left beside the judgements.
    #[error("{}: cannot write it: {source}", .path.display())]
    Unwritable {
        /// Where it should be.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A judge that was named has judged nothing.
    #[error("{}: expected judgements of {judge}, found none", .folder.display())]
    NotJudged {
        /// The graded folder.
        folder: PathBuf,
        /// Name of the judge.
        judge: String,
    },
    /// Nobody has judged.
    #[error(
        "{}: expected judgements, found none{}; run `mteb-host graded judge` first",
        .folder.display(),
        .faults.iter().map(|fault| format!(" ({fault})")).collect::<String>()
    )]
    NoJudgements {
        /// The graded folder.
        folder: PathBuf,
        /// Why some are left out.
        faults: Vec<String>,
    },
}

/// Folder of the cards that are part of the host.
pub(super) const FOLDER: &str = "judges";

/// The name of a bundled judge on a card that asks another model than that judge, or the same one elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected the model `{}` at {}, as the bundled judge {name} asks it, found the model `{}` at {}",
    .bundled.model, .bundled.url, .own.model, if .own.url.is_empty() { "no address" } else { &.own.url }
)]
pub struct BorrowedName {
    /// The name.
    pub name: String,
    /// Whom the bundled judge asks.
    pub bundled: AskedModel,
    /// Whom the card asks.
    pub own: AskedModel,
}

/// A model and where it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedModel {
    /// Name of the model.
    pub model: String,
    /// Address of its endpoint.
    pub url: String,
}

impl AskedModel {
    fn of(card: &JudgeCard) -> Self {
        Self { model: card.endpoint.model.clone(), url: card.endpoint.url.clone() }
    }
}

/// Why a card may not have its name, if a bundled judge has it.
#[must_use]
pub fn borrowed_name(card: &JudgeCard) -> Option<BorrowedName> {
    let path = format!("{FOLDER}/{}.toml", card.name);
    let bundled = parse_card(&path, embedded::file(&path)?.text()).ok()?;
    let asked = |card: &JudgeCard| {
        (card.endpoint.style, card.endpoint.url.trim_end_matches('/').to_owned(), card.endpoint.model.clone())
    };
    (asked(&bundled) != asked(card)).then(|| BorrowedName {
        name: card.name.clone(),
        bundled: AskedModel::of(&bundled),
        own: AskedModel::of(card),
    })
}
