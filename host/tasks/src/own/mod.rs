//! Task types of packs and cards: one evaluator for all of them, which follows each declaration and
//! asks the plugin for the rest.

mod answer;
mod evaluator;
mod plan;
mod ranked_blocks;
mod runner;
mod services;
mod text_sets;

pub use evaluator::own_evaluator;
pub use plan::OUTCOME as OWN_OUTCOME;
pub use ranked_blocks::RankedBlocks;
pub use runner::{Block, Code, Declaration, TypeRunner, offsets, provide_runners, runner};
