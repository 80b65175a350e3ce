//! Why a worker gave no answer.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_plugin_api::RowForm;
use mteb_plugin_api::v1::{ENCODE_ROWS, PluginError, code};

use super::bundled::is_bundled;
use super::lock::LockError;
use super::private::OpenPlace;
use super::trust_error::TrustError;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// The worker refuses the plugin, in its own words.
    #[error("{0}")]
    Refused(String),
    /// The file is none of a plugin.
    #[error(
        "{}: expected a plugin, found a file that exports none; remove it, or move what plugins link into a folder below",
        .0.display()
    )]
    NoPlugin(PathBuf),
    /// The plugin's file is larger than one may be.
    #[error("{}: {source}", .plugin.display())]
    TooLarge {
        /// The plugin's file.
        plugin: PathBuf,
        /// How large it is.
        source: io::Error,
    },
    /// The lock of its folder does not let the plugin pass.
    #[error("{source}{}", if *.is_given { " (`--trust-plugin` does not change that lock)" } else { "" })]
    Locked {
        /// Why not.
        source: LockError,
        /// True if the command line trusts the file.
        is_given: bool,
    },
    /// The user does not trust the plugin.
    #[error(transparent)]
    Untrusted(#[from] TrustError),
    /// The user does not trust the plugin, and others can change the folder of the program, in which it lies.
    #[error("{source} (it is next to the executable, but {open})")]
    OpenBeside {
        /// Why it is not trusted.
        source: TrustError,
        /// What others can change.
        open: Arc<OpenPlace>,
    },
    /// What a model says of itself is of another form.
    #[error("{}: the model's description is not valid: {source}", .plugin.display())]
    Description {
        /// The plugin's file.
        plugin: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A model has rows that its plugin does not say to give.
    #[error(
        "{}: expected `{ENCODE_ROWS}` among the features of a plugin with {} embeddings, found none",
        .plugin.display(), .rows.name()
    )]
    NoRows {
        /// The plugin's file.
        plugin: PathBuf,
        /// Form of the model's rows.
        rows: RowForm,
    },
    /// The workers of a model do not say the same of it.
    #[error(
        "{}: expected the same model in all workers, found one that describes itself differently; start the run again",
        .0.display()
    )]
    OtherWorker(PathBuf),
    /// A worker that takes the place of another says other things of the model.
    #[error(
        "{}: expected the plugin and the model with which the run began, found others, because they were changed \
         meanwhile; start the run again",
        .0.display()
    )]
    ChangedModel(PathBuf),
    /// A model that ranks by words is asked to encode.
    #[error(
        "model {0} ranks documents and cannot encode: choose retrieval or reranking tasks, such as \
         `--task-type Retrieval`, or another model"
    )]
    RanksOnly(String),
    /// There is nobody to ask.
    #[error("expected a worker of the model, found none")]
    NoWorker,
    /// The model does not do what the user asks for.
    #[error("{}: {source}", .plugin.display())]
    Unfit {
        /// The plugin's file.
        plugin: PathBuf,
        /// What it does not obey.
        source: Box<dyn Error + Send + Sync>,
    },
    /// There is no interpreter that may run the code.
    #[error(transparent)]
    NoInterpreter(Box<dyn Error + Send + Sync>),
    /// The plugin's file is not there.
    #[error("{}: expected a file, found none", .0.display())]
    Absent(PathBuf),
    /// The plugin's file cannot be read.
    #[error("{}: cannot read the file: {source}", .plugin.display())]
    Unreadable {
        /// The plugin's file.
        plugin: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What a plugin declares is of another form.
    #[error("{}: {what} is not valid: {source}", .plugin.display())]
    Invalid {
        /// The plugin's file.
        plugin: PathBuf,
        /// What it declares, in words.
        what: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A pack gives a card that is no text.
    #[error("{}: expected a card as text, found: {found}", .plugin.display())]
    NoCard {
        /// The plugin's file.
        plugin: PathBuf,
        /// What it gives.
        found: serde_json::Value,
    },
    /// The machine, or a limit, leaves the worker no room for the plugin's file, in the worker's words.
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
            Self::Io { source, .. } | Self::Unreadable { source, .. } => is_shortage(source.kind()),
            _ => false,
        }
    }

    /// True if the plugin, or the model, is not to run.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Refused(_)
                | Self::NoPlugin(_)
                | Self::TooLarge { .. }
                | Self::Locked { .. }
                | Self::Untrusted(_)
                | Self::OpenBeside { .. }
                | Self::Description { .. }
                | Self::NoRows { .. }
                | Self::OtherWorker(_)
                | Self::ChangedModel(_)
                | Self::RanksOnly(_)
                | Self::NoWorker
        )
    }

    /// True if it does not do what the user asks for, or there is nobody to do it.
    pub fn is_unfit(&self) -> bool {
        matches!(self, Self::Unfit { .. } | Self::NoInterpreter(_))
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
            error if error.is_refusal() || error.is_unfit() => true,
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
        let unreadable =
            |kind: ErrorKind| WorkerError::Unreadable { plugin: "/a.so".into(), source: kind.into() };
        assert!(unreadable(ErrorKind::StorageFull).is_shortage());
        assert!(!unreadable(ErrorKind::PermissionDenied).is_shortage());
    }

    #[test]
    fn what_is_refused_is_not_asked_again() {
        let (refused, unfit) = (WorkerError::NoWorker, WorkerError::NoInterpreter("none".into()));
        assert!(refused.is_refusal() && refused.is_final() && !refused.is_unfit());
        assert!(unfit.is_unfit() && unfit.is_final() && !unfit.is_refusal());
        let absent = WorkerError::Absent("/a.so".into());
        assert!(!absent.is_refusal() && !absent.is_final());
    }

    #[test]
    fn a_lock_that_the_command_line_does_not_change_says_so() {
        let locked =
            |is_given| WorkerError::Locked { source: LockError::Unlisted("d/a.so".into()), is_given };
        assert!(
            locked(true)
                .to_string()
                .ends_with("--plugin-dir d` (`--trust-plugin` does not change that lock)")
        );
        assert!(locked(false).to_string().ends_with("--plugin-dir d`"));
    }
}
