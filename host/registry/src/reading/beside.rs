//! Tasks over the user's own data whose cards were not named, found beside the results that they
//! produced.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use mteb_card::Packs;

use super::folder::toml_files;
use super::reader::RegistryReader;
use super::source::RegistrySource;
use super::text::{Text, is_card};
use crate::checking::same_name::is_same_task;
use crate::selecting::narrowing::narrow_as_taken;
use crate::{Origin, Selected, TaskEntry};

/// The tasks `names` over files of the user's own, or that are means of other tasks, whose cards
/// lie in a folder that holds one of the `results` folders, by themselves or named by a registry
/// there; sorted by name. A name that two different tasks have is skipped, and so is what cannot be
/// read: whoever names its file is told why.
pub fn tasks_beside(results: &[PathBuf], names: &HashSet<String>, packs: &dyn Packs) -> Vec<Selected> {
    let mut folders: Vec<&Path> = Vec::new();
    for folder in results.iter().filter(|folder| folder.file_name().is_some()) {
        let above = folder.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folders.contains(&above) {
            folders.push(above);
        }
    }
    let mut reader = RegistryReader::new(packs).only(names.clone());
    let mut found: Vec<Selected> = Vec::new();
    let mut ambiguous: HashSet<String> = HashSet::new();
    for path in folders.into_iter().flat_map(|folder| toml_files(folder).unwrap_or_default()) {
        let path = path.strip_prefix(".").unwrap_or(&path);
        let source = RegistrySource::File(path.to_owned());
        if !source.read().is_ok_and(|text| may_bring(&text, names)) {
            continue;
        }
        for entry in reader.registry(&source).into_iter().flat_map(|registry| registry.tasks) {
            let name = &entry.card.name;
            let Ok(task) = narrow_as_taken(&entry) else { continue };
            match found.iter().find(|other| other.entry.card.name == *name) {
                _ if !names.contains(name) || !is_own(&entry) => {}
                None => found.push(task),
                Some(other) if is_same_task(&other.entry, &entry) => {}
                Some(_) => {
                    ambiguous.insert(name.clone());
                }
            }
        }
    }
    found.retain(|task| !ambiguous.contains(&task.entry.card.name));
    found.sort_by(|left, right| left.entry.card.name.cmp(&right.entry.card.name));
    found
}

/// True of the card of one of these tasks, and of a registry.
fn may_bring(text: &Text, names: &HashSet<String>) -> bool {
    #[derive(serde::Deserialize)]
    struct Head {
        name: String,
    }
    if is_card(text) {
        return text.parse::<Head>().is_ok_and(|head| names.contains(&head.name));
    }
    text.is_registry()
}

/// True of a task whose card is a file, over data of its own or over other tasks.
fn is_own(entry: &TaskEntry) -> bool {
    matches!(entry.origin, Origin::File(_))
        && (entry.card.dataset.path.is_some() || !entry.card.members.is_empty())
}
