//! `mteb-host figure`: the MTEB paper's figures and tables, from results, from data, from what models were measured to be.

mod data_table;
mod similarity;
mod speed;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use mteb_engine::plugins::Catalog;
use mteb_engine::registry::Selected;
use mteb_report::figure::{
    Figure, FigureError, figure_3, figure_5, figure_6_models, figure_6_types, table_1, table_11,
};
use mteb_report::output::{Form, csv};
use mteb_report::table::{Board, Row};

use super::board_args::BoardArgs;
use super::compare::find;
use super::filter::FilterArgs;
use super::format_args::{Format, FormatArgs, print_grid};
use crate::exit::Exit;
use crate::output;
use crate::report::write_file;
use similarity::SimilarityArgs;
use speed::SpeedArgs;

/// Arguments of `figure`.
#[derive(Args, Debug)]
pub struct FigureArgs {
    /// Which figure or table.
    #[arg(value_enum)]
    what: What,
    #[command(flatten)]
    board: BoardArgs,
    /// Model of a figure or table, may be given several times [default: the best]; of `similarity` the one that encodes.
    #[arg(long, value_name = "NAME")]
    model: Vec<String>,
    /// Models that are taken where none is named.
    #[arg(long, value_name = "N", default_value_t = 10)]
    models: usize,
    #[command(flatten)]
    similarity: SimilarityArgs,
    #[command(flatten)]
    speed: SpeedArgs,
    /// Folder for the figure and its numbers; files of their names there are replaced.
    #[arg(long, value_name = "DIR", default_value = "figures")]
    output: PathBuf,
    #[command(flatten)]
    format: FormatArgs,
}

/// Figures and tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Figure 2: how alike datasets are, by mean embeddings of some texts of each; needs their data and a model.
    Similarity,
    /// Figure 3: score against parameters, by task type.
    Size,
    /// Figure 4: score against texts a second; needs what `efficiency --json` gave (`--measured`).
    Speed,
    /// Figure 5: scores by language.
    Languages,
    /// Figure 6: correlation of models over tasks.
    Models,
    /// Figure 6: correlation of task types over models.
    Types,
    /// Table 1: means by task type, models by family.
    Table1,
    /// Table 2: texts of each task and their lengths; needs their data.
    Table2,
    /// Tables 11 to 14: every task, with averages.
    Table11,
}

impl FigureArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.what {
            What::Similarity => self.similarity(),
            What::Table2 => self.data_table(),
            _ => self.of_results(),
        }
    }

    fn of_results(&self) -> Exit {
        let mut board = match self.board.read() {
            Ok(scores) => scores.board(),
            Err(exit) => return exit,
        };
        if board.is_empty() {
            return self.board.none();
        }
        if let Err(exit) = self.keep_named(&mut board) {
            return exit;
        }
        let count = if self.model.is_empty() { self.models } else { usize::MAX };
        match self.what {
            What::Size => self.write("size", figure_3(&board)),
            What::Speed => self.speed(&board),
            What::Languages => self.write("languages", figure_5(&board, count.min(8))),
            What::Models => self.write("models", figure_6_models(&board, count)),
            What::Types => self.write("types", figure_6_types(&board)),
            What::Table11 => {
                let rows: Vec<&Row> = board.rows.iter().take(count).collect();
                self.print(&table_11(&board, &rows))
            }
            What::Table1 | What::Similarity | What::Table2 => self.print(&table_1(&board)),
        }
    }

    /// Prints a table, as LaTeX unless another form is asked for.
    fn print(&self, grid: &mteb_report::grid::Grid) -> Exit {
        print_grid(grid, self.format.or(Format::As(Form::Latex)))
    }

    /// The tasks of a figure that needs their data; all that are known are never meant.
    fn chosen(&self, catalog: &Catalog) -> Result<Vec<Selected>, Exit> {
        if self.board.filter == FilterArgs::default() {
            output::error(
                "expected tasks whose data is looked at: `--task`, `--task-type`, `--language`, `--benchmark` or `--registry`",
            );
            return Err(Exit::Usage);
        }
        let selected = self.board.filter.select(&self.board.filter.registries(catalog)?)?;
        Ok(selected.iter().flat_map(Selected::with_data).collect())
    }

    /// Keeps the models that were named.
    fn keep_named(&self, board: &mut Board) -> Result<(), Exit> {
        if self.model.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = self
            .model
            .iter()
            .map(|name| find(board, name).map(|row| row.name.clone()))
            .collect::<Result<_, _>>()?;
        board.retain(|row| names.contains(&row.name));
        Ok(())
    }

    /// Writes a figure as SVG, and its numbers beside it.
    fn write(&self, name: &str, figure: Result<Figure, FigureError>) -> Exit {
        let path = self.output.join(format!("{name}.svg"));
        match figure.map_err(|error| error.to_string()).and_then(|figure| write(&path, &figure)) {
            Ok(()) => output::print(&path.display().to_string()),
            Err(error) => {
                output::error(error);
                Exit::Failed
            }
        }
    }
}

fn write(path: &Path, figure: &Figure) -> Result<(), String> {
    write_file(path, &figure.svg)?;
    write_file(&path.with_extension("csv"), &csv(&figure.grid))
}
