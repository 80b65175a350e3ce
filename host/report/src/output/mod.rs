//! Tables for other tools and for people: Markdown, CSV, JSON, LaTeX, Parquet, the hub's `model-index`.

mod board_grid;
mod board_notes;
mod csv;
mod json;
mod latex;
mod markdown;
mod parquet;

pub use board_grid::{board_grid, language_grid, present_board, reference_grid};
pub use board_notes::{missing_tasks, nobody_line, part_line};
pub use csv::csv;
pub use json::{board_json, fields_grid, grid_json, rows_grid};
pub use latex::latex;
pub use markdown::{board_markdown, escape_markdown, grid_markdown, model_index};
pub use parquet::parquet;

use mteb_items::outcomes::OutcomesError;

use crate::grid::Grid;

/// An enum of forms whose list cannot lack one.
macro_rules! forms {
    ($($(#[$doc:meta])* $form:ident { name: $name:literal, meaning: $meaning:literal, is_for_programs: $programs:literal })*) => {
        /// The forms of a table that `--format` offers beside JSON and the terminal's: for documents, and for other programs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Form {
            $($(#[$doc])* $form,)*
        }

        impl Form {
            /// All forms, in the order in which they are offered.
            pub const ALL: &'static [Self] = &[$(Self::$form,)*];

            /// Its name on the command line.
            pub fn name(self) -> &'static str {
                match self { $(Self::$form => $name,)* }
            }

            /// What it is, for people who choose.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$form => $meaning,)* }
            }

            /// True if programs read it, for which no table is too wide.
            pub fn is_for_programs(self) -> bool {
                match self { $(Self::$form => $programs,)* }
            }
        }
    };
}

forms! {
    /// A table in Markdown.
    Markdown { name: "markdown", meaning: "Markdown table", is_for_programs: false }
    /// Comma-separated values; no cell is a formula.
    Csv { name: "csv", meaning: "Comma-separated values; no cell can be read as a formula", is_for_programs: true }
    /// A table in LaTeX with booktabs.
    Latex {
        name: "latex",
        meaning: "LaTeX table with booktabs; the best score is bold, the second underlined",
        is_for_programs: false
    }
    /// A Parquet file.
    Parquet { name: "parquet", meaning: "Parquet, to a file or pipe", is_for_programs: true }
}

/// A table in a form.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// Text, which ends with a line end.
    Text(String),
    /// The bytes of a file.
    Bytes(Vec<u8>),
}

impl Form {
    /// The table in this form.
    ///
    /// # Errors
    /// If it is larger than a file of this form can be.
    pub fn table(self, grid: &Grid) -> Result<Written, OutcomesError> {
        Ok(match self {
            Self::Markdown => Written::Text(grid_markdown(grid)),
            Self::Csv => Written::Text(csv(grid)),
            Self::Latex => Written::Text(latex(grid)),
            Self::Parquet => Written::Bytes(parquet(grid)?),
        })
    }
}
