//! What people see: progress while it runs, the table at the end, leaderboards.

mod causes;
mod columns;
mod download;
mod efficiency;
mod estimate;
mod folded;
mod graded_view;
mod grades;
mod item_texts;
mod judging;
mod markdown;
mod progress;
mod quality;
mod scores;
mod sizes;
mod stats;
mod summary;
mod table;
mod together;
mod toml_text;

pub use causes::{Failure, by_cause, further_tasks, notes_of_task};
pub use download::{moved_lines, unchecked_line};
pub use efficiency::{EfficiencyRow, efficiency_table};
pub use graded_view::graded_view;
pub use item_texts::add_item_texts;
pub use judging::{JudgedCounts, JudgingBar, asked_line, estimate_text};
pub use markdown::markdown_text;
pub use progress::Progress;
pub use quality::quality_text;
pub use scores::{Chosen, ScoreSources, Scores, similar, write_file};
pub use sizes::{Size, size_table};
pub use stats::stats_text;
pub use summary::{summary_grid, summary_json, summary_table};
pub use table::{grid_texts, right, table, text};
pub use together::Together;
pub use toml_text::toml_text;
