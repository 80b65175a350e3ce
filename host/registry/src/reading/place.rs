//! Where the data of a card lies: it must exist, and not outside the folder of its registry.

use std::path::{Path, PathBuf};

use super::folder::plain_path;
use super::text::read_text;
use crate::{Fault, Locator, Origin, RegistrySource, TaskEntry};

/// The message about an empty `path`.
pub const NO_PATH: &str = "expected a file or a folder, found an empty path; `.` is the card's own folder";

/// The file or folder that the card's `path` names; it is there.
///
/// # Errors
/// The fault at its place in the card, if nothing is there, it lies outside of the registry's
/// folder, or a part that the card names is absent.
pub fn data_path(entry: &TaskEntry) -> Result<PathBuf, Fault> {
    let path = entry.card.dataset.path.as_deref().unwrap_or_default();
    let at = |path: &[&str], message: String| fault_in(&entry.origin, path, message);
    let place = ["dataset", "path"];
    if path.is_empty() {
        return Err(at(&place, NO_PATH.to_owned()));
    }
    let Origin::File(card) = &entry.origin else {
        return Err(at(
            &place,
            format!("expected a card in a file, because `path` is relative to it, found: {path}"),
        ));
    };
    let found = plain_path(&card.parent().unwrap_or(Path::new("")).join(path));
    let root = data_root(entry, card);
    let within = |path: &Path| match path.canonicalize() {
        Ok(real) if real.starts_with(&root) => Ok(()),
        Ok(real) => Err(format!(
            "expected data below the folder of the registry ({}), found a path that leads to {}; move the data there, or \
             name a registry file above both",
            root.display(),
            real.display()
        )),
        Err(_) => Err(format!(
            "expected the dataset at {}, found nothing there; `path` is relative to the card",
            path.display()
        )),
    };
    within(&found).map_err(|message| at(&place, message).of_data())?;
    if !found.is_dir() {
        let checked = mteb_files::check(&found);
        checked.map_err(|error| at(&place, format!("{}: {error}", found.display())).of_data())?;
    }
    for (part, source) in &entry.card.dataset.parts {
        // Placeholders for subsets and splits are resolved when these are read.
        let Some(file) = source.file.as_ref().filter(|file| !file.contains('{')) else { continue };
        let place = ["dataset", "parts", part, "file"];
        let file = found.join(file);
        if !file.is_file() {
            let message = format!(
                "expected a file at {}, found none; `file` is relative to the dataset",
                file.display()
            );
            return Err(at(&place, message).of_data());
        }
        within(&file).map_err(|message| at(&place, message).of_data())?;
    }
    Ok(found)
}

/// The folder that a task's data may not leave, links followed: that of its registry, or of its
/// card if that lies elsewhere.
pub fn data_root(entry: &TaskEntry, card: &Path) -> PathBuf {
    let folder = |file: &Path| {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
    };
    match &entry.home {
        RegistrySource::File(registry) if folder(card).starts_with(folder(registry)) => folder(registry),
        _ => folder(card),
    }
}

/// Faults at the values of a card that paths lead to; the card is read once, however many there
/// are.
pub fn faults_in<'a>(
    origin: &Origin,
    faults: impl IntoIterator<Item = ([&'a str; 2], String)>,
) -> Vec<Fault> {
    let text = match origin {
        Origin::File(card) => read_text(card).ok(),
        Origin::Pack(_) | Origin::Embedded(_) => None,
    };
    let locator = text.as_ref().map(|text| Locator::new(&text.file, text.text()));
    let fault = |(path, message): ([&str; 2], String)| match &locator {
        Some(locator) => locator.fault(&path, message),
        None => fault_in(origin, &path, message),
    };
    faults.into_iter().map(fault).collect()
}

/// A fault at the value of a card that `path` leads to.
pub fn fault_in(origin: &Origin, path: &[&str], message: String) -> Fault {
    match origin {
        Origin::File(card) => match read_text(card) {
            Ok(text) => Locator::new(&text.file, text.text()).fault(path, message),
            Err(_) => Fault::of_file(card.display().to_string(), message),
        },
        Origin::Pack(pack) => Fault::of_file(pack, message),
        Origin::Embedded(name) => Fault::of_file(name, message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_read_once_however_many_faults_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let card = folder.path().join("card.toml");
        std::fs::write(&card, "[subsets]\na = {}\nb = {}\n").unwrap();
        let origin = Origin::File(card.clone());
        let faults = ["a", "b"].into_iter().map(|subset| {
            // One that was read again would not be there.
            let _ = std::fs::remove_file(&card);
            (["subsets", subset], format!("{subset} is absent"))
        });
        let said: Vec<String> = faults_in(&origin, faults).iter().map(ToString::to_string).collect();
        assert!(said[0].ends_with("card.toml:2:1: a is absent"), "{said:?}");
        assert!(said[1].ends_with("card.toml:3:1: b is absent"), "{said:?}");
    }
}
