//! Why the task types and measures of a pack cannot be declared.

use std::path::PathBuf;

use mteb_card::DeclareError;

/// A declaration of a pack that cannot be right, or stands against another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeclareFault {
    /// A type cannot be what is declared of it.
    #[error("{}: the type {name}, {field}: {message}", .plugin.display())]
    Type {
        /// The plugin's file.
        plugin: PathBuf,
        /// Name of the type.
        name: String,
        /// The field, with a point between the parts of its path.
        field: String,
        /// What was expected and found there.
        message: String,
    },
    /// A measure cannot be what is declared of it.
    #[error("{}: the measure {name}, {field}: {message}", .plugin.display())]
    Measure {
        /// The plugin's file.
        plugin: PathBuf,
        /// `pack/name`.
        name: String,
        /// The field, with a point between the parts of its path.
        field: String,
        /// What was expected and found there.
        message: String,
    },
    /// A measure of a pack names a file that computes it.
    #[error("{}: the measure {name}: expected no `evaluator` of a pack, found one", .plugin.display())]
    Evaluator {
        /// The plugin's file.
        plugin: PathBuf,
        /// `pack/name`.
        name: String,
    },
    /// Nothing can be called so, or another has the name.
    #[error("{}: {source}; rename one of them", .plugin.display())]
    Name {
        /// The plugin's file.
        plugin: PathBuf,
        /// Why not.
        source: DeclareError,
    },
}
