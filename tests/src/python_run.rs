//! Runs of models in Python: a test writes the code, and the host runs it on the Indonesian pack.

use std::io;
use std::path::Path;
use std::process::Command;

use crate::host::host;

/// A model whose embeddings count letters: 32 numbers per text.
const LETTERS: &str = "
import ctypes, os, time
START
class Letters:
    def encode(self, texts):
        BEFORE
        rows = []
        for text in texts:
            row = [1.0] + [0.0] * 31
            for letter in text:
                row[ord(letter) % 32] += 1.0
            rows.append(row)
        AFTER
        return rows
";

/// Writes `code` to `mine.py` in `folder`, and prepares a run there with `arguments`, which name the
/// tasks and the model. The interpreter is the first one on the search path, even if the test itself
/// runs in an active environment.
///
/// # Errors
/// If the code cannot be written.
pub fn prepare_python_run(folder: &Path, code: &str, arguments: &[&str]) -> io::Result<Command> {
    std::fs::write(folder.join("mine.py"), code)?;
    let mut command = host(folder);
    command.args(["run", "--registry", "indonesia"]).args(arguments);
    command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX");
    Ok(command)
}

/// Composes the code of the model `Letters`, which runs `start` once, and `before` and `after`
/// around each batch.
pub fn compose_letters_model(start: &str, before: &str, after: &str) -> String {
    LETTERS.replace("START", start).replace("BEFORE", before).replace("AFTER", after)
}
