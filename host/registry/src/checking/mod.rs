//! Checks cards and registries: their form, then their meaning, then that names mean one thing.

pub mod columns_meaning;
pub mod dataset_meaning;
pub mod form;
pub mod form_keys;
pub mod form_message;
pub mod meaning;
pub mod model_meaning;
pub mod protocol_meaning;
pub mod quality_meaning;
pub mod registry_meaning;
pub mod same_name;
pub mod successors;
pub mod validate;
