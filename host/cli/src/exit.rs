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

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Refused => 3,
            Exit::Never => 42,
            Exit::Interrupted => INTERRUPTED,
        })
    }
}
