//! `mteb-host validate`: checks cards and registries, first by their schema, then by their meaning;
//! with `--data` data. `mteb-host schema` prints the schemas.

pub mod data;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mteb_card::TaskType;
use mteb_graded::judge::card_schema;
use mteb_models::model::check_with_models;
use mteb_plugin_api::schema;
use mteb_registry::{Validation, known_registries, validate};
use mteb_report::grid::Grid;
use mteb_report::output::rows_grid;
use mteb_source::absent_files;
use mteb_workers::settings::{Settings, TimeLimit};
use serde_json::{Value, json};

use self::data::validate_data;
use super::arguments::{FilterArgs, FormatArgs, PlaceArgs};
use super::discover::discover;
use crate::exit::Exit;
use crate::output;
use crate::view::check_page_languages;

/// Seconds that an evaluator may take to load, or a pack to hand over 128 kB of rows: nobody waits longer for a check.
const LOADING_SECONDS: u64 = 120;

/// Arguments of `validate`.
#[derive(Args, Debug)]
pub struct ValidateArgs {
    /// Card, registry file, folder of cards, or registry name, which takes precedence over a folder
    /// of the same name; with `--data` also a task name [default: all known registries; none with
    /// `--data`].
    #[arg(value_name = "FILE|DIR|REGISTRY|TASK")]
    what: Vec<String>,
    /// Also check the data: values that are invalid for its task type, and violations of the
    /// `quality` table of its card.
    #[arg(long)]
    data: bool,
    /// Look for the evaluation texts in every other dataset in the hub cache, by hashes of their
    /// character n-grams; nothing is downloaded.
    #[arg(long, requires = "data")]
    contamination: bool,
    /// Python interpreter or virtual environment for evaluators in Python: with `--data`, those
    /// that you trust are loaded, so that missing packages are found before a run [default: as for
    /// `run`].
    #[arg(long, value_name = "PATH", requires = "data")]
    python: Option<PathBuf>,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl ValidateArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let is_narrowed = self.filter != FilterArgs::default();
        if self.data && self.what.is_empty() && !is_narrowed {
            return output::usage(
                "expected a card, a folder of cards, a registry or a task with `--data`, found none; without \
                 `--data` all known cards are checked",
            );
        }
        if self.data {
            let settings = Settings {
                python: self.python,
                time_limit: TimeLimit::new(LOADING_SECONDS),
                ..self.place.settings()
            };
            return validate_data(&self.what, &self.filter, settings, (self.format, self.contamination));
        }
        if is_narrowed {
            return output::usage("task filters need `--data`: without it every named card is checked");
        }
        let settings = self.place.settings();
        let catalog = discover(&settings);
        let what = match self.what.is_empty() {
            true => known_registries().into_iter().map(|(name, _)| name).collect(),
            false => self.what,
        };
        let named: Vec<(&str, bool)> = what.iter().map(|what| (what.as_str(), is_folder(what))).collect();
        let mut all = validate(&named, &catalog);
        all.faults.extend(check_with_models(&all.models, &catalog, &settings));
        all.faults.extend(absent_files(&all.tasks, &settings));
        let (faults, oddities) = check_page_languages(&all.page_languages);
        all.faults.extend(faults);
        all.warnings.extend(oddities);
        let answer = || json!({ "checked": all.checked, "included": all.included, "faults": all.faults, "warnings": all.warnings });
        if let Some(exit) = self.format.print(answer, faults_grid) {
            return if all.faults.is_empty() { exit } else { exit_of_faults(&all) };
        }
        all.warnings.iter().for_each(output::warn);
        for fault in &all.faults {
            output::error(fault);
        }
        if all.faults.is_empty() {
            let included = match all.included {
                0 => String::new(),
                count => format!(" and {} included from mteb-host or packs", output::count(count, "card")),
            };
            return output::print(&format!(
                "{}{included} checked, no faults",
                output::count(all.checked, "file")
            ));
        }
        output::error(format!(
            "{} in {}",
            output::count(all.faults.len(), "fault"),
            output::count(all.checked, "file")
        ));
        exit_of_faults(&all)
    }
}

/// The exit code for faults: data that is not there is no fault of its card.
fn exit_of_faults(all: &Validation) -> Exit {
    if all.faults.iter().all(|fault| fault.is_of_data) { Exit::Failed } else { Exit::Usage }
}

/// A row a fault or warning.
fn faults_grid(answer: &Value) -> Grid {
    let rows = |kind: &'static str, found: &Value| -> Vec<Value> {
        let found = found.as_array().into_iter().flatten().cloned();
        found.map(|row| add_kind(kind, row)).collect()
    };
    let rows = [rows("fault", &answer["faults"]), rows("warning", &answer["warnings"])].concat();
    rows_grid(&["file", "line", "column", "message", "kind"], &rows.into())
}

fn add_kind(kind: &str, mut row: Value) -> Value {
    row["kind"] = kind.into();
    row
}

/// True if `what` is to be taken for a folder: the name of a registry goes before a folder of the same name.
fn is_folder(what: &str) -> bool {
    PathBuf::from(what).is_dir()
        && (what.contains('/') || known_registries().iter().all(|(name, _)| name != what))
}

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
                add_known_types(schema::task_card())
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
fn add_known_types(mut schema: Value) -> Value {
    let names: Vec<&str> = TaskType::known().into_iter().map(TaskType::as_str).collect();
    if let Some(known) = schema.pointer_mut("/$defs/TaskType/enum") {
        *known = json!(names);
    }
    schema
}
