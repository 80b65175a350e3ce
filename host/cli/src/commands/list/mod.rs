//! `mteb-host list`: tasks, models, plugins, registries, benchmarks.

pub mod benchmarks;
mod task_row;
pub mod ways;

use clap::{Args, ValueEnum};
use mteb_card::ModelCard;
use mteb_models::model::Bm25Model;
use mteb_plugin_api::PluginKind;
use mteb_registry::{FoundCard, ModelCards, Registries, Selected};
use mteb_report::output::rows_grid;
use mteb_workers::plugins::{Catalog, FoundPlugin};
use rayon::prelude::*;
use serde_json::{Value, json};

use self::benchmarks::{benchmark_table, benchmarks};
use self::task_row::TaskRow;
use self::ways::describe_way;
use super::arguments::{FilterArgs, Format, FormatArgs, PlaceArgs, print_grid};
use super::discover::{consider_refusals, discover, discover_and_read_cards, say_refusals};
use super::show::BM25;
use crate::exit::Exit;
use crate::output;
use crate::view;

/// Arguments of `list`.
#[derive(Args, Debug)]
pub struct ListArgs {
    /// What to list.
    what: What,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    Tasks,
    Models,
    Plugins,
    Registries,
    Benchmarks,
}

impl ListArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let settings = self.place.settings();
        let reads_cards = match self.what {
            What::Tasks => self.filter.has_all_registries() && self.filter.task.is_empty(),
            What::Registries | What::Benchmarks => self.filter.has_all_registries(),
            What::Models | What::Plugins => false,
        };
        let catalog = if reads_cards { discover_and_read_cards(&settings) } else { discover(&settings) };
        say_refusals(&catalog);
        let exit = match (self.what, self.format.or(Format::Table)) {
            (What::Tasks, Format::Json) => self.tasks(&catalog).map(|tasks| print_tasks(&tasks)),
            (_, format) => self.rows(&catalog).map(|rows| self.print(rows, format)),
        };
        let exit = exit.unwrap_or_else(|exit| exit);
        consider_refusals(exit, &catalog)
    }

    fn print(&self, rows: Vec<Value>, format: Format) -> Exit {
        match format {
            Format::Table if matches!(self.what, What::Benchmarks) => {
                output::print_table(&benchmark_table(&rows))
            }
            Format::Table => output::print_table(&table(&rows)),
            Format::Json => output::print_json_list(&rows),
            format => print_grid(&rows_grid(&[], &Value::Array(rows)), format),
        }
    }

    fn rows(&self, catalog: &Catalog) -> Result<Vec<Value>, Exit> {
        Ok(match self.what {
            What::Models => {
                self.refuse_all_but(|filter| filter.language.clear())?;
                let all = models(catalog, &ModelCards::beside(&self.filter.registry));
                keep_languages(all, &self.filter.language)?
            }
            What::Plugins => {
                self.refuse_all_but(|_| {})?;
                plugins(catalog)
            }
            What::Tasks => self.tasks(catalog)?.par_iter().map(task_value).collect(),
            What::Registries => {
                self.refuse_all_but(|_| {})?;
                registries(&self.filter.whole_registries(catalog)?)
            }
            What::Benchmarks => {
                let registries = self.filter.whole_registries(catalog)?;
                let named = FilterArgs { registry: self.filter.registry.clone(), ..FilterArgs::default() };
                // Of tasks that are asked for, those benchmarks that have one of them.
                let wanted = match self.filter == named {
                    true => None,
                    false => Some(self.filter.select(&registries)?),
                };
                benchmarks(&registries, wanted.as_deref())
            }
        })
    }

    fn tasks(&self, catalog: &Catalog) -> Result<Vec<Selected>, Exit> {
        let registries = self.filter.registries(catalog)?;
        self.filter.select(&registries)
    }

    /// Refuses options that pick tasks where what is listed has none.
    fn refuse_all_but(&self, clear: impl Fn(&mut FilterArgs)) -> Result<(), Exit> {
        let mut others = self.filter.clone();
        others.registry.clear();
        clear(&mut others);
        if others == FilterArgs::default() {
            return Ok(());
        }
        let what = match self.what {
            What::Models => "models, which are filtered by `--language` only",
            What::Plugins => "plugins",
            _ => "registries",
        };
        output::error(format!(
            "expected no task filters, found some for a list of {what}; `list tasks` and `list benchmarks` \
             accept them"
        ));
        Err(Exit::Usage)
    }
}

