//! Names of models, tasks, splits and subsets as names of folders and files.

/// A name as the reference makes a folder of it.
pub fn folder_name(name: &str) -> String {
    let name: String = name.replace('/', "__").replace(' ', "_");
    // What a plugin says of itself must not lead out of the folder of results.
    let name = name.replace(char::is_control, "_");
    if matches!(name.as_str(), "." | "..") { name.replace('.', "_") } else { name }
}
