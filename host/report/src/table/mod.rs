//! Tables: every model of some results on every task of a benchmark.

mod board;
mod cell;
mod column;
mod note;
mod rank;
mod reference;
mod row;
mod view;
mod warning;

pub use board::{Board, Over, Tasks, average_by_language, list_lacking_languages};
pub use cell::Cell;
pub use column::{Column, Unit, task_of_results};
pub use note::{CellNote, LeftOutScore, NotedScore, ScoreFault, title_of_marks};
pub use reference::{ReferenceRow, ReferenceTable};
pub use row::{Row, RowFootprint};
pub use view::{BoardGroup, BoardLanguage};
pub use warning::{BoardWarning, UnknownUnits};
