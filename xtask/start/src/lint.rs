//! Lints crates of the workspace where cargo builds them. `cargo clippy` checks all crates, also those of others, in a mode whose results no
//! build can use; here the compiler of a build is followed by clippy, which reads what that build has made of other crates. Clippy could
//! compile by itself, but its code lacks what a debug build checks of pointers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::command::{exit_code, status, target_folder};

/// By this variable cargo finds the program that compiles the crates of the workspace.
const COMPILER: &str = "RUSTC_WORKSPACE_WRAPPER";

/// By this variable clippy finds its arguments, each followed by [`END`]. What clippy made is made again where it has another value, so cargo
/// has it, too.
const ARGUMENTS: &str = "CLIPPY_ARGS";

const END: &str = "__CLIPPY_HACKERY__";

/// Has every cargo that `command` starts lint the crates of the workspace that it builds; one for which there is a warning does not build.
///
/// # Errors
/// If this program cannot be copied to where cargo calls it.
pub fn lint_builds(command: &mut Command) -> Result<(), String> {
    let denied = ["--deny", "warnings"].map(|word| format!("{word}{END}")).concat();
    command.env(COMPILER, copy_program()?).env(ARGUMENTS, denied);
    Ok(())
}

/// True where [`lint_builds`] started this process.
pub fn lints_builds() -> bool {
    std::env::var_os(COMPILER).is_some_and(|program| Path::new(&program) == program_of_cargo())
}

/// True of the copy of this program that cargo calls in place of the compiler.
pub fn is_compiler() -> bool {
    let name = |path: &Path| path.file_name().map(ToOwned::to_owned);
    std::env::current_exe().is_ok_and(|program| name(&program) == name(&program_of_cargo()))
}

/// Calls the compiler that the first argument names with the others, then clippy if that compiled a crate.
///
/// # Errors
/// If one of them cannot be started.
pub fn compile(arguments: &[String]) -> Result<ExitCode, String> {
    let [compiler, arguments @ ..] = arguments else {
        return Err("expected a compiler and its arguments, found none".to_owned());
    };
    let compiled = status(Command::new(compiler).args(arguments))?;
    let folder = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("metadata");
    match lint_arguments(arguments, &folder) {
        Some(lint) if compiled.success() => {
            fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            Ok(exit_code(status(Command::new(clippy(compiler)).arg(compiler).args(lint))?))
        }
        _ => Ok(exit_code(compiled)),
    }
}

/// The arguments with which clippy lints what `arguments` compile: it makes no code, puts what it makes into `folder`, and adds to the
/// files that cargo watches its own. `None` where no crate is compiled.
fn lint_arguments(arguments: &[String], folder: &Path) -> Option<Vec<String>> {
    let after = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + 1)
    };
    let ending = arguments.iter().find_map(|argument| argument.strip_prefix("extra-filename="))?;
    let watched = Path::new(after("--out-dir")?).join(format!("{}{ending}.d", after("--crate-name")?));
    let mut changed = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let pair = rest.as_slice().first().map(String::as_str).unwrap_or_default();
        if argument == "--out-dir" {
            changed.extend([argument.clone(), folder.display().to_string()]);
            rest.next();
        } else if argument == "-C" && pair.starts_with("incremental=") {
            rest.next();
        } else if argument.starts_with("--emit=") {
            changed.push(format!("--emit=dep-info={},metadata", watched.display()));
        } else if argument.starts_with("--json=") {
            // Cargo is told of what others wait for once, by the compiler.
            changed.push(argument.replace(",artifacts", ""));
        } else {
            changed.push(argument.clone());
        }
    }
    Some(changed)
}

/// Clippy of the `compiler`: beside it, or the one in the path.
fn clippy(compiler: &str) -> PathBuf {
    let beside = Path::new(compiler).with_file_name("clippy-driver");
    if beside.is_file() { beside } else { PathBuf::from("clippy-driver") }
}

/// Copies this program to where cargo calls it: cargo builds this one again, under its name.
fn copy_program() -> Result<PathBuf, String> {
    let copy = program_of_cargo();
    let cannot = |error: std::io::Error| format!("{}: {error}", copy.display());
    let own = std::env::current_exe().map_err(cannot)?;
    fs::create_dir_all(copy.parent().unwrap_or(&copy)).map_err(cannot)?;
    let new = copy.with_extension("new");
    fs::copy(own, &new).map_err(cannot)?;
    fs::rename(new, &copy).map_err(cannot)?;
    Ok(copy)
}

fn program_of_cargo() -> PathBuf {
    let folder = target_folder();
    folder.canonicalize().unwrap_or(folder).join("lint/compile-and-lint")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn clippy_makes_no_code_beside_that_of_the_build() {
        let compiled = "--crate-name mteb_card --edition=2024 src/lib.rs --error-format=json \
                        --json=diagnostic-rendered-ansi,artifacts,future-incompat --emit=dep-info,metadata,link -C opt-level=1 \
                        --test -C extra-filename=-1f --out-dir deps -C incremental=old -L dependency=deps";
        let expected = "--crate-name mteb_card --edition=2024 src/lib.rs --error-format=json \
                        --json=diagnostic-rendered-ansi,future-incompat --emit=dep-info=deps/mteb_card-1f.d,metadata -C opt-level=1 \
                        --test -C extra-filename=-1f --out-dir lint -L dependency=deps";
        assert_eq!(lint_arguments(&words(compiled), Path::new("lint")), Some(words(expected)));
    }

    #[test]
    fn what_cargo_asks_the_compiler_about_itself_is_not_linted() {
        assert_eq!(lint_arguments(&words("-vV"), Path::new("lint")), None);
        let asked = "- --crate-name ___ --print=file-names --crate-type bin";
        assert_eq!(lint_arguments(&words(asked), Path::new("lint")), None);
    }
}
