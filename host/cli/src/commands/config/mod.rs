//! Defaults of a folder: the file `mteb-host.toml` there sets options of commands that are started in it.

mod allowed;
mod apply;
mod file;
mod show;

pub use apply::with_defaults;
pub use file::{DefaultsError, FolderDefaults};
pub use show::{ConfigArgs, environment_help};
