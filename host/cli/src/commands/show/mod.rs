//! `mteb-host show`: everything about one task, one model, its results (every score, and the
//! `model-index` for its README) or one benchmark.

mod benchmark;
mod task;

use clap::{Args, Subcommand};
use mteb_card::ModelCard;
use mteb_models::model::{Bm25Model, lack_of_torch, near_models};
use mteb_plugin_api::ModelOption;
use mteb_registry::ModelCards;
use mteb_report::grid::{Grid, Value};
use mteb_report::output::{fields_grid, model_index};
use mteb_report::table::{Board, Row};
use mteb_workers::plugins::Catalog;
use serde_json::json;

use self::benchmark::BenchmarkArgs;
use self::task::TaskArgs;
use super::arguments::{BoardArgs, FormatArgs, PlaceArgs, card_of, print_grid};
use super::compare::find_row_of;
use super::discover::{consider_refusals, discover, say_refusals};
use super::list::ways::describe_way;
use crate::exit::Exit;
use crate::output;

/// What BM25 is, in one line.
pub const BM25: &str = "Ranks documents by the words of the query, and cannot encode.";

/// Arguments of `show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show a task's card, or examples of its data.
    Task(TaskArgs),
    /// Show what a benchmark contains, how much it downloads and how long it takes.
    Benchmark(BenchmarkArgs),
    /// Show what is known about a model without loading it: its card, and the plugin that runs it.
    Model(ModelArgs),
    /// Show all scores of a model, or the `model-index` for its README.
    Results(ResultsArgs),
}

#[derive(Args, Debug)]
struct ModelArgs {
    /// Name of the model.
    name: String,
    /// Registry name, registry file or task card; model cards next to it are read too. May be
    /// repeated.
    #[arg(long, value_name = "NAME|FILE")]
    registry: Vec<String>,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl ShowArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.what {
            What::Task(args) => args.run(),
            What::Benchmark(args) => args.show().unwrap_or_else(|exit| exit),
            What::Model(args) => args.show(),
            What::Results(args) => args.run(),
        }
    }
}

impl ModelArgs {
    fn show(&self) -> Exit {
        let catalog = discover(&self.place.settings());
        say_refusals(&catalog);
        let shown = self.try_show(&catalog);
        consider_refusals(shown.unwrap_or_else(|exit| exit), &catalog)
    }

    fn show_bm25(&self, bm25: &Bm25Model) -> Exit {
        let identity = &bm25.info().identity;
        let answer = || json!({ "card": null, "file": null, "plugin": null, "model": identity });
        if let Some(exit) = self.format.print(answer, fields_grid) {
            return exit;
        }
        let (name, revision) = (&identity.name, &identity.revision);
        output::print(&format!(
            "# {}: {BM25}\n# built in; its results are those of {name}, revision {revision}",
            self.name
        ))
    }

