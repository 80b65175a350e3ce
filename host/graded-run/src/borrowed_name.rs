//! Names that are those of bundled judges, and which cards that ask others may not have.

use mteb_graded::judge::{JudgeCard, parse_card};
use mteb_registry::embedded;

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
