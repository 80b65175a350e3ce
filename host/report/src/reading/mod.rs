//! Reading of result folders of all ages: `<model>/<revision>/<Task>.json` and `experiments/` below a revision.

mod checks;
mod collection;
mod content;
mod doubt;
mod file_fault;
mod footprint;
mod form_fault;
mod historic;
mod index;
mod layout;
mod meta;
mod number;
mod raw_entry;
mod read;
mod result;

pub use checks::Checks;
pub use collection::{
    Before, ByUnit, Collection, Entry, LeftOut, OfOthers, ResultFile, ResultsFolder, ScoreOrigin,
    is_of_own_data, newest_state,
};
pub use footprint::Footprint;
pub use meta::Meta;
pub use read::{Options, ReadError, read};
