//! How a plugin says that something failed.

/// A failure inside a plugin: a code for programs and one line for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PluginError {
    /// One of [`code`]; an unknown code counts as [`code::FAILED`].
    pub code: u32,
    /// What was expected, what was found, where, and what to do.
    pub message: String,
}

/// Codes of [`PluginError`].
pub mod code {
    /// No failure.
    pub const OK: u32 = 0;
    /// Something failed; trying again may help.
    pub const FAILED: u32 = 1;
    /// The plugin does not do this.
    pub const UNSUPPORTED: u32 = 2;
    /// The input is wrong; trying again will not help.
    pub const INVALID_INPUT: u32 = 3;
    /// Memory ran out; a smaller batch may fit.
    pub const OUT_OF_MEMORY: u32 = 4;
    /// There is no such model, task, part, split or subset.
    pub const NOT_FOUND: u32 = 5;
    /// The plugin's code panicked.
    pub const PANIC: u32 = 6;
}

impl PluginError {
    /// An error with a code of [`code`].
    pub fn new(code: u32, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// A failure that may pass.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(code::FAILED, message)
    }

    /// Something the plugin does not do.
    pub fn unsupported(what: &str) -> Self {
        Self::new(code::UNSUPPORTED, format!("this plugin does not support `{what}`"))
    }

    /// Wrong input.
    pub fn invalid_input(message: impl Into<String>) -> Self {
        Self::new(code::INVALID_INPUT, message)
    }

    /// Something that does not exist.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(code::NOT_FOUND, message)
    }
}
