//! Task cards: one TOML file describes one task.

#[macro_use]
mod vocabulary_macro;

mod dataset;
mod expected;
mod license;
mod prompt;
mod protocol;
mod quality;
mod subset;
mod subtype;
mod task_card;
mod transform;
pub mod vocabulary;

pub use dataset::{Dataset, Layout, PartSource};
pub use expected::Expected;
pub use license::{LICENSES, is_license};
pub use prompt::Prompt;
pub use protocol::{KMeans, Protocol};
pub use quality::Quality;
pub use subset::Subset;
pub use task_card::{CardError, TaskCard};
pub use transform::{SoftLabels, Subsample};
