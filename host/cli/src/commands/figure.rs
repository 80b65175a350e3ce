//! `mteb-host figure`: the MTEB paper's figures and tables from results.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mteb_report::figure::{
    Figure, FigureError, figure_3, figure_5, figure_6_models, figure_6_types, table_1, table_11,
};
use mteb_report::output::{Form, csv};
use mteb_report::table::{Board, Row};

use super::board_args::BoardArgs;
use super::compare::find;
use super::format_args::{Format, FormatArgs, print_grid};
use crate::exit::Exit;
use crate::output;
use crate::report::write_file;

/// Arguments of `figure`.
#[derive(Args, Debug)]
pub struct FigureArgs {
    /// Which figure or table.
    #[arg(value_enum)]
    what: What,
    #[command(flatten)]
    board: BoardArgs,
    /// Model of a table or of figure 5 and 6; may be given several times [default: the best].
    #[arg(long, value_name = "NAME")]
    model: Vec<String>,
    /// Models that are taken where none is named.
    #[arg(long, value_name = "N", default_value_t = 10)]
    models: usize,
    /// Folder for the figure and its numbers; files of their names there are replaced.
    #[arg(long, value_name = "DIR", default_value = "figures")]
    output: PathBuf,
    #[command(flatten)]
    format: FormatArgs,
}

/// Figures and tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Figure 3: score against parameters, by task type.
    Size,
    /// Figure 5: scores by language.
    Languages,
    /// Figure 6: correlation of models over tasks.
    Models,
    /// Figure 6: correlation of task types over models.
    Types,
    /// Table 1: means by task type, models by family.
    Table1,
    /// Tables 11 to 14: every task, with averages.
    Table11,
}

impl FigureArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
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
            What::Languages => self.write("languages", figure_5(&board, count.min(8))),
            What::Models => self.write("models", figure_6_models(&board, count)),
            What::Types => self.write("types", figure_6_types(&board)),
            What::Table1 => print_grid(&table_1(&board), self.format.or(Format::As(Form::Latex))),
            What::Table11 => {
                let rows: Vec<&Row> = board.rows.iter().take(count).collect();
                print_grid(&table_11(&board, &rows), self.format.or(Format::As(Form::Latex)))
            }
        }
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

    fn write(&self, name: &str, figure: Result<Figure, FigureError>) -> Exit {
        let written = figure.map_err(|error| error.to_string()).and_then(|figure| {
            let path = self.output.join(format!("{name}.svg"));
            write_file(&path, &figure.svg)?;
            write_file(&path.with_extension("csv"), &csv(&figure.grid))?;
            Ok(path)
        });
        match written {
            Ok(path) => output::print(&path.display().to_string()),
            Err(error) => {
                output::error(error);
                Exit::Failed
            }
        }
    }
}
