//! `mteb-host schema`: the JSON Schemas of cards, registries, manifests and results.

use clap::{Args, ValueEnum};
use mteb_engine::results;
use mteb_graded::judge::card_schema;
use mteb_plugin_api::schema;

use crate::exit::Exit;
use crate::output;

/// Arguments of `schema`.
#[derive(Args, Debug)]
pub struct SchemaArgs {
    /// Which form.
    what: What,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    TaskCard,
    ModelCard,
    JudgeCard,
    Registry,
    PluginManifest,
    Result,
}

impl SchemaArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        output::print_json(&match self.what {
            What::TaskCard => schema::task_card(),
            What::ModelCard => schema::model_card(),
            What::JudgeCard => card_schema(),
            What::Registry => schema::registry(),
            What::PluginManifest => schema::plugin_manifest(),
            What::Result => results::schema(),
        })
    }
}