    fn try_show(&self, catalog: &Catalog) -> Result<Exit, Exit> {
        if let Some(bm25) = Bm25Model::named(&self.name) {
            return Ok(self.show_bm25(&bm25));
        }
        let cards = ModelCards::beside(&self.registry);
        let found = card_of(&self.name, &cards)?;
        let plugin = catalog.model_plugin(&self.name);
        let is_brought = plugin.is_some_and(|plugin| plugin.manifest.knows_model(&self.name));
        if found.is_none() && !is_brought {
            return Err(output::usage(format!(
                "expected a model with a card or from a plugin, found: {}{} (models without a card run too)",
                self.name,
                near_models(&self.name, catalog, &cards, "`mteb-host list models` shows them")
            )));
        }
        let (card, file) = found.map(|found| (found.card, found.file)).unzip();
        let manifest = plugin.map(|plugin| &plugin.manifest);
        let how = describe_way(&self.name, card.as_ref().unwrap_or(&ModelCard::default()), plugin);
        let options = manifest.filter(|_| is_brought || how.contains("torch-encoder"));
        let options = options.map(|manifest| ModelOption::declared(manifest, &self.name)).unwrap_or_default();
        let answer = || {
            let mut answer = json!({ "card": card, "file": file, "plugin": manifest, "runs": how });
            if !options.is_empty() {
                answer["options"] = json!(options);
            }
            answer
        };
        if let Some(exit) = self.format.print(answer, fields_grid) {
            return Ok(exit);
        }
        let runs = match plugin {
            Some(plugin) if how.contains("torch-encoder") || is_brought => {
                format!("runs with the plugin {} {}", plugin.manifest.name, plugin.version())
            }
            None if how.contains("torch-encoder") => {
                format!("runs with {how}, {}", lack_of_torch(catalog))
            }
            _ => format!("needs {how}"),
        };
        let Some(card) = card else {
            let description =
                output::visible_line(manifest.map_or("", |manifest| manifest.description.as_str()));
            let options = options_text(&options);
            return Ok(output::print(&format!("# {}: {description}\n# {runs}{options}", self.name)));
        };
        let text = toml::to_string_pretty(&card)
            .map_err(|error| output::failed(format!("the card cannot be written as TOML: {error}")))?;
        let options = options_text(&options);
        Ok(output::print(&format!("# {}\n# {runs}{options}\n{}", file.unwrap_or_default(), text.trim_end())))
    }
}

/// A line for each option that the plugin of a model declares.
fn options_text(options: &[ModelOption]) -> String {
    let line = |option: &ModelOption| {
        let ModelOption { name, text, default, .. } = option;
        let default = default.as_ref().map_or_else(String::new, |default| format!(" [default: {default}]"));
        let line = format!("--model-option {name}=…: {text} ({}){default}", option.expected());
        format!("\n# {}", output::visible_line(&line))
    };
    options.iter().map(line).collect()
}

/// Arguments of `show results`.
#[derive(Args, Debug)]
pub struct ResultsArgs {
    /// Name of the model, as shown in `leaderboard`.
    name: String,
    /// Print the `model-index`, with which the model's README shows its scores on the hub.
    #[arg(long, conflicts_with_all = ["json", "format"])]
    model_index: bool,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl ResultsArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let scores = match self.board.read() {
            Ok(scores) => scores,
            Err(exit) => return exit,
        };
        let board = scores.board();
        let row = match find_row_of(&scores, &board, &self.name) {
            Ok(row) => row,
            Err(exit) => return exit,
        };
        board.left_out_of_rows(&[row]).iter().for_each(output::warn);
        scores.name_unchecked(&board, |other| other.name == row.name).iter().for_each(output::warn);
        let cells = || board.columns.iter().zip(&row.cells);
        cells().flat_map(|(column, cell)| row.notes_on(column, cell)).for_each(output::warn);
        if self.model_index {
            return output::print(model_index(&board, row).trim_end());
        }
        for (column, cell) in cells().filter(|(_, cell)| cell.undefined > 0) {
            let units = output::count(cell.undefined, "unit");
            output::warn(format!("{}: scored, but undefined: {units}, left out below", column.task.name));
        }
        print_grid(&table(&board, row), self.format.or_as_fits())
    }
}

/// One row a split and subset.
fn table(board: &Board, row: &Row) -> Grid {
    let mut grid = Grid::new(["Task", "Type", "Split", "Subset", "Score", "Measure"]);
    for (column, cell) in board.columns.iter().zip(&row.cells) {
        for ((split, subset), score) in column.units.iter().zip(&cell.units) {
            let texts = [&column.task.name, &column.task.task_type, split, subset];
            let mut cells: Vec<Value> = texts.map(|text| text.as_str().into()).into();
            cells.push(Value::share(*score));
            cells.push(column.task.main_score.as_str().into());
            if score.is_some() {
                grid.rows.push(cells);
            }
        }
    }
    grid
}
