//! How the program ends.

use std::process::ExitCode;

/// Exit code of a run that was interrupted, as shells count it.
pub const INTERRUPTED: u8 = 130;

/// Exit codes; scripts depend on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All that was asked for was done.
    Done,
    /// Some unit failed; the summary names it.
    Failed,
    /// Wrong usage, or an invalid card or registry.
    Usage,
    /// A plugin was refused.
    Refused,
    /// This will never succeed; do not retry.
    Never,
    /// The run was interrupted; the same command goes on.
    Interrupted,
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Refused => 3,
            Self::Never => 42,
            Self::Interrupted => INTERRUPTED,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
