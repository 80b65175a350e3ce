//! Means and ranks over many tasks: mean, mean by task type, Borda count.
