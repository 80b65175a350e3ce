//! The tasks of a task pack: of the edition that a registry names as `pack` or `pack@1`, and of a
//! pack without a registry, so that it can be checked.

use std::path::PathBuf;
use std::sync::Arc;

use mteb_base::suggest::hint;
use mteb_card::TaskCard;
use mteb_plugin_api::name_and_edition;
use mteb_workers::plugins::{Catalog, FoundPlugin};

use super::source::RegistrySource;
use super::text::Text;
use crate::checking::form::{Kind, text_faults};
use crate::selecting::pattern::TaskPattern;
use crate::{Fault, Origin, TaskEntry};

/// The tasks of `plugin`, and what is wrong with their cards in the words of `validate`.
pub fn pack_entries(plugin: &FoundPlugin) -> (Vec<TaskEntry>, Vec<Fault>) {
    let pack = &plugin.manifest.name;
    let (mut entries, mut faults) = (Vec::new(), Vec::new());
    for (name, card) in &plugin.cards {
        let text = Text::new(format!("{pack}/{name}"), card.clone());
        let found = text_faults(&text, Kind::Card);
        let is_sound = found.is_empty();
        faults.extend(found);
        if let (true, Ok(card)) = (is_sound, TaskCard::from_toml(card)) {
            entries.push(TaskEntry {
                card: Arc::new(card),
                origin: Origin::Pack(pack.clone()),
                registry: pack.clone(),
                home: RegistrySource::File(PathBuf::from(&text.file)),
                taken: TaskPattern::default(),
                members: Vec::new(),
            });
        }
    }
    (entries, faults)
}

/// True if both cards are of the same task pack, whichever edition each is of: that they differ is meant.
pub fn is_same_pack(left: &Origin, right: &Origin) -> bool {
    match (left, right) {
        (Origin::Pack(left), Origin::Pack(right)) => name_and_edition(left).0 == name_and_edition(right).0,
        _ => false,
    }
}

/// Name and card of the tasks of the pack that a registry calls `pack`: by its name, or as `name@1` by an earlier edition.
///
/// # Errors
/// If there is no such pack, or it has no such edition.
pub fn edition_cards<'a>(
    catalog: &'a Catalog,
    pack: &'a str,
) -> Result<impl Iterator<Item = (&'a str, &'a String)>, String> {
    let (name, edition) = name_and_edition(pack);
    let Some(plugin) = catalog.plugin(name) else {
        let names = catalog.plugins.iter().map(|plugin| plugin.manifest.name.as_str());
        let near = hint(name, names, "");
        return Err(format!(
            "expected the task pack `{name}` among the plugins, found none{near}; \
             `mteb-host doctor` lists the folders that were searched"
        ));
    };
    match edition {
        Some(edition) if plugin.tasks(Some(edition)).next().is_none() => Err(format!(
            "expected the edition {edition} of the task pack `{name}`, found no task of that edition"
        )),
        _ => Ok(plugin.tasks(edition)),
    }
}
