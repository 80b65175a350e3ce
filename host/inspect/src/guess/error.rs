//! Why nobody can guess what a file is.

use mteb_tasks::TaskType;

/// Columns that no guess fits; `found` shows all of them, with what they hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GuessError {
    /// A column that was named is not there.
    #[error("expected a column `{column}`, found {found}")]
    Absent {
        /// Its name.
        column: String,
        /// The columns that are there.
        found: String,
    },
    /// The columns fit no type, or several.
    #[error(
        "expected columns that show the type of the task, found {found}; name it with `--type`, and its columns \
         with `--column`"
    )]
    NoType {
        /// The columns that are there.
        found: String,
    },
    /// The type needs a column that none of them can be.
    #[error(
        "expected a column for `{column}` of the type {task_type}, found {found}; name it with `--column {column}=NAME`"
    )]
    NoColumn {
        /// What the type calls it.
        column: &'static str,
        /// The type.
        task_type: TaskType,
        /// The columns that are there.
        found: String,
    },
}
