//! Where a card says that its data is: there, in a form that the task type takes, and not outside of its registry.

use std::path::{Path, PathBuf};

use mteb_card::TaskCard;
use mteb_tasks::facts;

use super::plain_path::plain_path;
use super::text::read_text;
use super::{Fault, Locator, Origin, RegistrySource, TaskEntry};

/// What is said of an empty `path`.
pub const NO_PATH: &str = "expected a file or a folder, found an empty path; `.` is the card's own folder";

/// The file or folder that the card's `path` names; it is there.
///
/// # Errors
/// The fault at its place in the card, if nothing is there, it lies outside of the registry's folder, or a part that the
/// card names is absent.
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
            format!("expected a card in a file, for `path` is relative to it, found: {path}"),
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
    if found.is_file() && (entry.card.task_type.is_ranking() || needs_training(&entry.card)) {
        let message = format!(
            "a task of type {} needs several files; expected a folder, found the file {}",
            entry.card.task_type,
            found.display()
        );
        return Err(at(&place, message));
    }
    for (part, source) in &entry.card.dataset.parts {
        // What stands for subsets and splits is looked for when they are read.
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

/// The folder that a task's data may not leave, links followed: that of its registry, or of its card if that lies
/// elsewhere.
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

/// True if the type draws its few-shot examples from a training split.
pub fn needs_training(card: &TaskCard) -> bool {
    facts(card.task_type).learns && card.protocol.cross_validation.is_none()
}

/// The same of one subset: one that holds some of its rows out learns from the others.
pub fn needs_training_split(card: &TaskCard, subset: &str) -> bool {
    needs_training(card) && card.hold_out(subset).is_none()
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
