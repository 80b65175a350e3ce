//! What is known of models beside their results, and what they were trained on.

mod model;
mod zero_shot;

pub use model::{KnownModels, ModelFacts};
pub use zero_shot::{SimilarTasks, TrainedOn, zero_shot_share};
