//! Reads result files of all ages and makes tables, statistics, pages and figures of them.
//!
//! Data flows one way: folders are [read](reading), revisions of a model are joined (`join_own` for results of this host,
//! [join] for others), scores become a [table](table); [statistics], [outputs](output), [pages](page) and [figures](figure) are made of tables.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod benchmark;
pub mod compare;
pub mod facts;
pub mod figure;
pub mod grid;
pub mod join;
pub mod outcomes;
pub mod output;
pub mod page;
pub mod reading;
mod reduction;
pub mod statistics;
pub mod table;

pub use grid::{percent, percent_or_dash};
pub use mteb_files::{visible, visible_line};
pub use reduction::{Reduction, ReductionError};
