//! A folder with the files of LASER 2 as they are published: `laser2.pt` and `laser2.spm`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::config::Config;
use super::module::Module;
use crate::files::lone_file;

/// The network and the pieces of LASER; `None` for a folder of another kind.
pub fn files(path: &Path) -> Option<(PathBuf, PathBuf)> {
    if path.join("config.json").is_file() {
        return None;
    }
    Some((lone_file(path, "pt")?, lone_file(path, "spm")?))
}

/// What follows the word vectors in the encoder (Artetxe & Schwenk 2019): an LSTM, and the largest value of each feature.
pub fn modules(path: &Path) -> Vec<Module> {
    let module = |kind: &str, key: &str, value: &str| Module {
        kind: kind.to_owned(),
        folder: path.to_owned(),
        config: Config::of([(key.to_owned(), Value::from(value))]),
    };
    vec![module("LSTM", "prefix", "lstm"), module("Pooling", "pooling_mode", "max")]
}
