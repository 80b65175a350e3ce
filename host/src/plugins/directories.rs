//! The folders in which plugins are looked for.

use std::path::PathBuf;

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
}

/// Every folder in the order of precedence: a plugin found earlier hides one of the same name found later.
pub fn directories(settings: &Settings) -> Vec<PluginDirectory> {
    let mut directories: Vec<PluginDirectory> =
        settings.plugin_dirs.iter().map(|path| named(path.clone(), "--plugin-dir")).collect();
    if let Some(paths) = std::env::var_os("MTEB_HOST_PLUGINS") {
        let paths = std::env::split_paths(&paths).filter(|path| !path.as_os_str().is_empty());
        directories.extend(paths.map(|path| named(path, "MTEB_HOST_PLUGINS")));
    }
    if let Some(folder) = executable_folder() {
        directories.push(usual(folder.join("plugins"), "beside the executable", false));
        directories.push(usual(folder, "beside the executable", true));
    }
    directories.push(usual(data_dir().join("plugins"), "user data folder", false));
    directories
}

fn named(path: PathBuf, origin: &'static str) -> PluginDirectory {
    PluginDirectory { path, origin, explicit: true, only_ours: false }
}

fn usual(path: PathBuf, origin: &'static str, only_ours: bool) -> PluginDirectory {
    PluginDirectory { path, origin, explicit: false, only_ours }
}

fn executable_folder() -> Option<PathBuf> {
    std::env::current_exe().ok()?.parent().map(PathBuf::from)
}
