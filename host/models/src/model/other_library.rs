//! What may run a model that no plugin at hand knows: the library that it was made for, in Python.

use std::path::Path;

use mteb_plugin_api::v1::code;
use mteb_workers::plugins::WorkerError;
use serde_json::Value;

use super::python;

/// What follows the refusal of the model called `name`, whose files lie in `folder`: nothing, unless a plugin says that it lacks
/// what these files ask for.
pub fn after(refusal: &WorkerError, name: &str, folder: Option<&str>) -> String {
    let folder = folder.filter(|_| python::kind_of(name).is_none());
    match (refusal, folder) {
        (WorkerError::Plugin { error, .. }, Some(folder)) if error.code == code::UNSUPPORTED => {
            let code = if needs_code(Path::new(folder)) {
                " --trust-remote-code`, if you trust its code"
            } else {
                "`"
            };
            format!("; in your Python, sentence-transformers may run it: `--model st:{name}{code}")
        }
        _ => String::new(),
    }
}

/// What may stand in place of the plugin for models of the hub and local folders; nothing where `name` can be neither.
pub fn instead(name: &str) -> String {
    match name.contains('/') || Path::new(name).is_dir() {
        true => format!("; `--model st:{name}` needs sentence-transformers in your Python instead"),
        false => String::new(),
    }
}

/// True if the architecture is code that comes with the files.
fn needs_code(folder: &Path) -> bool {
    let config = mteb_files::read(&folder.join("config.json"), mteb_files::TEXT).ok();
    let config = config.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    config.is_some_and(|config| config.get("auto_map").is_some_and(|map| !map.is_null()))
}
