//! What every crate of the host rests on: sizes in bytes, dates, threads, the interrupt, names and numbers of
//! things in messages, folders of the user, and where the program lies. Nothing here knows of
//! evaluation.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod byte_size;
pub mod calendar;
pub mod counted;
pub mod day;
pub mod interrupt;
pub mod program;
pub mod suggest;
pub mod threads;
pub mod user_folders;
