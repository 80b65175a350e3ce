//! Keeps the folders of the machine that builds out of what is built: messages of panics name
//! source files.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Flags of the compiler, between which a character stands that no path has. It goes before `PLAIN`
/// and before configuration files.
const ENCODED: &str = "CARGO_ENCODED_RUSTFLAGS";
const BETWEEN: &str = "\u{1f}";

/// The same, with spaces between them.
const PLAIN: &str = "RUSTFLAGS";

/// True if cargo builds with these arguments what leaves the clone: in release mode, or in a profile that is named.
pub fn is_release<S: AsRef<OsStr>>(args: &[S]) -> bool {
    let is_install = args.first().is_some_and(|command| command.as_ref() == "install");
    is_install || args.iter().any(|arg| arg.as_ref() == "--release" || arg.as_ref() == "--profile")
}

/// Makes `cargo` write short names in place of `folders`, of the folder of cargo and of that of
/// rustup.
pub fn hide(cargo: &mut Command, folders: &[(PathBuf, &str)]) {
    let own = [("CARGO_HOME", ".cargo", "/cargo"), ("RUSTUP_HOME", ".rustup", "/rustup")];
    let own = own.into_iter().filter_map(|(name, usual, short)| Some((home(name, usual)?, short)));
    let folders = folders.iter().map(|(folder, short)| (folder.clone(), *short)).chain(own);
    let flags: Vec<String> = folders.map(|(folder, short)| flag(&folder, short)).collect();
    let given = |name: &str, between: &str| {
        let flags = env::var(name).ok()?;
        Some(flags.split(between).filter(|flag| !flag.is_empty()).map(str::to_owned).collect())
    };
    add(cargo, flags, given(ENCODED, BETWEEN).or_else(|| given(PLAIN, " ")));
}

/// The folder in which cargo has the crates of others, where that is known.
pub fn crates_folder() -> Option<PathBuf> {
    home("CARGO_HOME", ".cargo").map(|folder| folder.join("registry"))
}

/// The folder that a variable names, else the usual one in that of the user.
fn home(name: &str, usual: &str) -> Option<PathBuf> {
    let value = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    value(name).or_else(|| Some(value("HOME")?.join(usual)))
}

/// The flag that makes `short` of a folder, as the compiler sees it: without links.
fn flag(folder: &Path, short: &str) -> String {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    format!("--remap-path-prefix={}={short}", real.display())
}

/// Adds flags to those of the user, which variables have `given` or configuration files.
fn add(cargo: &mut Command, flags: Vec<String>, given: Option<Vec<String>>) {
    match given {
        Some(given) => cargo.env(ENCODED, [given, flags].concat().join(BETWEEN)),
        // A variable would take the place of what configuration files say; this is added to it.
        None => cargo.arg("--config").arg(format!("build.rustflags={flags:?}")),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_in_release_mode_are_told_from_others() {
        assert!(is_release(&["build", "--release", "--package", "mteb-host"]));
        assert!(is_release(&["build", "--profile", "dist", "--package", "mteb-host"]));
        assert!(is_release(&["install", "--locked"]));
        assert!(!is_release(&["build", "--package", "mteb-host"]) && !is_release::<&str>(&[]));
    }

    #[test]
    fn folders_are_left_out_beside_the_flags_of_the_user() {
        let flags = || vec!["--remap-path-prefix=/home/a b/.cargo=/cargo".to_owned()];
        let mut plain = Command::new("cargo");
        add(&mut plain, flags(), None);
        let arguments: Vec<&OsStr> = plain.get_args().collect();
        assert_eq!(
            arguments,
            ["--config", r#"build.rustflags=["--remap-path-prefix=/home/a b/.cargo=/cargo"]"#]
        );
        let mut given = Command::new("cargo");
        add(&mut given, flags(), Some(vec!["-Ctarget-cpu=native".to_owned()]));
        let (name, value) = given.get_envs().next().unwrap();
        assert_eq!(name, ENCODED);
        let expected = "-Ctarget-cpu=native\u{1f}--remap-path-prefix=/home/a b/.cargo=/cargo";
        assert_eq!((given.get_args().count(), value.unwrap()), (0, OsStr::new(expected)));
    }

    #[test]
    fn the_folders_of_this_machine_get_short_names() {
        let mut cargo = Command::new("cargo");
        hide(&mut cargo, &[(env::temp_dir(), "/mteb-host")]);
        let arguments = cargo.get_args().map(|argument| argument.to_string_lossy().into_owned());
        let values = cargo.get_envs().filter_map(|(_, value)| Some(value?.to_string_lossy().into_owned()));
        let said: String = arguments.chain(values).collect();
        let folder = env::temp_dir().canonicalize().unwrap();
        for expected in [format!("--remap-path-prefix={}=/mteb-host", folder.display()), "=/cargo".to_owned()]
        {
            assert!(said.contains(&expected), "{expected}: {said}");
        }
    }
}
