//! The packages of the crates that are published: what each must say of itself, what its build script may
//! do, and what cargo packs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::command::{cargo, root, succeed, target_folder};
use crate::plugin_sources;

/// Packs all crates that are published without building them, and looks at what is in the packages.
///
/// # Errors
/// If a crate says too little of itself, its build script does too much, or cargo does not pack it.
pub fn check() -> Result<(), String> {
    pack(&root(), &target_folder(), false).map(drop)
}

/// Packs the crates of the project in `folder` into `package` of the folder `target`; gives their files. With `builds`, cargo builds each
/// of what is in the packages alone; there a process has no network where the system lets it give that up.
///
/// # Errors
/// As of [`check`].
pub fn pack(folder: &Path, target: &Path, builds: bool) -> Result<Vec<PathBuf>, String> {
    let all = packages(folder)?;
    let (published, others): (Vec<Package>, Vec<Package>) =
        all.into_iter().partition(|package| package.described["publish"].is_null());
    let others: Vec<&str> = others.iter().map(|package| package.name.as_str()).collect();
    let faults: Vec<String> =
        published.iter().flat_map(|package| manifest_faults(package, &others)).collect();
    report_faults(faults)?;
    write_sources(folder, &published)?;
    let mut command = if builds { without_network() } else { cargo() };
    command.current_dir(folder).env("CARGO_TARGET_DIR", target);
    // What is needed was fetched for other builds.
    command.args(["package", "--offline", "--workspace", "--quiet", "--allow-dirty"]);
    command.args(others.iter().flat_map(|other| ["--exclude", other]));
    if !builds {
        command.arg("--no-verify");
    }
    succeed(&mut command)?;
    let made = target.join("package");
    let files: Vec<PathBuf> = published.iter().map(|package| made.join(package.file())).collect();
    report_faults(content_faults(&files, &made.join("files.txt"))?)?;
    println!("{} packages in {}; files.txt lists what is in them", files.len(), made.display());
    Ok(files)
}

/// Cargo in a space of its own in which there is no network, so that a build script of anybody that asks it fails; where the system gives
/// no such space, cargo as it is.
fn without_network() -> Command {
    let apart = ["--map-root-user", "--net"];
    let tried = Command::new("unshare").args(apart).arg("true").stderr(Stdio::null()).status();
    if !tried.is_ok_and(|status| status.success()) {
        println!("the system gives no space without a network: build scripts may reach it");
        return cargo();
    }
    let mut command = Command::new("unshare");
    command.args(apart).arg(cargo().get_program());
    command
}

/// Unpacks a package below `folder`, in place of what lies there; gives where it lies.
///
/// # Errors
/// If it cannot be unpacked.
pub fn unpack(copy: &Path, folder: &Path) -> Result<PathBuf, String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let at = folder.join(copy.file_stem().unwrap_or_default());
    if at.exists() {
        fs::remove_dir_all(&at).map_err(|error| format!("{}: {error}", at.display()))?;
    }
    succeed(Command::new("tar").arg("-xzf").arg(copy).arg("-C").arg(folder))?;
    Ok(at)
}

/// Makes `folder` an empty one.
///
/// # Errors
/// If it cannot be made.
pub fn empty_folder(folder: &Path) -> Result<(), String> {
    let cannot = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(cannot)?;
    }
    fs::create_dir_all(folder).map_err(cannot)
}

