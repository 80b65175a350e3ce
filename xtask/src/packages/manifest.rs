//! What a crate that is published says of itself, and what its build script does.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What a build script has no use for: it would reach the network, or start a program that does.
const REACHES: [&str; 8] =
    ["std::net", "TcpStream", "UdpSocket", "Command::new", "std::process", "ureq", "reqwest", "curl"];

/// Most keywords that the registry of crates takes.
const KEYWORDS: usize = 5;

/// What `package` lacks, one line each; `unpublished` are the crates that it may not need.
pub fn faults(package: &Package, unpublished: &[&str]) -> Vec<String> {
    let described = &package.described;
    let mut faults = Vec::new();
    for key in ["description", "license", "readme", "repository"] {
        if described[key].as_str().is_none_or(str::is_empty) {
            faults.push(format!("expected `{key}`, found none"));
        }
    }
    let count = |key: &str| described[key].as_array().map_or(0, Vec::len);
    if !(1..=KEYWORDS).contains(&count("keywords")) || count("categories") == 0 {
        faults.push(format!("expected one to {KEYWORDS} `keywords`, and `categories`"));
    }
    if described["metadata"]["docs"]["rs"].is_null() {
        faults.push("expected `[package.metadata.docs.rs]`, found none".to_owned());
    }
    if !package.folder.join("LICENSE").is_file() {
        faults.push("expected the file LICENSE, or a link to it, found none".to_owned());
    }
    for need in described["dependencies"].as_array().into_iter().flatten() {
        let name = need["name"].as_str().unwrap_or_default();
        let is_of_tests = need["kind"] == "dev";
        if need["path"].is_string() && need["req"] == "*" && !is_of_tests {
            faults.push(format!("expected a version of the dependency {name} beside its path"));
        }
        if unpublished.contains(&name) && !(is_of_tests && need["req"] == "*") {
            faults.push(format!("expected dependencies that are published, found {name}"));
        }
    }
    for target in
        described["targets"].as_array().into_iter().flatten().filter(|target| is_build_script(target))
    {
        let script = PathBuf::from(target["src_path"].as_str().unwrap_or_default());
        faults.extend(script_faults(&package.folder, &script));
    }
    faults.into_iter().map(|fault| format!("{}: {fault}", package.name)).collect()
}

/// What is wrong with a build script and the files beside it, if it has a folder of its own.
fn script_faults(folder: &Path, script: &Path) -> Vec<String> {
    if !script.starts_with(folder) {
        return vec![format!("expected the build script in the package, found {}", script.display())];
    }
    let beside = script.parent().filter(|parent| *parent != folder);
    let files = match beside.map(fs::read_dir) {
        Some(Ok(entries)) => entries.flatten().map(|entry| entry.path()).collect(),
        _ => vec![script.to_owned()],
    };
    let faults = files.iter().flat_map(|file| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let used = REACHES.into_iter().filter(move |word| text.contains(word));
        let shown = file.display().to_string();
        used.map(move |word| {
            format!("{shown}: expected a build script that needs no network and no program, found `{word}`")
        })
    });
    faults.collect()
}

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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn package(folder: &Path) -> Package {
        let described = json!({
            "description": "d", "license": "MIT", "readme": "README.md", "repository": "r", "keywords": ["k"],
            "categories": ["science"], "metadata": {"docs": {"rs": {}}},
            "dependencies": [{"name": "mteb-base", "path": "/base", "req": "^0.1.0", "kind": null}],
            "targets": [{"kind": ["custom-build"], "src_path": folder.join("build.rs")}],
        });
        Package { name: "p".to_owned(), version: "0.1.0".to_owned(), folder: folder.to_owned(), described }
    }

    #[test]
    fn a_crate_that_can_be_published_has_no_faults_and_each_lack_is_one() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("LICENSE"), "text").unwrap();
        fs::write(folder.path().join("build.rs"), "fn main() {}").unwrap();
        let sound = package(folder.path());
        assert_eq!(faults(&sound, &["xtask"]), Vec::<String>::new());
        assert_eq!(
            faults(&sound, &["mteb-base"]),
            ["p: expected dependencies that are published, found mteb-base"]
        );
        let mut bare = package(folder.path());
        bare.described["dependencies"][0]["req"] = json!("*");
        assert_eq!(faults(&bare, &[]), ["p: expected a version of the dependency mteb-base beside its path"]);
        bare.described["dependencies"][0]["kind"] = json!("dev");
        assert_eq!(faults(&bare, &["mteb-base"]), Vec::<String>::new(), "cargo leaves it out of the package");
        bare.described["keywords"] = json!([]);
        bare.described["description"] = json!(null);
        fs::remove_file(folder.path().join("LICENSE")).unwrap();
        assert_eq!(faults(&bare, &[]).len(), 3);
    }

    #[test]
    fn a_build_script_that_fetches_or_lies_elsewhere_is_a_fault() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("LICENSE"), "text").unwrap();
        fs::write(folder.path().join("build.rs"), "fn main() { std::net::TcpStream::connect(\"h:1\"); }")
            .unwrap();
        let found = faults(&package(folder.path()), &[]);
        assert_eq!(found.len(), 2, "{found:?}");
        let mut elsewhere = package(folder.path());
        elsewhere.described["targets"][0]["src_path"] = json!("/elsewhere/sources.rs");
        let found = faults(&elsewhere, &[]);
        assert_eq!(found, ["p: expected the build script in the package, found /elsewhere/sources.rs"]);
    }
}
