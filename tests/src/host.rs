//! Finds the built host, or builds it once, and runs it in folders of its own.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The variable by which `cargo xtask test`, which has built everything, names the host.
const HOST: &str = "MTEB_TEST_HOST";

/// What is built where no host is named: with the features that `cargo xtask test` gives every crate, so that nothing is built twice.
const SELECTION: [&str; 7] =
    ["--workspace", "--exclude", "mteb-plugin-torch", "--all-features", "--lib", "--bins", "--examples"];

/// The root of the workspace.
pub fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests).to_owned()
}

/// The host's binary: the one that is named, else one that is built with its plugins on the first call.
pub fn host_binary() -> PathBuf {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        cargo_build(&SELECTION);
        profile_folder().join("mteb-host")
    };
    FOUND.get_or_init(|| std::env::var_os(HOST).map_or_else(build, PathBuf::from)).clone()
}

/// The folder with the plugins of the project.
pub fn plugin_folder() -> PathBuf {
    host_binary().parent().map(Path::to_owned).unwrap_or_default()
}

/// A plugin that misbehaves on purpose, copied alone into `folder`; gives the copy.
pub fn faulty_plugin(name: &str, folder: &Path) -> io::Result<PathBuf> {
    let built = plugin_folder().join("examples").join(format!("lib{name}.so"));
    std::fs::create_dir_all(folder)?;
    let copy = folder.join(format!("lib{name}.so"));
    std::fs::copy(built, &copy)?;
    Ok(copy)
}

/// The library `lib{name}.so` of the plugin in `package`, which is no member of the workspace. It is built from a copy, into
/// the folder of the tests and with the workspace's versions, so that what one of them has built serves all.
///
/// # Panics
/// If it cannot be copied or built.
pub fn build_outside(package: &Path, name: &str) -> PathBuf {
    let copy = profile_folder().join("outside").join(name);
    let result = copy_package(package, &copy);
    assert!(result.is_ok(), "{}: cannot copy the package: {result:?}", package.display());
    let manifest = copy.join("Cargo.toml");
    let arguments = outside_arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    cargo_build(&[&arguments[..], &["--manifest-path", &manifest.to_string_lossy()]].concat());
    profile_folder().join(format!("lib{name}.so"))
}

/// How cargo builds a package that is no member of the workspace: with the profiles of the workspace, but nothing that it depends on is
/// optimised, because it is called for an instant, and most of it has other features than in the workspace and is built for it alone.
pub fn outside_arguments() -> [String; 5] {
    let profiles = root().join("Cargo.toml").to_string_lossy().into_owned();
    let plain = "profile.dev.package.\"*\".opt-level=0";
    ["--offline", "--config", &profiles, "--config", plain].map(str::to_owned)
}

/// Copies a package of one source file and its data, with the lock file of the workspace and with paths that hold where the copy is.
fn copy_package(package: &Path, copy: &Path) -> io::Result<()> {
    use std::fs;

    fs::create_dir_all(copy.join("src"))?;
    let write = |name: &str, content: &[u8]| {
        let file = copy.join(name);
        // What is as it was stays untouched, and is not built again.
        if fs::read(&file).is_ok_and(|old| old == content) { Ok(()) } else { fs::write(file, content) }
    };
    let manifest = fs::read_to_string(package.join("Cargo.toml"))?;
    let interface = root().join("plugin-api");
    write("Cargo.toml", manifest.replace("../../plugin-api", &interface.to_string_lossy()).as_bytes())?;
    write("src/lib.rs", &fs::read(package.join("src/lib.rs"))?)?;
    if package.join("data").is_dir() {
        fs::create_dir_all(copy.join("data"))?;
        for entry in fs::read_dir(package.join("data"))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            write(&format!("data/{name}"), &fs::read(package.join("data").join(&name))?)?;
        }
    }
    fs::copy(root().join("Cargo.lock"), copy.join("Cargo.lock")).map(drop)
}

/// Makes the user whose folder is `home` trust every plugin in `plugins`.
///
/// # Errors
/// If the host cannot be started.
pub fn trust(home: &Path, plugins: &Path) -> io::Result<()> {
    let run = Run::of(host(home).args(["plugins", "lock", "--plugin-dir"]).arg(plugins))?;
    assert!(run.code == Some(0), "{}", run.stderr);
    Ok(())
}

/// A command line of the host whose cache and data lie in `folder`, so that nothing of the user is seen.
pub fn host(folder: &Path) -> Command {
    let mut command = Command::new(host_binary());
    command
        .current_dir(folder)
        .env("MTEB_HOST_CACHE", folder.join("cache"))
        .env("MTEB_HOST_DATA", folder.join("data"))
        .env_remove("MTEB_HOST_PLUGINS")
        .env_remove("MTEB_HOST_PYTHON")
        .env_remove("MTEB_HOST_REGISTRIES");
    command
}

/// The same command line, which Ctrl-C ends even where this process was started with that signal ignored, as `nohup` does.
pub fn interruptible(command: &Command) -> Command {
    let mut wrapped = Command::new("env");
    wrapped.arg("--default-signal=INT").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => wrapped.env(name, value),
            None => wrapped.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        wrapped.current_dir(folder);
    }
    wrapped
}

/// What a finished program said.
#[derive(Debug)]
pub struct Run {
    /// Exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    /// Runs a command to its end.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn of(command: &mut Command) -> io::Result<Self> {
        let Output { status, stdout, stderr } = command.output()?;
        Ok(Self {
            code: status.code(),
            stdout: String::from_utf8_lossy(&stdout).into_owned(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        })
    }

    /// Standard output as JSON.
    ///
    /// # Errors
    /// If it is no JSON.
    pub fn json(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::from_str(&self.stdout)
    }
}

/// The folder of the profile that the running test was built in.
pub(crate) fn profile_folder() -> PathBuf {
    let test = std::env::current_exe().unwrap_or_default();
    test.ancestors().nth(2).map(Path::to_owned).unwrap_or_default()
}

/// Builds in the profile and the folder of the running test.
fn cargo_build(arguments: &[&str]) {
    let folder = profile_folder();
    let mut command = nested_cargo();
    command.current_dir(root()).args(["build", "--quiet"]).args(arguments);
    if folder.ends_with("release") {
        command.arg("--release");
    }
    if let Some(target) = folder.parent() {
        command.arg("--target-dir").arg(target);
    }
    let built = command.status().is_ok_and(|status| status.success());
    assert!(built, "cargo build {} failed", arguments.join(" "));
}

/// Cargo without what the outer one tells a running test of its package, which would make it build again what depends on that, and without
/// the compiler that lints the crates of the workspace.
pub fn nested_cargo() -> Command {
    const OF_OUTER: [&str; 5] =
        ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_CRATE_", "CARGO_BIN_", "RUSTC_WORKSPACE_WRAPPER"];
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in std::env::vars_os() {
        if OF_OUTER.iter().any(|begin| name.to_string_lossy().starts_with(begin)) {
            command.env_remove(name);
        }
    }
    command
}
