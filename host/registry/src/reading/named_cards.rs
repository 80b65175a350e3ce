//! The cards and tasks that a registry names: among its files and folders, and from a registry that
//! it includes.

use std::collections::HashSet;
use std::sync::Arc;

use mteb_base::suggest::{hint, some};
use mteb_card::{Include, Registry};

use super::source::{CardFolders, RegistrySource};
use super::text::Text;
use crate::selecting::narrowing::narrow;
use crate::selecting::pattern::TaskPattern;
use crate::{Fault, TaskEntry};

/// What is wrong with the cards that a registry names.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CardsFault {
    /// A file or folder cannot be read.
    #[error("{0}")]
    Read(Fault),
    /// A path stands where the name of a task should.
    #[error("expected the name of a task, found a path: {0}")]
    Path(String),
    /// There is no such card.
    #[error("expected the card {name}.toml in `cards` ({cards}), found none{near}")]
    NoCard {
        /// The task.
        name: String,
        /// Where it was looked for.
        cards: String,
        /// What is like it.
        near: String,
    },
    /// A registry stands where a card should.
    #[error(
        "expected a card or a folder of cards, found a registry: {0}; include its tasks with `include = [\"{0}\"]`"
    )]
    Registry(String),
}

impl From<Fault> for CardsFault {
    fn from(fault: Fault) -> Self {
        Self::Read(fault)
    }
}

/// The card of the task `name` among the files and folders that the registry names.
pub fn card_of(
    home: &RegistrySource,
    registry: &Registry,
    name: &str,
    folders: &mut CardFolders,
) -> Result<Text, CardsFault> {
    // A path would lead to cards elsewhere.
    if name.contains(['/', '\\']) {
        return Err(CardsFault::Path(name.to_owned()));
    }
    for entry in &registry.cards {
        if let Some(text) = home.card(entry, name, folders)? {
            return Ok(text);
        }
    }
    let near = hint(name, home.card_names(registry).iter().map(String::as_str), "");
    Err(CardsFault::NoCard { name: name.to_owned(), cards: registry.cards.join(", "), near })
}

/// The first entry of `cards` that is no file and no folder, by its place.
pub fn absent_cards(home: &RegistrySource, registry: &Registry) -> Option<(usize, Fault)> {
    let entries = registry.cards.iter().enumerate();
    entries.filter_map(|(place, entry)| Some((place, home.cards(entry).err()?))).next()
}

/// The cards among the `texts` that the entry `entry` of `cards` leads to, and what is said of
/// registries among them: they are skipped, because what they name is included by `include`.
///
/// # Errors
/// The fault that the entry names a registry itself.
pub fn without_registries(entry: &str, texts: Vec<Text>) -> Result<(Vec<Text>, Option<String>), CardsFault> {
    let (registries, cards): (Vec<Text>, Vec<Text>) =
        texts.into_iter().partition(|text| text.path.is_some() && text.is_registry());
    if registries.is_empty() {
        return Ok((cards, None));
    }
    if entry.ends_with(".toml") && cards.is_empty() {
        return Err(CardsFault::Registry(entry.to_owned()));
    }
    let files = some(registries.iter().map(|text| text.file.as_str()));
    let (are, their) =
        if registries.len() == 1 { ("it is a registry", "its") } else { ("they are registries", "their") };
    Ok((
        cards,
        Some(format!("left out of the cards because {are}: {files}; use `include` for {their} tasks")),
    ))
}

/// Of the tasks `all` of an included registry those that are taken, each as its name narrows it;
/// and what is wrong with names, by their places. Of the host's registries only the `wanted` tasks
/// were read.
pub fn taken_tasks(
    all: Vec<Arc<TaskEntry>>,
    include: &Include,
    wanted: Option<&HashSet<String>>,
) -> (Vec<Arc<TaskEntry>>, Vec<(usize, String)>) {
    let Some(named) = include.tasks() else { return (all, Vec::new()) };
    let (mut tasks, mut faults) = (Vec::new(), Vec::new());
    for (place, name) in named.iter().enumerate() {
        let pattern = TaskPattern::new(name);
        let found = all.iter().find(|task| task.card.name == pattern.name());
        match found.map(|task| (task, narrow(task, &pattern))) {
            Some((task, Ok(_))) => {
                tasks.push(Arc::new(TaskEntry { taken: pattern, ..TaskEntry::clone(task) }));
            }
            Some((_, Err(error))) => faults.push((place, error.to_string())),
            None if wanted.is_none_or(|wanted| wanted.contains(pattern.name())) => {
                let near = hint(pattern.name(), all.iter().map(|task| task.card.name.as_str()), "");
                let registry = include.registry();
                faults.push((
                    place,
                    format!("expected a task of the registry {registry}, found: {name}{near}"),
                ));
            }
            None => {}
        }
    }
    (tasks, faults)
}
