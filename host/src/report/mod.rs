//! What people see: progress while it runs, the table at the end, leaderboards.

mod leaderboard;
mod progress;
mod summary;

pub use leaderboard::Leaderboard;
pub use progress::Progress;
pub use summary::{summary_json, summary_table};
