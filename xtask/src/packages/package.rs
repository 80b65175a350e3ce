//! A crate of the workspace, as cargo describes it.

use std::path::PathBuf;

use serde_json::Value;

/// A crate of the workspace, as cargo describes it.
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Where its manifest lies.
    pub folder: PathBuf,
    /// What cargo knows of it.
    pub described: Value,
}

impl Package {
    /// The name of its file.
    pub fn file(&self) -> String {
        format!("{}-{}.crate", self.name, self.version)
    }
}

/// True of the target of a crate that cargo runs before it builds the others.
pub fn is_build_script(target: &Value) -> bool {
    target["kind"][0] == "custom-build"
}
