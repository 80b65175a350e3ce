//! Reading of result folders of all ages: `<model>/<revision>/<Task>.json` and `experiments/` below
//! a revision.

mod checks;
mod collection;
mod index;
mod layout;
mod read;

pub use checks::Checks;
pub use collection::{
    Before, Collection, LeftOut, LeftOutPart, ResultsFolder, WhyLeftOut, WithoutMeta, newest_state,
};
pub use index::IndexedFault;
pub use mteb_results::reading::{ByUnit, Entry, Footprint, Meta, OfOthers, ScoreOrigin, Summary};
pub use read::{Options, ReadError, read};
