//! Where the running program lies: in a wheel of the Python package, or in a virtual environment.

use std::env;
use std::path::{Path, PathBuf};

/// Folders between an environment and a package in it: `lib/python3.12/site-packages/mteb_host`.
const ABOVE_PACKAGE: usize = 4;

/// True if the program came with a wheel of the Python package: there is no clone to build from.
pub fn is_of_wheel() -> bool {
    env::current_exe().is_ok_and(|program| package_of(&program).is_some())
}

/// The interpreter of the virtual environment that the program lies in, in its `bin` or with the
/// Python package; `None` where it lies in none.
pub fn own_interpreter() -> Option<PathBuf> {
    interpreter_beside(&env::current_exe().ok()?)
}

/// The Python package with `program` in its folder `bin`.
fn package_of(program: &Path) -> Option<&Path> {
    let package = program.parent().filter(|folder| folder.ends_with("bin"))?.parent()?;
    package.join("_binary.py").is_file().then_some(package)
}

fn interpreter_beside(program: &Path) -> Option<PathBuf> {
    let environment = match package_of(program) {
        Some(package) => package.ancestors().nth(ABOVE_PACKAGE)?,
        None => program.parent().filter(|folder| folder.ends_with("bin"))?.parent()?,
    };
    let python = environment.join("bin/python");
    (environment.join("pyvenv.cfg").is_file() && python.is_file()).then_some(python)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A folder with these empty files.
    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        folder
    }

    #[test]
    fn a_program_in_a_virtual_environment_knows_its_interpreter() {
        let folder = folder(&["pyvenv.cfg", "bin/python", "bin/mteb-host", "debug/mteb-host"]);
        let beside = |program: &str| interpreter_beside(&folder.path().join(program));
        assert_eq!(beside("bin/mteb-host"), Some(folder.path().join("bin/python")));
        assert_eq!(beside("debug/mteb-host"), None, "any folder may lie in one that others wrote");
        fs::remove_file(folder.path().join("pyvenv.cfg")).unwrap();
        assert_eq!(beside("bin/mteb-host"), None, "`/usr/bin` is no virtual environment");
    }

    #[test]
    fn a_program_of_a_wheel_knows_the_environment_of_the_package() {
        const PACKAGE: &str = "lib/python3.12/site-packages/mteb_host";
        let code = format!("{PACKAGE}/_binary.py");
        let folder = folder(&["pyvenv.cfg", "bin/python", "bin/mteb-host", &code]);
        let program = folder.path().join(PACKAGE).join("bin/mteb-host");
        assert_eq!(package_of(&program), Some(&*folder.path().join(PACKAGE)));
        assert_eq!(interpreter_beside(&program), Some(folder.path().join("bin/python")));
        assert_eq!(package_of(&folder.path().join("bin/mteb-host")), None);
    }
}