fn report_faults(faults: Vec<String>) -> Result<(), String> {
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

fn packages(folder: &Path) -> Result<Vec<Package>, String> {
    let output =
        cargo().current_dir(folder).args(["metadata", "--no-deps", "--format-version", "1"]).output();
    let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
    let workspace: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cargo metadata: {error}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let packages = workspace["packages"].as_array().into_iter().flatten();
    let package = |described: &Value| {
        let text = |key: &str| described[key].as_str().unwrap_or_default().to_owned();
        let manifest = PathBuf::from(text("manifest_path"));
        let folder = manifest.parent().map(Path::to_owned).unwrap_or_default();
        Package { name: text("name"), version: text("version"), folder, described: described.clone() }
    };
    Ok(packages.map(package).collect())
}

/// Puts into each plugin that is a part of the host the hash of its sources, which its package cannot tell without the others.
fn write_sources(folder: &Path, packages: &[Package]) -> Result<(), String> {
    for package in packages.iter().filter(|package| package.name.starts_with("mteb-plugin-")) {
        if !package.described["targets"].as_array().into_iter().flatten().any(is_build_script) {
            continue;
        }
        let hash = plugin_sources::hash(folder, &package.folder, &package.name)
            .map_err(|error| format!("{}: {error}", package.name))?;
        let file = package.folder.join(plugin_sources::RELEASED);
        fs::write(&file, format!("{hash}\n")).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

/// What a build script has no use for: it would reach the network, or start a program that does.
const REACHES: [&str; 8] =
    ["std::net", "TcpStream", "UdpSocket", "Command::new", "std::process", "ureq", "reqwest", "curl"];

/// Most keywords that the registry of crates takes.
const KEYWORDS: usize = 5;

/// What `package` lacks, one line each; `unpublished` are the crates that it may not need.
fn manifest_faults(package: &Package, unpublished: &[&str]) -> Vec<String> {
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
struct Package {
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
fn is_build_script(target: &Value) -> bool {
    target["kind"][0] == "custom-build"
}

/// Bytes of the largest package that the registry of crates takes.
const LARGEST: u64 = 10 << 20;

/// What the package of every crate holds.
const EVERY: [&str; 4] = ["/Cargo.toml", "/Cargo.lock", "/LICENSE", "/README.md"];

/// What a plugin that is a part of the host holds beside it.
const SOURCES: &str = "/sources.txt";

/// Endings of files that were made of others.
const MADE: [&str; 5] = [".so", ".o", ".pyc", ".rlib", ".snap.new"];

/// What is wrong with the packages in `files`; the names and sizes of all that they hold are written to `list`.
///
/// # Errors
/// If a package cannot be looked at.
fn content_faults(files: &[PathBuf], list: &Path) -> Result<Vec<String>, String> {
    let (mut faults, mut all) = (Vec::new(), String::new());
    for file in files {
        let names = list_names(file)?;
        let bytes = fs::metadata(file).map_err(|error| format!("{}: {error}", file.display()))?.len();
        let shown = file.file_name().unwrap_or_default().to_string_lossy();
        all += &format!("{shown}\t{bytes}\n");
        names.iter().for_each(|name| all += &format!("\t{name}\n"));
        faults.extend(faults_of_one(&names, bytes).into_iter().map(|fault| format!("{shown}: {fault}")));
    }
    fs::write(list, all).map_err(|error| format!("{}: {error}", list.display()))?;
    Ok(faults)
}

fn list_names(file: &Path) -> Result<Vec<String>, String> {
    let output = Command::new("tar").arg("-tzf").arg(file).output();
    let output = output.map_err(|error| format!("cannot run tar: {error}"))?;
    if !output.status.success() {
        return Err(format!("{}: tar cannot read it", file.display()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn faults_of_one(names: &[String], bytes: u64) -> Vec<String> {
    let has =
        |ending: &str| names.iter().any(|name| name.matches('/').count() == 1 && name.ends_with(ending));
    let mut faults: Vec<String> = Vec::new();
    if bytes > LARGEST {
        faults.push(format!("expected at most {LARGEST} bytes, found {bytes}"));
    }
    // The links to `plugins/sources.rs` are files of a package.
    let is_bundled = names.iter().any(|name| name.starts_with("mteb-plugin-"))
        && (has("/build.rs") || has("/LICENSE-DATA"));
    for needed in EVERY.into_iter().chain(is_bundled.then_some(SOURCES)) {
        if !has(needed) {
            faults.push(format!("expected the file {}, found none", &needed[1..]));
        }
    }
    let made = names.iter().filter(|name| MADE.iter().any(|ending| name.ends_with(ending)));
    faults.extend(made.map(|name| format!("expected sources alone, found {name}")));
    faults
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
        assert_eq!(manifest_faults(&sound, &["xtask"]), Vec::<String>::new());
        assert_eq!(
            manifest_faults(&sound, &["mteb-base"]),
            ["p: expected dependencies that are published, found mteb-base"]
        );
        let mut bare = package(folder.path());
        bare.described["dependencies"][0]["req"] = json!("*");
        assert_eq!(
            manifest_faults(&bare, &[]),
            ["p: expected a version of the dependency mteb-base beside its path"]
        );
        bare.described["dependencies"][0]["kind"] = json!("dev");
        assert_eq!(
            manifest_faults(&bare, &["mteb-base"]),
            Vec::<String>::new(),
            "cargo leaves it out of the package"
        );
        bare.described["keywords"] = json!([]);
        bare.described["description"] = json!(null);
        fs::remove_file(folder.path().join("LICENSE")).unwrap();
        assert_eq!(manifest_faults(&bare, &[]).len(), 3);
    }

    #[test]
    fn a_build_script_that_fetches_or_lies_elsewhere_is_a_fault() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("LICENSE"), "text").unwrap();
        fs::write(folder.path().join("build.rs"), "fn main() { std::net::TcpStream::connect(\"h:1\"); }")
            .unwrap();
        let found = manifest_faults(&package(folder.path()), &[]);
        assert_eq!(found.len(), 2, "{found:?}");
        let mut elsewhere = package(folder.path());
        elsewhere.described["targets"][0]["src_path"] = json!("/elsewhere/sources.rs");
        let found = manifest_faults(&elsewhere, &[]);
        assert_eq!(found, ["p: expected the build script in the package, found /elsewhere/sources.rs"]);
    }

    #[test]
    fn a_package_without_its_licence_or_with_what_was_built_is_a_fault() {
        let names = |names: &[&str]| {
            names.iter().map(|name| format!("mteb-plugin-x-0.1.0/{name}")).collect::<Vec<_>>()
        };
        let usual = ["Cargo.toml", "Cargo.lock", "LICENSE", "README.md", "src/lib.rs"];
        assert_eq!(faults_of_one(&names(&usual), 10), Vec::<String>::new());
        assert_eq!(faults_of_one(&names(&usual[..2]), 10).len(), 2);
        assert_eq!(faults_of_one(&names(&usual), LARGEST + 1).len(), 1);
        let bundled = [&usual[..], &["build.rs"]].concat();
        assert_eq!(faults_of_one(&names(&bundled), 10), ["expected the file sources.txt, found none"]);
        let built = [&usual[..], &["src/libx.so"]].concat();
        assert_eq!(
            faults_of_one(&names(&built), 10),
            ["expected sources alone, found mteb-plugin-x-0.1.0/src/libx.so"]
        );
    }
}
