//! The reader of result files of all ages, and of `model_meta.json` beside them.
//!
//! A file that is to be changed or checked is a [`ResultFile`](crate::ResultFile), which has all
//! that stands in it. Tables need little of tens of thousands of files: a [`Summary`].

mod doubt;
mod footprint;
mod historic;
mod main_of_old;
mod meta;
mod number;
mod open;
mod origins;
mod other_main;
mod raw_entry;
mod raw_file;
mod read;
mod summary;
mod version;

pub use footprint::Footprint;
pub(crate) use historic::read_old_form;
pub(crate) use main_of_old::{historic_score, split_of_today};
pub use main_of_old::{old_score, old_split};
pub use meta::{Meta, read_meta};
pub(crate) use number::Number;
pub use number::{add_numbers, build_score_map, round_score};
pub use open::{named_units, read_host, read_json, read_text};
pub use other_main::OtherMain;
pub use read::{read_summary, read_summary_unchecked};
pub use summary::{ByUnit, Entry, OfOthers, ScoreOrigin, Summary};
pub(crate) use version::{OLDEST, is_readable};
pub use version::{PROTOCOL_VERSION, Version};
