//! `mteb-host schema`: the JSON Schemas of cards, registries, manifests and results; of task cards with the types of the plugins.

use clap::{Args, ValueEnum};
use mteb_card::TaskType;
use mteb_graded::judge::card_schema;
use mteb_plugin_api::schema;
use serde_json::{Value, json};

use super::arguments::PlaceArgs;
use super::discover::discover;
use crate::exit::Exit;
use crate::output;

/// Arguments of `schema`.
#[derive(Args, Debug)]
pub struct SchemaArgs {
    /// Schema to print.
    what: What,
    #[command(flatten)]
    place: PlaceArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    TaskCard,
    ModelCard,
    JudgeCard,
    Registry,
    PluginManifest,
    Result,
    ShardPlan,
}

impl SchemaArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        output::print_json(&match self.what {
            What::TaskCard => {
                discover(&self.place.settings());
                with_known_types(schema::task_card())
            }
            What::ModelCard => schema::model_card(),
            What::JudgeCard => card_schema(),
            What::Registry => schema::registry(),
            What::PluginManifest => schema::plugin_manifest(),
            What::Result => mteb_results::schema(),
            What::ShardPlan => mteb_shards::schema(),
        })
    }
}

/// The schema of task cards, which knows the types that plugins declare, too.
fn with_known_types(mut schema: Value) -> Value {
    let names: Vec<&str> = TaskType::known().into_iter().map(TaskType::as_str).collect();
    if let Some(known) = schema.pointer_mut("/$defs/TaskType/enum") {
        *known = json!(names);
    }
    schema
}
