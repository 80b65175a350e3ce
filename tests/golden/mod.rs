//! Whole runs with the random encoder, equal to the reference's own result files.

mod equality;
mod loader;
mod resume;
