//! Registries of git repositories at a commit: `https://HOST/PATH@COMMIT`, fetched by the system's `git`, kept, and checked at each use.

mod address;
mod contents;
mod kept;
mod program;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use mteb_base::user_folders::cache_dir;

use crate::reading::folder::toml_files;
use crate::reading::text::read_text;
use crate::{Fault, RegistrySource};
use address::{Address, Named, Why};
use kept::Kept;
use program::Git;

pub use address::is_git_address;

/// Where registries are kept below the cache folder; the last part is the version of the form.
const FOLDER: [&str; 2] = ["registries", "v1"];

/// Where fetched registries lie, whether more may be fetched, and who is told.
struct Place {
    folder: PathBuf,
    /// The setting that forbids it.
    offline: Option<&'static str>,
    tell: fn(&str),
}

static PLACE: Mutex<Option<Place>> = Mutex::new(None);

/// The folders of the commits that this process reads, each with its address.
static READ: Mutex<Option<HashMap<PathBuf, String>>> = Mutex::new(None);

/// From now on registries of git addresses are kept in the folder `cache`, and fetched unless a
/// setting, `offline`, forbids it. `tell` hears what is fetched.
pub fn keep_fetched_registries(cache: PathBuf, offline: Option<&'static str>, tell: fn(&str)) {
    let place = Place { folder: below(cache), offline, tell };
    *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = Some(place);
}

fn below(cache: PathBuf) -> PathBuf {
    FOLDER.iter().fold(cache, |folder, name| folder.join(name))
}

/// The registry at a git address.
///
/// # Errors
/// If the address names no full commit, the commit cannot be fetched, its tree may not be read, or no one registry is in it.
pub fn registry_at(text: &str) -> Result<RegistrySource, Fault> {
    let mut place = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    let place =
        place.get_or_insert_with(|| Place { folder: below(cache_dir()), offline: None, tell: |_| {} });
    let address = Address::read(text).map_err(|why| Fault::of_file(text, why))?;
    let fault = |why: Why| Fault::of_file(&address.shown, why);
    let Named::Commit(commit) = &address.named else {
        return Err(fault(no_commit(&address, place.offline.is_some())));
    };
    let kept = Kept::at(&place.folder, &address, commit);
    if !kept.exists() {
        if let Some(setting) = place.offline {
            return Err(fault(format!(
                "expected the commit {commit} in the cache, because nothing is downloaded offline, found none; run the command \
                 once without `{setting}`"
            )));
        }
        (place.tell)(&format!("fetching registry {}", address.shown));
        kept.fetch(&address, commit).map_err(fault)?;
    }
    let tree = kept.checked().map_err(fault)?;
    let file = registry_file(&tree, &address).map_err(fault)?;
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    read.get_or_insert_default().insert(tree, address.pinned(commit));
    Ok(RegistrySource::File(file))
}

/// The address and the commit that the registry in `source` was fetched from; `None` if it was not fetched.
pub fn fetched_from(source: &RegistrySource) -> Option<String> {
    let RegistrySource::File(file) = source else { return None };
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let read = read.as_ref()?;
    file.ancestors().find_map(|folder| read.get(folder).cloned())
}

/// True if `file` belongs to a registry that was fetched: it is that of a commit, and is not changed.
pub fn is_fetched(file: &Path) -> bool {
    fetched_from(&RegistrySource::File(file.to_owned())).is_some()
}

/// What is said of an address without a full commit: the commit that its branch, tag or short hash stands for now.
fn no_commit(address: &Address, offline: bool) -> String {
    const EXPECTED: &str = "expected `@` and a full commit hash (40 hex digits) at the end of a git address";
    let found = match &address.named {
        Named::Reference(name) => format!("found the branch, tag or short hash `{name}`"),
        _ => "found none".to_owned(),
    };
    if offline {
        return format!("{EXPECTED}, {found}");
    }
    let wanted = match &address.named {
        Named::Reference(name) => name.as_str(),
        _ => "HEAD",
    };
    match Git::new(address).and_then(|git| git.commits_named(address, wanted)) {
        Err(why) => format!("{EXPECTED}, {found}; {why}"),
        Ok(commits) => match commits.as_slice() {
            [] => format!("{EXPECTED}, {found}, which the repository does not have"),
            [commit] => format!("{EXPECTED}, {found}; now it is `{}`", address.pinned(commit)),
            several => format!("{EXPECTED}, {found}, which {} commits begin with", several.len()),
        },
    }
}

/// The file of the registry: the one that the address names, else the only registry in the folder of the repository.
fn registry_file(tree: &Path, address: &Address) -> Result<PathBuf, Why> {
    if let Some(file) = &address.file {
        let path = tree.join(file);
        let is_inside = path.canonicalize().is_ok_and(|real| real.starts_with(tree) && real.is_file());
        return if is_inside {
            Ok(path)
        } else {
            Err(format!("expected the file {file} in the commit, found none"))
        };
    }
    let files = toml_files(tree).map_err(|error| format!("cannot read the cached commit: {error}"))?;
    let is_registry = |path: &PathBuf| read_text(path).is_ok_and(|text| text.is_registry());
    let mut registries: Vec<PathBuf> = files.into_iter().filter(is_registry).collect();
    match registries.len() {
        1 => Ok(registries.remove(0)),
        0 => Err("expected a registry (`NAME.toml`) in the folder of the repository, found none; name its file as \
                  `…@COMMIT:FOLDER/NAME.toml`"
            .to_owned()),
        _ => {
            let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let names: Vec<String> = registries.iter().map(name).collect();
            Err(format!(
                "expected one registry in the folder of the repository, found {}; name one as `…@COMMIT:{}`",
                names.join(", "),
                names[0]
            ))
        }
    }
}

#[cfg(test)]
mod tests;
