//! The tasks of a pack without a registry, so that the pack can be checked.

use std::path::PathBuf;
use std::sync::Arc;

use mteb_card::TaskCard;
use mteb_workers::plugins::FoundPlugin;

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
