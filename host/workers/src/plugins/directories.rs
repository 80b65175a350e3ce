//! The folders in which plugins are looked for, and the libraries in them.

use std::env::consts::DLL_EXTENSION;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_base::user_folders::data_dir;

use super::private::{OpenPlace, check_alone, check_way, is_fixed};
use crate::settings::Settings;

/// One folder that may hold plugins.
#[derive(Clone, Debug)]
pub struct PluginDirectory {
    /// The folder.
    pub path: PathBuf,
    /// Why it is looked at, for people.
    pub origin: &'static str,
    /// True if the user named the folder, or it is the user's own; a file in it that is refused fails the command.
    pub explicit: bool,
    /// True if it may be absent.
    pub optional: bool,
    /// True if only files of this project's naming count, because other libraries lie there too.
    pub only_ours: bool,
    /// The folder without links if it lies beside the executable, so that its plugins were installed with it; why not if others
    /// can change something there.
    beside: Option<Result<PathBuf, Arc<OpenPlace>>>,
}

/// Every folder in the order of precedence: a plugin found earlier hides one of the same name found later.
pub fn directories(settings: &Settings) -> Vec<PluginDirectory> {
    let executable = executable_folder();
    let named = |path: PathBuf, origin| {
        let beside = beside(&path, executable.as_deref());
        PluginDirectory { path, origin, explicit: true, optional: false, only_ours: false, beside }
    };
    let mut directories: Vec<PluginDirectory> =
        settings.plugin_dirs.iter().map(|path| named(path.clone(), "--plugin-dir")).collect();
    if let Some(paths) = std::env::var_os("MTEB_HOST_PLUGINS") {
        // A relative path would make the current folder a source of code.
        let paths = std::env::split_paths(&paths).filter(|path| is_fixed(path));
        directories.extend(paths.map(|path| named(path, "MTEB_HOST_PLUGINS")));
    }
    let installed = executable.iter().flat_map(|folder| [folder.join("plugins"), folder.clone()]);
    for (path, only_ours) in installed.zip([false, true]) {
        let (origin, beside) = ("next to the executable", beside(&path, executable.as_deref()));
        directories.push(PluginDirectory {
            path,
            origin,
            explicit: false,
            optional: true,
            only_ours,
            beside,
        });
    }
    let (path, origin) = (data_dir().join("plugins"), "user data folder");
    if path.is_absolute() {
        directories.push(PluginDirectory {
            path,
            origin,
            explicit: true,
            optional: true,
            only_ours: false,
            beside: None,
        });
    }
    directories
}

/// A line for each relative folder of `MTEB_HOST_PLUGINS`, in which no plugin is looked for.
pub fn relative_directories() -> Vec<String> {
    let paths = std::env::var_os("MTEB_HOST_PLUGINS").unwrap_or_default();
    let relative = std::env::split_paths(&paths)
        .filter(|path| !path.as_os_str().is_empty() && !is_fixed(path))
        .map(|path| {
            format!(
                "`MTEB_HOST_PLUGINS`: expected absolute folders, found one that is left out: {}",
                path.display()
            )
        });
    relative.collect()
}

impl PluginDirectory {
    /// Whether the plugin that the folder has as `entry` counts as installed with the executable, where `file`, of which the
    /// system says `found`, was read for it; `None` if it does not lie beside it.
    ///
    /// # Errors
    /// If others can change it, its folder, or anything on the way by which a link leads to it.
    pub fn takes_as_installed(
        &self,
        entry: &Path,
        (file, found): (&Path, &Metadata),
    ) -> Option<Result<(), Arc<OpenPlace>>> {
        let folder = match self.beside.as_ref()? {
            Ok(folder) => folder,
            Err(open) => return Some(Err(Arc::clone(open))),
        };
        let entry = folder.join(entry.file_name()?);
        // Where it leads may be safe while a link between is one that others can turn elsewhere.
        let checked = match entry == file {
            true => check_alone(file, found),
            false => check_way(&entry).and_then(|()| check_way(file)),
        };
        Some(checked.map_err(Arc::new))
    }

    /// True if its plugins count as part of the host.
    pub fn is_installed(&self) -> bool {
        matches!(self.beside, Some(Ok(_)))
    }
}

/// The folder without links, if it is one of those beside the executable and others can change nothing there. Who can
/// change what is above the executable can replace it, too.
fn beside(path: &Path, executable: Option<&Path>) -> Option<Result<PathBuf, Arc<OpenPlace>>> {
    let executable = executable?;
    let canonical = path.canonicalize().ok()?;
    let plugins = executable.join("plugins");
    let is_below = canonical == executable || canonical == plugins;
    if !is_below && plugins.canonicalize().ok().as_ref() != Some(&canonical) {
        return None;
    }
    let check = |folder: &Path| {
        let found = folder.metadata().map_err(OpenPlace::unknown(folder))?;
        check_alone(folder, &found)
    };
    let here =
        check(executable).and_then(|()| if is_below { check(&canonical) } else { check_way(&plugins) });
    Some(here.map(|()| canonical).map_err(Arc::new))
}

fn executable_folder() -> Option<PathBuf> {
    std::env::current_exe().ok()?.canonicalize().ok()?.parent().map(PathBuf::from)
}

/// Libraries of a folder, of which each may cost a process, a hash and a line.
const MOST_LIBRARIES: usize = 256;

/// How the plugins of this project are named.
const OURS: &str = "libmteb_";

/// The libraries right in `folder`, sorted; only those that are named as this project's where others lie there too.
///
/// # Errors
/// If the folder cannot be read, or holds more of them than are looked at.
pub fn library_files(folder: &Path, only_ours: bool) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_library = path.extension().is_some_and(|extension| extension == DLL_EXTENSION);
        if is_library && (!only_ours || name.starts_with(OURS)) {
            files.push(path);
        }
        if files.len() > MOST_LIBRARIES {
            return Err(io::Error::other(format!(
                "expected at most {MOST_LIBRARIES} libraries (`NAME.{DLL_EXTENSION}`) in it, found more, \
                 and loaded none; move away what is not a plugin"
            )));
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_too_many_libraries_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: String| fs::write(folder.path().join(name), "").unwrap();
        (0..MOST_LIBRARIES).for_each(|number| write(format!("libmteb_{number}.{DLL_EXTENSION}")));
        (0..MOST_LIBRARIES).for_each(|number| write(format!("other{number}.{DLL_EXTENSION}")));
        assert_eq!(library_files(folder.path(), true).unwrap().len(), MOST_LIBRARIES);
        let said = library_files(folder.path(), false).unwrap_err().to_string();
        let expected = format!("expected at most 256 libraries (`NAME.{DLL_EXTENSION}`) in it, found more");
        assert!(said.starts_with(&expected), "{said}");
    }
}
