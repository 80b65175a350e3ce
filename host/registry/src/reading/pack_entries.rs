//! The tasks of a task pack: of the edition that a registry names as `pack` or `pack@1`, and of a
//! pack without a registry, so that it can be checked.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use mteb_base::suggest::hint;
use mteb_card::{Packs, TaskCard};
use mteb_plugin_api::name_and_edition;

use super::source::RegistrySource;
use super::text::Text;
use crate::declaring::declare_and_check;
use crate::selecting::pattern::TaskPattern;
use crate::{Fault, Origin, TaskEntry};

/// The tasks of the task pack called `pack`, and what is wrong with their `cards` in the words of
/// `validate`.
pub fn pack_entries(pack: &str, cards: &BTreeMap<String, String>) -> (Vec<TaskEntry>, Vec<Fault>) {
    let (mut entries, mut faults) = (Vec::new(), Vec::new());
    for (name, card) in cards {
        let text = Text::new(format!("{pack}/{name}"), card.clone());
        let found = declare_and_check(&text);
        let is_sound = found.is_empty();
        faults.extend(found);
        if let (true, Ok(card)) = (is_sound, TaskCard::from_toml(card)) {
            entries.push(TaskEntry {
                card: Arc::new(card),
                origin: Origin::Pack(pack.to_owned()),
                registry: pack.to_owned(),
                home: RegistrySource::File(PathBuf::from(&text.file)),
                taken: TaskPattern::default(),
                members: Vec::new(),
            });
        }
    }
    (entries, faults)
}

/// True if both cards are of the same task pack, whichever edition each is of: that they differ is
/// meant.
pub fn is_same_pack(left: &Origin, right: &Origin) -> bool {
    match (left, right) {
        (Origin::Pack(left), Origin::Pack(right)) => name_and_edition(left).0 == name_and_edition(right).0,
        _ => false,
    }
}

/// Why a registry has no tasks of a pack.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackFault {
    /// There is no such pack; `near` are names like it.
    #[error(
        "expected the task pack `{name}` among the plugins, found none{near}; `mteb-host doctor` lists the folders \
         that were searched"
    )]
    Absent {
        /// Its name.
        name: String,
        /// What is like it.
        near: String,
    },
    /// It has no such edition.
    #[error("expected the edition {edition} of the task pack `{name}`, found no task of that edition")]
    NoEdition {
        /// The edition.
        edition: String,
        /// Name of the pack.
        name: String,
    },
}

/// Name and card of the tasks of the pack that a registry calls `pack`: by its name, or as `name@1`
/// by an earlier edition.
///
/// # Errors
/// If there is no such pack, or it has no such edition.
pub fn edition_cards<'a>(
    packs: &'a dyn Packs,
    pack: &'a str,
) -> Result<impl Iterator<Item = (&'a str, &'a String)>, PackFault> {
    let (name, edition) = name_and_edition(pack);
    let Some(cards) = packs.cards(name) else {
        let near = hint(name, packs.names(), "");
        return Err(PackFault::Absent { name: name.to_owned(), near });
    };
    match edition {
        Some(edition) if tasks_of_edition(cards, Some(edition)).next().is_none() => {
            Err(PackFault::NoEdition { edition: edition.to_owned(), name: name.to_owned() })
        }
        _ => Ok(tasks_of_edition(cards, edition)),
    }
}

/// Name and card of the tasks of an earlier edition of a pack, or of the present one.
fn tasks_of_edition<'a>(
    cards: &'a BTreeMap<String, String>,
    edition: Option<&'a str>,
) -> impl Iterator<Item = (&'a str, &'a String)> {
    cards.iter().filter_map(move |(task, card)| {
        let (name, found) = name_and_edition(task);
        (found == edition).then_some((name, card))
    })
}
