//! The folder of results: `results/<model>/<revision>/<Task>.json` (protocol 9.1).

use std::io;
use std::path::{Path, PathBuf};

use super::{Json, ResultFile, read_checked};
use crate::atomic_file::{self, LockedFolder};

/// Results of one model and revision.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The results of `model` at `revision` below `root`.
    pub fn new(root: &Path, model: &str, revision: &str) -> Self {
        Self { folder: root.join(folder_name(model)).join(folder_name(revision)) }
    }

    /// The folder with the files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a task.
    pub fn file(&self, task: &str) -> PathBuf {
        self.folder.join(format!("{task}.json"))
    }

    /// The results of a task; `None` if there is no file.
    ///
    /// # Errors
    /// One line if the file is there and cannot be read, or cannot be right; it is never overwritten unasked.
    pub fn read(&self, task: &str) -> Result<Option<ResultFile>, String> {
        let path = self.file(task);
        if !path.try_exists().unwrap_or(true) {
            return Ok(None);
        }
        read_checked(&path).map(Some).map_err(|fault| {
            format!("{}: {fault}; move it away, or run with `--overwrite always`", path.display())
        })
    }

    /// Writes what `next` makes of the results that are on the disk now; no other process writes in between. A file
    /// that cannot be read counts as none.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn update(
        &self,
        task: &str,
        next: impl FnOnce(Option<ResultFile>) -> ResultFile,
    ) -> io::Result<ResultFile> {
        let folder = LockedFolder::new(&self.folder)?;
        let result = next(self.read(task).ok().flatten());
        folder.write(Path::new(&format!("{task}.json")), result.to_json().to_python(2).as_bytes())?;
        Ok(result)
    }

    /// Writes the results of a task.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, result: &ResultFile) -> io::Result<()> {
        atomic_file::write(&self.file(&result.task_name), result.to_json().to_python(2).as_bytes())
    }

    /// Writes `model_meta.json`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_meta(&self, meta: &Json) -> io::Result<()> {
        atomic_file::write(&self.folder.join("model_meta.json"), meta.to_python(4).as_bytes())
    }
}

/// A name as the reference makes a folder of it.
pub fn folder_name(name: &str) -> String {
    let name: String = name.replace('/', "__").replace(' ', "_");
    // What a plugin says of itself must not lead out of the folder of results.
    let name = name.replace(char::is_control, "_");
    if matches!(name.as_str(), "." | "..") { name.replace('.', "_") } else { name }
}
