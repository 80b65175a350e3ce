//! A model that a Python interpreter computes: which interpreter, which files, and what the plugin `python` is told.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use mteb_base::program::own_interpreter;
use mteb_base::suggest::near_folders;
use mteb_source::is_repository_name;
use mteb_workers::plugins::{Trust, is_fixed};
use mteb_workers::settings::Settings;
use serde_json::{Map, Value, json};

use super::ModelError;
use super::error::{Listener, PythonError};
use super::virtual_environment::{check_environment, check_trusted, interpreter_of};

/// Variable that says where an interpreter finds modules beside its own.
pub const PATH_VARIABLE: &str = "PYTHONPATH";

/// Variable in which the Python package names the interpreter that calls it.
const CALLER_VARIABLE: &str = "MTEB_HOST_PYTHON";

/// What a user chose of a model in Python.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PythonChoice {
    /// The interpreter.
    pub python: Option<PathBuf>,
    /// True if code of the model's repository may run.
    pub trust_remote_code: bool,
    /// What a model in the reference's form is told of tasks that the reference does not know, by their names.
    pub tasks: Map<String, Value>,
}

/// The kind and the rest of a name as `st:NAME`, `mteb:NAME` or `python:FILE.py:name`.
pub fn kind_of(name: &str) -> Option<(&str, &str)> {
    name.split_once(':')
        .filter(|(kind, rest)| matches!(*kind, "st" | "mteb" | "python" | "live") && !rest.is_empty())
}

/// True for code of the user's own: in a file, be it in the reference's form, or in a process that serves it.
pub fn is_code(name: &str) -> bool {
    kind_of(name).is_some_and(|(kind, rest)| match kind {
        "mteb" => rest.contains(".py:"),
        kind => matches!(kind, "python" | "live"),
    })
}

/// The name under which the hub and cards know a model; that of a file of the user's own is none.
pub fn hub_name(name: &str) -> &str {
    match kind_of(name) {
        Some(("st" | "mteb", rest)) if !is_code(name) => rest,
        _ => name,
    }
}

/// What the plugin is told of the interpreter and of the hub's cache.
///
/// # Errors
/// If there is no interpreter, or one that others can change.
pub fn option(
    choice: &PythonChoice,
    settings: &Settings,
    listener: &dyn Listener,
) -> Result<Value, ModelError> {
    warn_of_passed_over(listener);
    let python = interpreter(choice.python.as_deref(), listener).map_err(ModelError::Python)?;
    let mut option = json!({
        "python": python,
        "hub_cache": settings.hub_access().cache,
        "trust_remote_code": choice.trust_remote_code,
    });
    if !choice.tasks.is_empty() {
        option["tasks"] = Value::Object(choice.tasks.clone());
    }
    Ok(option)
}

/// The interpreter: the one that was named; that which has started the program; that of an active
/// virtual environment; that of the one that the program lies in; that of `.venv` in this folder or
/// one above it, as uv finds it, if nobody else can change it and the user has let it run; the first
/// `python3` on the path.
///
/// # Errors
/// If there is none, or one that others can change.
pub fn interpreter(named: Option<&Path>, listener: &dyn Listener) -> Result<PathBuf, PythonError> {
    if let Some(named) = named {
        let python = if named.is_dir() { named.join("bin/python") } else { named.to_owned() };
        return if python.is_file() {
            Ok(env::current_dir()?.join(&python))
        } else {
            Err(PythonError::Named(named.to_owned()))
        };
    }
    let caller = absolute(CALLER_VARIABLE, "an absolute path", listener);
    let folders = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter();
    let folders = folders.filter_map(|name| absolute(name, "an absolute folder", listener));
    let mut known = caller.into_iter().chain(folders.map(|folder| folder.join("bin/python")));
    if let Some(python) = known.find(|python| python.is_file()).or_else(own_interpreter) {
        return Ok(python);
    }
    let here = env::current_dir().unwrap_or_default();
    let mut environments = here.ancestors().map(|folder| folder.join(".venv"));
    if let Some(environment) = environments.find(|folder| interpreter_of(folder).is_file()) {
        let python = interpreter_of(&environment);
        check_environment(&environment)
            .map_err(|source| PythonError::Open { python: python.clone(), source })?;
        check_trusted(&environment, &Trust::load(Vec::new()))?;
        return Ok(python);
    }
    first_on(&env::var_os("PATH").unwrap_or_default()).ok_or(PythonError::None)
}

