//! What scores have cost: time, memory, bytes, energy. For people and tables; no identity and no score depends on it.

mod counters;
mod energy;
mod gpu;
mod phases;
mod record;
mod summed;
mod weights;
mod work;

pub use counters::Counters;
pub use energy::Energy;
pub use gpu::{Gpu, Gpus, count_of_cards};
pub use phases::{Phase, PhaseLog};
pub use record::{Footprint, Setting, device_name, in_short};
pub use summed::summed;
pub use weights::{Weights, weights_of};
pub use work::{Stretch, Work, Works};
