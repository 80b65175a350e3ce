//! The folders in which plugins are looked for.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::settings::{Settings, data_dir};

/// One folder that may hold plugins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginDirectory {
    /// The folder.
    pub path: PathBuf,
    /// Why it is looked at, for people.
    pub origin: &'static str,
    /// True if the user named the folder; a file in it that is refused fails the command.
    pub explicit: bool,
    /// True if only files of this project's naming count, because other libraries lie there too.
    pub only_ours: bool,
    /// True if its plugins were installed with the executable: who may write there may replace the host itself.
    pub installed: bool,
}

/// Every folder in the order of precedence: a plugin found earlier hides one of the same name found later.
pub fn directories(settings: &Settings) -> Vec<PluginDirectory> {
    let installed: Vec<PathBuf> =
        executable_folder().into_iter().flat_map(|folder| [folder.join("plugins"), folder]).collect();
    let named = |path: PathBuf, origin| {
        let canonical = path.canonicalize().unwrap_or_else(|_| path.clone());
        let installed = installed.contains(&canonical) && is_safe(&canonical);
        PluginDirectory { path, origin, explicit: true, only_ours: false, installed }
    };
    let mut directories: Vec<PluginDirectory> =
        settings.plugin_dirs.iter().map(|path| named(path.clone(), "--plugin-dir")).collect();
    if let Some(paths) = std::env::var_os("MTEB_HOST_PLUGINS") {
        // A relative path would make the current folder a source of code.
        let paths = std::env::split_paths(&paths).filter(|path| path.is_absolute());
        directories.extend(paths.map(|path| named(path, "MTEB_HOST_PLUGINS")));
    }
    for (path, only_ours) in installed.iter().cloned().zip([false, true]) {
        let (origin, installed) = ("beside the executable", is_safe(&path));
        directories.push(PluginDirectory { path, origin, explicit: false, only_ours, installed });
    }
    let (path, origin) = (data_dir().join("plugins"), "user data folder");
    if path.is_absolute() {
        directories.push(PluginDirectory {
            path,
            origin,
            explicit: false,
            only_ours: false,
            installed: false,
        });
    }
    directories
}

/// False if everybody may write to the file, or put files into the folder.
pub fn is_safe(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o002 == 0)
}

fn executable_folder() -> Option<PathBuf> {
    std::env::current_exe().ok()?.canonicalize().ok()?.parent().map(PathBuf::from)
}