fn print_tasks(tasks: &[Selected]) -> Exit {
    let rows: Vec<TaskRow> = tasks.iter().map(TaskRow).collect();
    output::print_json_list(&rows)
}

fn task_value(task: &Selected) -> Value {
    // Only keys that are no text have no value, and a row has none.
    serde_json::to_value(TaskRow(task)).unwrap_or_default()
}

/// The models that plugins bring, then those that have a card, then the styles of names that plugins run; a plugin that runs any folder runs the latter.
fn models(catalog: &Catalog, cards: &ModelCards) -> Vec<Value> {
    let (cards, faults) = cards.all();
    for fault in faults {
        output::warn(fault);
    }
    let plugins = catalog.plugins.iter().filter(|plugin| plugin.manifest.kind == PluginKind::Model);
    let brought = plugins
        .flat_map(|plugin| plugin.manifest.models.iter().map(move |model| (plugin, model)))
        // Nobody but the package `mteb_host` asks for a model that lives in a process.
        .filter(|(plugin, model)| {
            !["*", "live:*"].contains(&model.as_str()) && is_runner(catalog, plugin, model)
        })
        .map(|(plugin, model)| model_row(model, Some(plugin), &ModelCard::default()));
    let with_card = cards
        .iter()
        .map(|FoundCard { card, .. }| model_row(&card.name, catalog.model_plugin(&card.name), card));
    // Whoever looks for a name finds those that are whole first.
    let (patterns, named): (Vec<Value>, Vec<Value>) = brought.partition(is_pattern);
    named.into_iter().chain([bm25()]).chain(with_card).chain(patterns).collect()
}

/// True of a row that stands for all models of a style, as `openai:*`.
fn is_pattern(row: &Value) -> bool {
    row["name"].as_str().is_some_and(|name| name.ends_with('*'))
}

