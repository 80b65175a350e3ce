//! The files that `new` writes: all of them or none, and never over one that is there.

use std::path::{Path, PathBuf};

use crate::exit::Exit;
use crate::output;

/// Files by their paths.
#[derive(Clone, Debug, Default)]
pub struct Files(Vec<(PathBuf, String)>);

impl Files {
    /// Adds a file.
    pub fn add(&mut self, path: impl Into<PathBuf>, text: impl Into<String>) {
        self.0.push((path.into(), text.into()));
    }

    /// Writes all files below `folder` and says which.
    ///
    /// # Errors
    /// If one is there already or cannot be written, which is said.
    pub fn write(&self, folder: &Path) -> Result<(), Exit> {
        let there: Vec<String> = self
            .0
            .iter()
            .map(|(path, _)| folder.join(path))
            .filter(|path| path.symlink_metadata().is_ok())
            .map(|path| path.display().to_string())
            .collect();
        if !there.is_empty() {
            output::error(format!(
                "{} already {}; choose another name or another folder (`--output`)",
                mteb_base::listed::listed(&there),
                if there.len() == 1 { "exists" } else { "exist" }
            ));
            return Err(Exit::Usage);
        }
        for (path, text) in &self.0 {
            let path = folder.join(path);
            mteb_files::write(&path, text.as_bytes()).map_err(|error| {
                output::error(format!("{}: cannot be written: {error}", path.display()));
                Exit::Failed
            })?;
            said(output::print(&format!("wrote {}", path.display())))?;
        }
        Ok(())
    }
}

/// Whether something could be said.
pub fn said(exit: Exit) -> Result<(), Exit> {
    if exit == Exit::Done { Ok(()) } else { Err(exit) }
}
