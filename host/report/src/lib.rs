//! Reads result files of all ages and makes tables, statistics, pages and figures of them.
//!
//! Data flows one way: folders are [read](reading), revisions of a model are [joined](join), scores become a
//! [table](table); [statistics], [outputs](output), [pages](page) and [figures](figure) are made of tables.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod benchmark;
pub mod facts;
pub mod join;
pub mod reading;
pub mod table;
mod version;
