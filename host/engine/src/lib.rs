//! Scores a model on tasks: reads and plans units, encodes their texts, computes and writes the scores of each.
//!
//! The path of a run through the crates: `mteb_workers::settings` say where things are; `mteb_workers::plugins` finds plugins,
//! `mteb_registry` finds tasks; `mteb_models::model` starts a model in a worker, `mteb_models::encode` asks it for embeddings, which
//! `mteb_cache` keeps; `mteb_source` brings the data of a task; [`run`] brings them together and writes `mteb_results`. Nothing here
//! prints or knows a terminal: who wants to see what happens gives an [`Observer`].
//!
//! A task of the bundled registry `indonesia`, scored with the model `hashing`:
//!
//! ```standalone_crate
//! use std::sync::Mutex;
//!
//! use mteb_engine::run::{RunOptions, run};
//! use mteb_models::encode::Encoder;
//! use mteb_models::model::{ModelChoice, Silent};
//! use mteb_plugin_api::bundled;
//! use mteb_plugin_api::v1::Bundled;
//! use mteb_registry::{Filter, Registries, select};
//! use mteb_source::DataSources;
//! use mteb_workers::plugins::{Catalog, bundle};
//! use mteb_workers::settings::Settings;
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     // The model and the pack are parts of this program.
//!     static PLUGINS: [Bundled; 2] = [bundled!(mteb_plugin_hashing), bundled!(mteb_plugin_indonesia)];
//!     bundle(&PLUGINS);
//!     // Plugins and parsers of files run in processes of this very program.
//!     if let Some(ended) = mteb_workers::work_if_asked() {
//!         return Ok(ended?);
//!     }
//! #   let folder = tempfile::tempdir()?;
//! #   let folder = folder.path();
//!     let settings = Settings::new(Vec::new(), Some(folder.join("cache")), None, true);
//!     let catalog = Catalog::discover(&settings);
//!     let registries = Registries::load(&["indonesia".to_owned()], &catalog);
//!     let wanted = Filter { tasks: vec!["IndonesianGeneralSTS".to_owned()], ..Filter::default() };
//!     let tasks = select(&registries, &wanted)?;
//!     let model = ModelChoice::new("hashing").start(&catalog, &settings, &[], &Silent)?;
//!     let model = Mutex::new(Encoder::new(model, 0));
//!     let mut sources = DataSources::new(settings, &catalog);
//!     let options = RunOptions::new(folder.join("results"));
//!     let report = run(&tasks, &model, &mut sources, &options, &Silent)?;
//!     let score = report.tasks[0].units[0].outcome.score();
//!     assert!(score.is_some_and(|score| score > 0.2), "{score:?}");
//!     Ok(())
//! }
//! ```

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod efficiency;
mod observer;
pub mod own_types;
pub mod run;
pub mod shards;

pub use observer::Observer;
