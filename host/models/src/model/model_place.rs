//! Where a model of sentence-transformers in Python is looked for: in a folder, on the hub, in the hub's cache.

use mteb_base::near_folder::near_folders;
use mteb_source::is_repository_name;
use mteb_workers::settings::Settings;

use super::python::kind_of;

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
