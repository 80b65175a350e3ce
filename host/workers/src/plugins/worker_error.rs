//! Why a worker gave no answer.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use mteb_plugin_api::v1::{PluginError, code};

use super::bundled::is_bundled;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The plugin was refused.
    #[error("{0}")]
    Refused(String),
    /// The plugin does not do what the user asks for.
    #[error("{0}")]
    Unfit(String),
    /// The plugin's file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The machine, or a limit, leaves no room for the plugin's file.
    #[error("{0}")]
    Shortage(String),
    /// The plugin answered with an error.
    #[error("{}{error}", place_of(.plugin))]
    Plugin {
        /// The plugin's file.
        plugin: PathBuf,
        /// What it said.
        error: PluginError,
    },
    /// The process died.
    #[error("{}: the worker process {how}{last_words}", .plugin.display())]
    Died {
        /// The plugin's file.
        plugin: PathBuf,
        /// How it ended.
        how: String,
        /// What it printed last.
        last_words: String,
        /// True if memory ran out, or the system killed it, as it does then.
        is_memory: bool,
        /// True if it gave no answer in time and was ended.
        is_late: bool,
    },
    /// The run is to end.
    #[error("{}: interrupted", .0.display())]
    Interrupted(PathBuf),
    /// The process could not be started or spoken to.
    #[error("{}: cannot run a worker process: {source}", .plugin.display())]
    Io {
        /// The plugin's file.
        plugin: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl WorkerError {
    /// True if a smaller batch may work.
    pub fn is_memory(&self) -> bool {
        match self {
            Self::Plugin { error, .. } => error.code == code::OUT_OF_MEMORY,
            Self::Died { is_memory, .. } => *is_memory,
            _ => false,
        }
    }

    /// True if there was no room for the plugin: nothing is wrong with it.
    pub fn is_shortage(&self) -> bool {
        match self {
            Self::Shortage(_) => true,
            Self::Io { source, .. } => is_shortage(source.kind()),
            _ => false,
        }
    }

    /// True if the process is gone.
    pub fn is_death(&self) -> bool {
        matches!(self, Self::Died { .. })
    }

    /// True if it gave no answer in time: another one would take as long.
    pub fn is_late(&self) -> bool {
        matches!(self, Self::Died { is_late: true, .. })
    }

    /// True if the run is to end.
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Interrupted(_))
    }

    /// True if asking again can never help.
    pub fn is_final(&self) -> bool {
        match self {
            Self::Refused(_) | Self::Unfit(_) => true,
            Self::Plugin { error, .. } => {
                matches!(error.code, code::INVALID_INPUT | code::NOT_FOUND | code::UNSUPPORTED)
            }
            _ => false,
        }
    }
}

/// The plugin's file before what it said. A part of the program is no place where anybody could look.
fn place_of(plugin: &Path) -> String {
    if is_bundled(plugin) { String::new() } else { format!("{}: ", plugin.display()) }
}

/// True of what the system says where memory, disk or a limit is used up.
pub(super) fn is_shortage(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::OutOfMemory | ErrorKind::FileTooLarge | ErrorKind::StorageFull)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_part_of_the_program_says_has_no_file_before_it() {
        let said = |plugin: &str| {
            let error = PluginError { code: code::FAILED, message: "expected rows".to_owned() };
            WorkerError::Plugin { plugin: plugin.into(), error }.to_string()
        };
        assert_eq!(said("builtin:python"), "expected rows");
        assert_eq!(said("/plugins/own.so"), "/plugins/own.so: expected rows");
    }

    #[test]
    fn a_machine_without_room_is_no_fault_of_the_plugin() {
        let cannot = |kind: ErrorKind| WorkerError::Io { plugin: "/a.so".into(), source: kind.into() };
        assert!(WorkerError::Shortage(String::new()).is_shortage());
        assert!(
            cannot(ErrorKind::OutOfMemory).is_shortage() && cannot(ErrorKind::FileTooLarge).is_shortage()
        );
        assert!(
            !cannot(ErrorKind::NotFound).is_shortage() && !WorkerError::Refused(String::new()).is_shortage()
        );
    }
}
