//! What scores have cost: time, memory, bytes, energy. For people and tables; no identity and no score depends on it.

mod counters;
mod energy;
mod gpu;
mod phases;
mod record;
mod weights;

pub use counters::Counters;
pub use energy::Energy;
pub use gpu::{Gpu, Gpus, count_of_cards};
pub use phases::{Phase, PhaseLog, Stretch, Work, Works};
pub use record::{Footprint, Setting, device_name, in_short, summed};
pub use weights::{Weights, weights_of};
