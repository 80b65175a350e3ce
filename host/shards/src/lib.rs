//! Plans that cut a run into shards for several machines: the file of a plan, the file in which a shard says how far it is, the
//! estimate of what units take, the packing of units into shards of equal length, and the mirror of a shard's folder in an object store.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod canonical;
mod cost;
mod error;
mod mirror;
mod objects;
mod pack;
mod plan;
mod state;

pub use cost::{Cost, Size, default_speed};
pub use error::{MirrorError, PlanError};
pub use mirror::{Mirror, UnitsOf, fetch_all, fetch_states};
pub use objects::{Object, Objects, Over, StoreError};
pub use pack::{Bundle, Piece, pack, pack_within};
pub use plan::{PlannedRange, PlannedShard, PlannedTask, PlannedUnit, ShardPlan, SizeSource, schema};
pub use state::{FailedUnit, STATE_FILE, ShardState, State};
