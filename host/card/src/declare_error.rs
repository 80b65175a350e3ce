//! Why a type or a measure cannot be declared.

/// A name that a type or a measure cannot have, or that has another meaning already.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeclareError {
    /// No type can be called so.
    #[error("expected a type named with letters, digits, `-` and `_`, found: {0}")]
    TypeName(String),
    /// It is the name of a type of the host.
    #[error("expected a name that no built-in type has, found: {0}")]
    BuiltIn(String),
    /// Another type has the name in other letters.
    #[error("expected a type with a name of its own, found `{name}`, which is `{taken}` in other letters")]
    OtherLetters {
        /// The name that was declared.
        name: String,
        /// The name of the other type.
        taken: &'static str,
    },
    /// Another one declares the type, and differently.
    #[error("expected a type with a name of its own, found `{name}`, which {by} declares differently")]
    OtherType {
        /// Name of the type.
        name: String,
        /// Who declares it.
        by: String,
    },
    /// No measure can be called so.
    #[error("expected a measure called by letters, digits, `_`, `-` and `.`, found: {0}")]
    MeasureName(String),
    /// Another one declares the measure, and differently.
    #[error("expected a measure with a name of its own, found `{name}`, which {by} declares otherwise")]
    OtherMeasure {
        /// Name of the measure.
        name: String,
        /// Who declares it.
        by: String,
    },
}
