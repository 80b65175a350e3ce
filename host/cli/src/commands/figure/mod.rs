//! `mteb-host figure`: the MTEB paper's figures and tables, from results, from data, from what models were measured to be.

mod arguments;
mod data_table;
mod speed;
mod texts;

pub use arguments::{FigureArgs, MethodName};
pub use texts::{TEXTS, encode_texts};

use std::path::Path;

use arguments::What;
use mteb_registry::Selected;
use mteb_report::figure::{
    Figure, FigureError, TaskOfType, figure_1, figure_3, figure_5, figure_6_models, figure_6_types,
    language_table, table_1, table_11,
};
use mteb_report::output::{Form, csv};
use mteb_report::table::{Board, Row};
use mteb_workers::plugins::Catalog;

use super::arguments::{BoardArgs, FilterArgs, Format, print_grid};
use super::compare::find_row;
use crate::commands::discover::discover;
use crate::exit::Exit;
use crate::output::{self, WriteError, write_file};

impl FigureArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.what {
            What::Similarity => self.similarity(),
            What::Map => self.map(),
            What::Table2 => self.data_table(),
            What::Overview => self.overview(),
            _ => self.draw_results(),
        }
    }

    fn draw_results(&self) -> Exit {
        let mut board = match self.board.read() {
            Ok(scores) => scores.board(),
            Err(exit) => return exit,
        };
        BoardArgs::warn(&board);
        if board.is_empty() {
            return self.board.report_no_results(!board.warnings.is_empty());
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
            What::Table12 => self.print_by_language(&board, "BitextMining", count),
            What::Table13 => self.print_by_language(&board, "Classification", count),
            What::Table14 => self.print_by_language(&board, "STS", count),
            What::Table1 | What::Overview | What::Similarity | What::Map | What::Table2 => {
                self.print(&table_1(&board))
            }
        }
    }

    /// Prints the scores of the tasks of a type by language; refuses where no task of the type has several.
    fn print_by_language(&self, board: &Board, task_type: &str, count: usize) -> Exit {
        let of_type = board.tasks_of(task_type);
        let has_any = |row: &&Row| of_type.iter().any(|task| row.cells[*task].partial.is_some());
        let rows: Vec<&Row> = board.rows.iter().filter(has_any).take(count).collect();
        let grid = language_table(board, task_type, &rows);
        if rows.is_empty() || grid.rows.is_empty() {
            return output::usage(format!(
                "expected results of {task_type} tasks with several languages, found none; select such tasks \
                 with `--benchmark` or `--task`"
            ));
        }
        self.print(&grid)
    }

    /// Prints a table, as LaTeX unless another form is asked for.
    fn print(&self, grid: &mteb_report::grid::Grid) -> Exit {
        print_grid(grid, self.format.or(Format::As(Form::Latex)))
    }

    /// The tasks of a figure that needs their data; all that are known are never meant.
    fn choose(&self, catalog: &Catalog) -> Result<Vec<Selected>, Exit> {
        Ok(self.choose_whole(catalog)?.iter().flat_map(Selected::with_data).collect())
    }

    /// The same, of which those that are means of others are not taken apart.
    fn choose_whole(&self, catalog: &Catalog) -> Result<Vec<Selected>, Exit> {
        if self.board.filter == FilterArgs::default() {
            return Err(output::usage(
                "expected tasks whose data to read; select them with `--task`, `--task-type`, `--language`, \
                 `--benchmark` or `--registry`",
            ));
        }
        self.board.filter.select(&self.board.filter.registries(catalog)?)
    }

    /// Keeps the models that were named.
    fn keep_named(&self, board: &mut Board) -> Result<(), Exit> {
        if self.model.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = self
            .model
            .iter()
            .map(|name| find_row(board, name).map(|row| row.name.clone()))
            .collect::<Result<_, _>>()?;
        board.retain(|row| names.contains(&row.name));
        Ok(())
    }

    /// Writes a figure as SVG and PNG, and its numbers beside them; says the files.
    fn write(&self, name: &str, figure: Result<Figure, FigureError>) -> Exit {
        let path = self.output.join(name);
        if let Ok(figure) = &figure {
            figure.missing.iter().for_each(output::warn);
        }
        match figure.map_err(UnwrittenFigure::from).and_then(|figure| write(&path, &figure)) {
            Ok(files) => output::print(&files.join("\n")),
            Err(error) => output::failed(error),
        }
    }
}

/// Writes the files of a figure, `path` with their endings, and gives their names.
fn write(path: &Path, figure: &Figure) -> Result<Vec<String>, UnwrittenFigure> {
    if figure.grid.rows.is_empty() {
        return Err(UnwrittenFigure::NoScores);
    }
    let png = figure.png()?;
    let files =
        [("svg", figure.svg.clone().into_bytes()), ("png", png), ("csv", csv(&figure.grid).into_bytes())];
    files
        .into_iter()
        .map(|(ending, bytes)| {
            let file = path.with_extension(ending);
            write_file(&file, &bytes)?;
            Ok(file.display().to_string())
        })
        .collect()
}

/// Why a figure is not in its files.
#[derive(Debug, thiserror::Error)]
enum UnwrittenFigure {
    /// Nothing is in it.
    #[error("expected scores to draw the figure from, found none; `--help` says what each figure shows")]
    NoScores,
    /// It cannot be drawn.
    #[error(transparent)]
    Drawing(#[from] FigureError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] WriteError),
}

impl FigureArgs {
    fn overview(&self) -> Exit {
        let catalog = discover(&self.board.place.settings());
        match self.choose_whole(&catalog) {
            Ok(tasks) => {
                let tasks: Vec<TaskOfType> = tasks.iter().map(to_task_of_type).collect();
                self.write("overview", figure_1(&tasks))
            }
            Err(exit) => exit,
        }
    }
}

fn to_task_of_type(task: &Selected) -> TaskOfType {
    let card = &task.entry.card;
    TaskOfType {
        name: card.name.clone(),
        task_type: card.task_type.to_string(),
        languages: task.languages().len(),
    }
}
