//! A model that a Python interpreter computes: which interpreter, which files, and what the plugin `python` is told.

use std::env;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::ModelError;
use crate::plugins::check_way;
use crate::settings::Settings;

/// Variable that says where an interpreter finds modules beside its own.
pub const PATH_VARIABLE: &str = "PYTHONPATH";

/// What a user chose of a model in Python.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PythonChoice {
    /// The interpreter.
    pub python: Option<PathBuf>,
    /// True if code of the model's repository may run.
    pub trust_remote_code: bool,
}

/// The kind and the rest of a name as `st:NAME`, `mteb:NAME` or `python:FILE.py:name`.
pub fn kind_of(name: &str) -> Option<(&str, &str)> {
    name.split_once(':').filter(|(kind, rest)| matches!(*kind, "st" | "mteb" | "python") && !rest.is_empty())
}

/// The name under which the hub and cards know a model; that of a file of the user's own is none.
pub fn hub_name(name: &str) -> &str {
    match kind_of(name) {
        Some(("st" | "mteb", name)) => name,
        _ => name,
    }
}

/// What the plugin is told of the interpreter and of the hub's cache.
///
/// # Errors
/// If there is no interpreter, or one that others can change.
pub fn option(choice: &PythonChoice, settings: &Settings) -> Result<Value, ModelError> {
    let python = interpreter(choice.python.as_deref()).map_err(ModelError::Python)?;
    Ok(json!({
        "python": python,
        "hub_cache": settings.hub_access().cache,
        "trust_remote_code": choice.trust_remote_code,
    }))
}

/// The interpreter: the one that was named; that of an active virtual environment; that of `.venv` in this folder or one
/// above it, as uv finds it, if nobody else can change it; the first `python3` on the path.
fn interpreter(named: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(named) = named {
        let python = if named.is_dir() { named.join("bin/python") } else { named.to_owned() };
        return if python.is_file() {
            env::current_dir().map(|here| here.join(&python)).map_err(|error| error.to_string())
        } else {
            Err(format!(
                "`--python`: expected an interpreter or a virtual environment, found none: {}",
                named.display()
            ))
        };
    }
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"].iter().filter_map(env::var_os);
    if let Some(python) =
        active.map(|folder| Path::new(&folder).join("bin/python")).find(|python| python.is_file())
    {
        return Ok(python);
    }
    let here = env::current_dir().unwrap_or_default();
    if let Some(python) =
        here.ancestors().map(|folder| folder.join(".venv/bin/python")).find(|path| path.is_file())
    {
        return match check_way(&python) {
            Ok(()) => Ok(python),
            Err(why) => Err(format!(
                "{}: expected a virtual environment that nobody else can change, found that {why}; name it by `--python` if \
                 you trust it",
                python.display()
            )),
        };
    }
    let paths = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&paths).map(|folder| folder.join("python3")).find(|python| python.is_file());
    found.ok_or_else(|| {
        "expected a Python interpreter, found no `python3` on the path; name one by `--python`".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_who_loads_the_model() {
        assert_eq!(kind_of("st:a/b"), Some(("st", "a/b")));
        assert_eq!(kind_of("python:m.py:model"), Some(("python", "m.py:model")));
        assert_eq!((kind_of("openai:m"), kind_of("st:"), kind_of("a/b")), (None, None, None));
        assert_eq!((hub_name("mteb:a/b"), hub_name("python:m.py:x")), ("a/b", "python:m.py:x"));
    }

    #[test]
    fn an_interpreter_that_is_not_there_is_named() {
        let refused = interpreter(Some(Path::new("/no/such/python"))).unwrap_err();
        assert!(refused.ends_with("found none: /no/such/python"), "{refused}");
    }
}
