//! Tables for other tools and for people: Markdown, CSV, JSON, LaTeX, the hub's `model-index`.

mod board_grid;
mod board_json;
mod board_markdown;
mod csv;
mod escape;
mod from_json;
mod json;
mod latex;
mod markdown;
mod model_index;
mod reference_grid;

pub use board_grid::board_grid;
pub use board_json::board_json;
pub use board_markdown::board_markdown;
pub use csv::csv;
pub use escape::markdown as escape_markdown;
pub use from_json::{fields_grid, rows_grid};
pub use json::grid_json;
pub use latex::latex;
pub use markdown::grid_markdown;
pub use model_index::model_index;
pub use reference_grid::reference_grid;
