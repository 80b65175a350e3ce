//! Tables: every model of some results on every task of a benchmark.

mod board;
mod cell;
mod column;
mod footprint;
mod note;
mod old_form;
mod rank;
mod reference;
mod row;
mod score_fault;
mod unit_score;
mod unknown_units;
mod view;
mod warning;

pub use board::{Board, Over, Tasks, by_language, lacking_languages};
pub use cell::Cell;
pub use column::{Column, Unit, task_of_results};
pub use footprint::RowFootprint;
pub use note::{CellNote, NotedScore, title_of_marks};
pub use reference::{ReferenceRow, ReferenceTable};
pub use row::Row;
pub use score_fault::{LeftOutScore, ScoreFault};
pub use unknown_units::UnknownUnits;
pub use view::{BoardGroup, BoardLanguage};
pub use warning::BoardWarning;
