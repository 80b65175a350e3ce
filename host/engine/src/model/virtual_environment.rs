//! What of a Python environment decides which code its interpreter runs, and whether others can change it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::plugins::{check_entries, check_way};

/// Says where the interpreter and its standard library come from; Python looks for it in these places, in this order.
const CONFIGURATIONS: [&str; 2] = ["bin/pyvenv.cfg", "pyvenv.cfg"];

/// Folders of libraries; the second one is often a link to the first.
const LIBRARIES: [&str; 2] = ["lib", "lib64"];

/// Checks that nobody else can change what the interpreter of the environment in `root` runs when it starts: the way to it,
/// `pyvenv.cfg` and what that names as `home`, and all that lies right in `bin`, in `lib`, in its folders `python*` and in
/// `site-packages` there, so every `.pth` file and every module. Files inside a package are not looked at.
///
/// # Errors
/// One line that names what others can change.
pub fn check_environment(root: &Path) -> Result<(), String> {
    check_way(&root.join("bin/python"))?;
    check_way(root)?;
    for configuration in CONFIGURATIONS {
        let configuration = root.join(configuration);
        check_way(&configuration)?;
        if let Some(home) = home(&configuration)? {
            check_way(&home)?;
        }
    }
    check_entries(&root.join("bin"))?;
    for library in LIBRARIES {
        let library = root.join(library);
        check_entries(&library)?;
        for version in versions(&library)? {
            check_entries(&version)?;
            check_entries(&version.join("site-packages"))?;
        }
    }
    Ok(())
}

/// The folder that a configuration names as `home`; the first one counts.
fn home(configuration: &Path) -> Result<Option<PathBuf>, String> {
    let text = match mteb_files::read_to_string(configuration, mteb_files::TEXT) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|error| format!("{} cannot be read: {error}", configuration.display()))?,
    };
    let mut pairs = text.lines().filter_map(|line| line.split_once('='));
    let home = pairs.find(|(key, _)| key.trim().eq_ignore_ascii_case("home"));
    Ok(home.map(|(_, folder)| PathBuf::from(folder.trim())))
}

/// The folders `python*` of a folder of libraries, which may be absent.
fn versions(library: &Path) -> Result<Vec<PathBuf>, String> {
    let cannot = |error: std::io::Error| format!("{} cannot be looked at: {error}", library.display());
    let entries = match std::fs::read_dir(library) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(cannot)?,
    };
    let mut folders = Vec::new();
    for entry in entries {
        let entry = entry.map_err(cannot)?;
        if entry.file_name().to_string_lossy().starts_with("python") && entry.path().is_dir() {
            folders.push(entry.path());
        }
    }
    Ok(folders)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    const PACKAGES: &str = "lib/python3.11/site-packages";

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    fn write(path: &Path, text: &str) {
        fs::write(path, text).unwrap();
        set_mode(path, 0o644);
    }

    /// An environment with an interpreter that runs nothing, a module, a package and a file of paths.
    fn environment(root: &Path) {
        let packages = root.join(PACKAGES);
        for folder in [root.to_owned(), root.join("bin"), packages.join("package"), root.join("home")] {
            fs::create_dir_all(folder).unwrap();
        }
        for folder in ["", "bin", "lib", "lib/python3.11", PACKAGES, "home"] {
            set_mode(&root.join(folder), 0o755);
        }
        set_mode(&packages.join("package"), 0o755);
        for file in ["module.py", "some.pth", "package/__init__.py"] {
            write(&packages.join(file), "");
        }
        write(&root.join("bin/python"), "");
        write(&root.join("pyvenv.cfg"), &format!("version = 3.11\nHome = {}\n", root.join("home").display()));
        symlink("lib", root.join("lib64")).unwrap();
    }

    #[test]
    fn an_environment_of_ones_own_passes() {
        let folder = tempfile::tempdir().unwrap();
        environment(folder.path());
        assert_eq!(check_environment(folder.path()), Ok(()));
        fs::remove_file(folder.path().join("pyvenv.cfg")).unwrap();
        assert_eq!(check_environment(folder.path()), Ok(()), "conda has no such file");
    }

    #[test]
    fn whatever_decides_what_the_interpreter_runs_is_held_to_it() {
        let module = format!("{PACKAGES}/module.py");
        let paths = format!("{PACKAGES}/some.pth");
        let package = format!("{PACKAGES}/package");
        let folders = ["", "bin", "home", "lib", "lib/python3.11", PACKAGES, package.as_str()];
        let files = ["bin/python", "pyvenv.cfg", module.as_str(), paths.as_str()];
        for place in folders.into_iter().chain(files) {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().canonicalize().unwrap();
            environment(&root);
            set_mode(&root.join(place), 0o777);
            let open = if place.is_empty() { root.clone() } else { root.join(place) };
            assert_eq!(check_environment(&root), Err(format!("everybody may write to {}", open.display())));
        }
    }
}
