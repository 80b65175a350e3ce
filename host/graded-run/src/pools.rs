//! The pools that a step works on.

use std::path::PathBuf;

use mteb_graded::pool::{Pool, read_pool};

use super::GradedFolder;

/// The pools in `files`, or where none is named all of the folder; of `tasks` alone if some are named.
///
/// # Errors
/// One line: there is none, or one cannot be read.
pub fn load_pools(folder: &GradedFolder, files: &[PathBuf], tasks: &[String]) -> Result<Vec<Pool>, String> {
    let unreadable = |error: std::io::Error| format!("{}: cannot read it: {error}", folder.path().display());
    let files = if files.is_empty() { folder.pools().map_err(unreadable)? } else { files.to_vec() };
    let mut pools = Vec::new();
    for file in files {
        let pool = read_pool(&file).map_err(|error| error.to_string())?;
        if tasks.is_empty() || tasks.contains(&pool.provenance.task) {
            pools.push(pool);
        }
    }
    if pools.is_empty() {
        let of = if tasks.is_empty() { String::new() } else { format!(" of {}", tasks.join(", ")) };
        return Err(format!(
            "{}: expected pools{of}, found none; run `mteb-host graded pool` first",
            folder.path().display()
        ));
    }
    Ok(pools)
}
