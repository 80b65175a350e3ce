//! `--format` and `--json`: the form in which a command answers.

use std::io::{self, IsTerminal};

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use mteb_report::grid::Grid;
use mteb_report::output::{Form, Written, grid_json};
use serde_json::Value;

use crate::exit::Exit;
use crate::{output, view};

/// The form in which a command answers on standard output.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct FormatArgs {
    /// Output format [default: text for reading].
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// Print JSON; short for `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// Forms of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// As people read it in a terminal.
    Table,
    /// JSON.
    Json,
    /// A table in another form.
    As(Form),
}

impl Format {
    /// All forms, in the order in which they are offered.
    const ALL: [Self; 2 + Form::ALL.len()] = {
        let mut all = [Self::Table; 2 + Form::ALL.len()];
        all[1] = Self::Json;
        let mut place = 0;
        while place < Form::ALL.len() {
            all[2 + place] = Self::As(Form::ALL[place]);
            place += 1;
        }
        all
    };
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, meaning) = match self {
            Self::Table => ("table", "Text for reading in a terminal"),
            Self::Json => ("json", "JSON"),
            Self::As(form) => (form.name(), form.meaning()),
        };
        Some(PossibleValue::new(name).help(meaning))
    }
}

impl FormatArgs {
    /// The form that was asked for, else `default`.
    pub fn or(self, default: Format) -> Format {
        if self.json { Format::Json } else { self.format.unwrap_or(default) }
    }

    /// The form that was asked for, else a table in a terminal, and Markdown for files and programs.
    pub fn or_as_fits(self) -> Format {
        self.or(if io::stdout().is_terminal() { Format::Table } else { Format::As(Form::Markdown) })
    }

    /// True if people read the answer in a terminal.
    pub fn is_for_people(self) -> bool {
        self.or(Format::Table) == Format::Table
    }

    /// True if the answer has everything that is said: JSON alone. Tables have rows of one kind.
    pub fn has_all(self) -> bool {
        self.or(Format::Table) == Format::Json
    }

    /// Prints an answer as JSON, or the table of it in another form; nothing where people read it, which is the command's own.
    pub fn print(self, answer: impl FnOnce() -> Value, table: impl FnOnce(&Value) -> Grid) -> Option<Exit> {
        match self.or(Format::Table) {
            Format::Table => None,
            Format::Json => Some(output::print_json(&answer())),
            format => Some(print_grid(&table(&answer()), format)),
        }
    }
}

/// Prints a table in a form.
pub fn print_grid(grid: &Grid, format: Format) -> Exit {
    match format {
        Format::Table => {
            let tables = view::grid_texts(grid);
            let printed = tables.iter().map(|table| output::print_table(table));
            printed.fold(Exit::Done, |all, one| if all == Exit::Done { one } else { all })
        }
        Format::Json => output::print_json(&grid_json(grid)),
        Format::As(form) => match form.table(grid) {
            Ok(Written::Text(text)) => output::print(text.trim_end()),
            Ok(Written::Bytes(bytes)) => output::print_file(&bytes, form.name()),
            Err(error) => output::failed(error),
        },
    }
}
