//! Guesses what a file of the user's own is: the type of its task, the columns that the type needs, the language of its texts. A guess
//! is shown with what it was made from, and somebody confirms it.

mod broken_numbers;
mod columns;
mod language;
mod rows;

pub use broken_numbers::{BrokenNumbers, broken_numbers};
pub use columns::{CellKind, ColumnFacts, Taken, column_facts, part_columns};
pub use language::language;
pub use rows::{GuessError, RowGuess, guess_rows};