/// The path that the variable `name` names, which is to be `what`. One that is relative is another
/// in each folder.
fn absolute(name: &str, what: &str, listener: &dyn Listener) -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os(name).filter(|path| !path.is_empty())?);
    if is_fixed(&path) {
        return Some(path);
    }
    listener.warn(&format!(
        "`{name}`: expected {what}, found one that is ignored: {}; name it with `--python` if you mean it",
        path.display()
    ));
    None
}

/// Says which folders of modules the interpreter will not see. An empty one, which is left where a list is added to none, is
/// seldom meant.
fn warn_of_passed_over(listener: &dyn Listener) {
    let list = env::var_os(PATH_VARIABLE).unwrap_or_default();
    for folder in env::split_paths(&list).filter(|folder| !folder.as_os_str().is_empty() && !is_fixed(folder))
    {
        listener.warn(&format!(
            "`{PATH_VARIABLE}`: expected absolute folders, found one that is ignored: {}; write it in full if \
             you mean it",
            folder.display()
        ));
    }
}

/// The first `python3` in the absolute folders of `paths`: others would make the current folder a source of code.
fn first_on(paths: &OsStr) -> Option<PathBuf> {
    let folders = env::split_paths(paths).filter(|folder| is_fixed(folder));
    folders.map(|folder| folder.join("python3")).find(|python| python.is_file())
}

/// The organisation whose models the library finds without its name.
const OWN: &str = "sentence-transformers";

/// What is wrong with the name `st:NAME` of a model that no folder is and that the hub cannot have; of one that the library may find
/// in the hub's cache nothing. The library would ask the hub for it, which it does not reach.
pub fn nowhere(name: &str, settings: &Settings) -> Option<String> {
    let (_, model) = kind_of(name).filter(|(kind, model)| *kind == "st" && !is_repository_name(model))?;
    let cache = settings.hub_access().cache;
    let is_cached = |repository: String| cache.join(format!("models--{repository}")).is_dir();
    if !model.contains('/') && (is_cached(model.to_owned()) || is_cached(format!("{OWN}--{model}"))) {
        return None;
    }
    let near = near_folders(model);
    Some(format!(
        "expected a folder with a model, or one on the hub as `organisation/name`, found neither: {name}{near}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::error::Silent;

    #[test]
    fn a_name_says_who_loads_the_model() {
        assert_eq!(kind_of("st:a/b"), Some(("st", "a/b")));
        assert_eq!(kind_of("python:m.py:model"), Some(("python", "m.py:model")));
        assert_eq!(kind_of("live:/run/x"), Some(("live", "/run/x")));
        assert!(is_code("live:/run/x") && is_code("mteb:m.py:model") && !is_code("mteb:a/b.py"));
        assert_eq!((kind_of("openai:m"), kind_of("st:"), kind_of("a/b")), (None, None, None));
        assert_eq!((hub_name("mteb:a/b"), hub_name("python:m.py:x")), ("a/b", "python:m.py:x"));
    }

    #[test]
    fn an_interpreter_that_is_not_there_is_named() {
        let refused = interpreter(Some(Path::new("/no/such/python")), &Silent).unwrap_err().to_string();
        assert!(refused.ends_with("found none: /no/such/python"), "{refused}");
    }

    #[test]
    fn only_absolute_folders_of_the_path_are_searched() {
        let here = env::current_dir().unwrap();
        let folder = tempfile::tempdir_in(&here).unwrap();
        let python = folder.path().join("python3");
        std::fs::write(&python, "").unwrap();
        let relative = folder.path().strip_prefix(&here).unwrap();
        assert!(relative.join("python3").is_file(), "it would be found");
        let paths = |folders: &[&Path]| env::join_paths(folders).unwrap();
        assert_eq!(first_on(&paths(&[Path::new(""), relative])), None);
        assert_eq!(first_on(&paths(&[relative, folder.path()])), Some(python));
    }
}
