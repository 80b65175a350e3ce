//! The names of folders and files in a folder of results: `<model>/<revision>/<Task>.json`, and
//! what lies beside these.

pub use mteb_items::outcomes::OUTCOMES;

/// File that says whose results the folder holds.
pub const META: &str = "model_meta.json";

/// Folder of the results of models without a revision, as the reference calls it.
pub const NO_REVISION: &str = "no_revision_available";

/// Folder, below that of a revision, with a folder for each experiment: the results of the model
/// with options of the user's.
pub const EXPERIMENTS: &str = "experiments";

/// Folder of files some of whose content was replaced, and of what lay in the place of others.
pub const SUPERSEDED: &str = "superseded";

/// Folder of the ranked documents of each unit, as run files.
pub const RANKINGS: &str = "rankings";

/// Folder of the same as the reference keeps them, a file for each task.
pub const PREDICTIONS: &str = "predictions";
