//! The command line as its users type it.

mod listing;
mod new_task;
mod validation;
