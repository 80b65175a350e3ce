//! The options that several commands share, a group a file, each with its heading in `--help`.

mod board;
mod cache;
mod filter;
mod format;
mod job;
mod keep;
mod metadata;
mod model;
mod place;
mod recorded;
mod remote;
mod rerank;
mod shard;
mod shard_state;
mod size;
mod value_error;
mod whole;
mod worker;

pub use board::BoardArgs;
pub use cache::CacheOptionArgs;
pub use filter::FilterArgs;
pub use format::{Format, FormatArgs, print_grid};
pub use job::JobArgs;
pub use keep::MeasureArgs;
pub use model::{DtypeName, PythonArgs, card_of, device, exit};
pub use place::{OutputArgs, PlaceArgs};
pub use recorded::Recorded;
pub use remote::amount;
pub use rerank::{Around, RerankArgs};
pub use shard::{Shard, ShardArgs, ShardNumberError, arguments_of, command_of, shard_number};
pub use value_error::ValueError;
pub use whole::whole;
pub use worker::WorkerArgs;