/// The models whose cards name one of the languages, as `ind` or `ind-Latn`; all of them where none is named.
fn keep_languages(rows: Vec<Value>, languages: &[String]) -> Result<Vec<Value>, Exit> {
    if languages.is_empty() {
        return Ok(rows);
    }
    let named = |row: &Value, wanted: &String| {
        let codes = row["languages"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let is_it = |code: &str| {
            code.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        codes.into_iter().any(is_it)
    };
    let kept: Vec<Value> =
        rows.into_iter().filter(|row| languages.iter().any(|wanted| named(row, wanted))).collect();
    if kept.is_empty() {
        output::error(format!(
            "`--language {}`: expected a language of a model card, such as `ind` or `ind-Latn`, found none",
            languages.join(" --language ")
        ));
        return Err(Exit::Usage);
    }
    Ok(kept)
}

/// The model that is part of the host.
fn bm25() -> Value {
    let [name, _] = Bm25Model::NAMES;
    let mut row = model_row(name, None, &ModelCard::default());
    row["description"] = BM25.into();
    row["runs"] = "part of the host".into();
    row
}

/// True if it is this plugin that runs the model: another one may take precedence.
fn is_runner(catalog: &Catalog, plugin: &FoundPlugin, model: &str) -> bool {
    let first = catalog.plugins.iter().find(|other| other.manifest.models.iter().any(|name| name == model));
    first.is_some_and(|first| first.path == plugin.path)
}

fn model_row(name: &str, plugin: Option<&FoundPlugin>, card: &ModelCard) -> Value {
    json!({
        "name": name,
        "plugin": plugin.map(|plugin| &plugin.manifest.name),
        "version": plugin.map(FoundPlugin::version),
        "description": plugin.map(|plugin| &plugin.manifest.description),
        "runs": describe_way(name, card, plugin),
        "architecture": card.architecture,
        "cross_encoder": card.cross_encoder,
        "dimension": card.dimension,
        "max_tokens": card.max_tokens,
        "parameters": card.parameters,
        "memory_mb": card.memory_mb,
        "similarity": card.similarity,
        "release_date": card.release_date,
        "kind": card.kind,
        "loader": card.loader,
        "framework": card.framework,
        "open_weights": card.open_weights,
        "modalities": card.modalities,
        "prompts": card.prompts,
        "training_datasets": card.training_datasets,
        "facts": card.facts,
        "license": card.license,
        "revision": card.revision,
        "languages": card.languages,
    })
}

fn plugins(catalog: &Catalog) -> Vec<Value> {
    catalog
        .plugins
        .iter()
        .map(|plugin| {
            json!({
                "name": plugin.manifest.name,
                "kind": plugin.manifest.kind,
                "version": plugin.version(),
                "brings": plugin.manifest.models.len() + plugin.manifest.tasks.len(),
                "path": plugin.path.to_string_lossy(),
                "sha256": plugin.checksum,
            })
        })
        .collect()
}

fn registries(registries: &Registries) -> Vec<Value> {
    registries
        .loaded
        .iter()
        .map(|loaded| {
            json!({
                "name": loaded.registry.name,
                "title": loaded.registry.title,
                "tasks": loaded.tasks.len(),
                "benchmarks": loaded.registry.benchmarks.len(),
                "file": loaded.file,
            })
        })
        .collect()
}

/// Columns that are too long for a terminal; the other forms have them.
const LONG: [&str; 27] = [
    "annotations",
    "category",
    "dataset",
    "date",
    "description",
    "domains",
    "facts",
    "framework",
    "kind",
    "languages",
    "loader",
    "memory_mb",
    "modalities",
    "open_weights",
    "plugin",
    "prompts",
    "ranks",
    "reference",
    "release_date",
    "revision",
    "sample_creation",
    "sha256",
    "similarity",
    "splits",
    "subsets",
    "training_datasets",
    "version",
];

/// The first columns of a table.
const CHOSEN_BY: [&str; 8] =
    ["name", "type", "parameters", "dimension", "max_tokens", "license", "runs", "cross_encoder"];

/// A table of JSON rows: one column a key, but for those that no row fills.
fn table(rows: &[Value]) -> String {
    let Some(first) = rows.first().and_then(Value::as_object) else { return "none".to_owned() };
    let is_filled = |key: &String| rows.iter().any(|row| !row[key].is_null());
    // Of tasks the licence is too much for a terminal; of models it is what people choose by.
    let is_of_task = first.contains_key("dataset");
    let is_shown = |key: &&String| {
        !LONG.contains(&key.as_str()) && is_filled(key) && !(is_of_task && key.as_str() == "license")
    };
    let mut keys: Vec<&String> = first.keys().filter(is_shown).collect();
    // What people choose by stands first, as the last columns go where a terminal is narrow.
    keys.sort_by_key(|key| CHOSEN_BY.iter().position(|first| first == key).unwrap_or(CHOSEN_BY.len()));
    let titles = keys.iter().map(|key| (*key).clone()).collect();
    let cells =
        |row: &Value| keys.iter().map(|key| cell(row.get(key.as_str()).unwrap_or(&Value::Null))).collect();
    let rows: Vec<Vec<String>> = std::iter::once(titles).chain(rows.iter().map(cells)).collect();
    view::names_text(&rows, &[])
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => output::visible_line(text).into_owned(),
        Value::Array(cells) if cells.len() > 4 => {
            let shown: Vec<String> = cells.iter().take(3).map(cell).collect();
            format!("{} and {} more", shown.join(", "), cells.len() - 3)
        }
        Value::Array(cells) => cells.iter().map(cell).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
