//! The options that several commands share, a group a file, each with its heading in `--help`.

mod board;
mod compute;
mod filter;
mod format;
mod job;
mod model;
mod place;
mod recorded;
mod rerank;
mod shard;
mod shard_state;
mod value;

pub use board::BoardArgs;
pub use compute::{WorkerArgs, amount};
pub use filter::FilterArgs;
pub use format::{Format, FormatArgs, print_grid};
pub use job::{JobArgs, MeasureArgs};
pub use model::{DtypeName, PythonArgs, card_of, device, exit, start_encoder, start_encoders};
pub use place::{CacheOptionArgs, OutputArgs, PlaceArgs};
pub use recorded::{ArgumentsError, Recorded};
pub use rerank::{Around, RerankArgs};
pub use shard::{Shard, ShardArgs, ShardNumberError, arguments_of, command_of, shard_number};
pub use value::{ValueError, parse_key, parse_whole};
