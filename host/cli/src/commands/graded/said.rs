//! How a step ends that cannot go on: what is wrong is printed, and the exit code given.

use std::fmt::Display;

use crate::exit::Exit;
use crate::output;

/// The user asked for something that is not there or not possible.
pub fn usage(message: impl Display) -> Exit {
    output::error(message);
    Exit::Usage
}

/// Something failed.
pub fn failed(message: impl Display) -> Exit {
    output::error(message);
    Exit::Failed
}
