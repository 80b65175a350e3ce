//! Defaults of a folder: the file `mteb-host.toml` there sets options of commands that are started in it.

mod allowed;
mod file;
mod show;

pub use file::{DefaultsError, FolderDefaults, set_defaults};
pub use show::{ConfigArgs, environment_help};
