//! What people see: progress while it runs, the table at the end, leaderboards.

mod causes;
mod columns;
mod download;
mod estimate;
mod judging;
mod log_level;
mod page_parts;
mod progress;
mod progress_lines;
mod scores;
mod stats;
mod summary;
mod table;

pub use causes::{Failure, further_tasks, list_causes, notes_of_task, say_failed};
pub use download::{Together, describe_moved, describe_unchecked};
pub use estimate::time_in_words;
pub use judging::{JudgedCounts, JudgingBar, describe_outcome, estimate_text};
pub use log_level::LogLevel;
pub use page_parts::{
    SampleReader, check_page_languages, may_show_texts, read_graded_view, read_page_languages,
};
pub use progress::Progress;
pub use scores::{Chosen, ScoreSources, Scores, find_similar, state_of};
pub use stats::{quality_text, stats_text};
pub use summary::{BenchmarkWithin, Size, size_table, summary_grid, summary_json, summary_table};
pub use table::{cell, grid_texts, markdown_text, names_text, names_text_within, right, table, text};
