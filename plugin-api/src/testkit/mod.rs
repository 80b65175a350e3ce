//! The conformance kit: what the host relies on, checked on a real library.
//!
//! A plugin's own test builds the library and asks for no faults:
//!
//! ```
//! fn conforms(library: &std::path::Path) {
//!     assert_eq!(mteb_plugin_api::testkit::check(library), Vec::<String>::new());
//! }
//! ```
//!
//! `mteb-host plugins check FILE.so` runs the same checks in a worker process; with `--model NAME` those of [`check_model`]. Of a
//! task pack it also reads the rows as a run does.

mod measures;
mod model;
mod pack;

use std::path::Path;

use crate::v1::{Library, ModelConfig};
use crate::{Manifest, ModelOption, PluginKind};
use mteb_card::MEASURES;

/// Every fault of the plugin at `path`, one line each; none if it conforms.
pub fn check(path: &Path) -> Vec<String> {
    match Library::open(path) {
        Ok(library) => check_library(&library),
        Err(error) => vec![error.to_string()],
    }
}

/// Every fault of an opened plugin, one line each.
pub fn check_library(library: &Library) -> Vec<String> {
    let manifest = library.manifest();
    let mut faults = manifest_faults(manifest);
    match manifest.kind {
        PluginKind::Model => {
            for name in manifest.models.iter().filter(|name| !name.ends_with('*')) {
                let config = ModelConfig {
                    name: name.clone(),
                    device: "cpu".to_owned(),
                    dtype: "auto".to_owned(),
                    ..ModelConfig::default()
                };
                faults.extend(model::faults(library, &config));
            }
        }
        PluginKind::TaskPack => {
            for name in &manifest.tasks {
                faults.extend(pack::faults(library, name));
            }
            if has_measures(manifest) {
                faults.extend(measures::faults(library));
            }
        }
    }
    faults
}

/// Every fault of the model of an opened plugin that `config` asks for, one line each: also of one whose name a pattern of the
/// manifest takes.
pub fn check_model(library: &Library, config: &ModelConfig) -> Vec<String> {
    let manifest = library.manifest();
    let mut faults = manifest_faults(manifest);
    if manifest.has_model(&config.name) {
        faults.extend(model::faults(library, config));
    } else {
        let names = manifest.models.join(", ");
        faults.push(format!("expected a model that the plugin provides ({names}), found: {}", config.name));
    }
    faults
}

fn has_measures(manifest: &Manifest) -> bool {
    manifest.features.iter().any(|feature| feature == MEASURES)
}

fn manifest_faults(manifest: &Manifest) -> Vec<String> {
    let mut faults = Vec::new();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if manifest.name.is_empty() || !manifest.name.chars().all(plain) {
        faults
            .push(format!("manifest, name: expected letters, digits, `-` and `_`, found: {}", manifest.name));
    }
    if manifest.version.is_empty() {
        faults.push("manifest, version: expected a version, found an empty text".to_owned());
    }
    if manifest.licence.is_empty() {
        faults.push("manifest, licence: expected an SPDX expression, found an empty text".to_owned());
    }
    match manifest.kind {
        PluginKind::Model if manifest.models.is_empty() => {
            faults.push("manifest, models: expected at least one model, found none".to_owned());
        }
        PluginKind::TaskPack if manifest.tasks.is_empty() && !has_measures(manifest) => {
            faults.push("manifest, tasks: expected at least one task, or measures, found none".to_owned());
        }
        _ => {}
    }
    faults.extend(ModelOption::faults(manifest));
    faults
}
