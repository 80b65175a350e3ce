//! Which Python environments may run: what in one decides which code its interpreter runs, whether
//! others can change it, and which ones the user has trusted, as a `.venv` in the current folder
//! may come from anybody.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use mteb_files::hex;
use mteb_workers::plugins::{Trust, check_entries, check_way};
use sha2::{Digest, Sha256};

use super::error::EnvironmentError;

/// Says where the interpreter and its standard library come from; Python looks for it in these places, in this order.
const CONFIGURATIONS: [&str; 2] = ["bin/pyvenv.cfg", "pyvenv.cfg"];

/// Folders of libraries; the second one is often a link to the first, and the last two are what Debian's Python adds.
const LIBRARIES: [&str; 4] = ["lib", "lib64", "local/lib", "local/lib64"];

/// Folders of packages in one of libraries; `dist-packages` is what Debian's Python adds.
const PACKAGES: [&str; 2] = ["site-packages", "dist-packages"];

/// Checks that nobody else can change what the interpreter of the environment in `root` runs when it starts: the way to it,
/// `pyvenv.cfg` and what that names as `home`, the standard library that Python finds from there, and all that lies right in
/// `bin`, in the folders of libraries, in their folders `python*` and in those of packages there, so every `.pth` file and
/// every module. Files inside a package are not looked at.
///
/// # Errors
/// What others can change.
pub fn check_environment(root: &Path) -> Result<(), EnvironmentError> {
    let interpreter = root.join("bin/python");
    check_way(&interpreter)?;
    check_way(root)?;
    let mut homes: Vec<PathBuf> =
        interpreter.canonicalize().iter().filter_map(|path| folder_of(path)).collect();
    for configuration in CONFIGURATIONS {
        let configuration = root.join(configuration);
        check_way(&configuration)?;
        homes.extend(homes_of(&configuration)?);
    }
    for home in homes {
        check_home(&home)?;
    }
    check_entries(&root.join("bin"))?;
    for library in LIBRARIES {
        let library = root.join(library);
        check_entries(&library)?;
        check_versions(&library)?;
    }
    Ok(())
}

/// Checks the folder of an interpreter, and the standard library: Python looks for it in `lib` of that folder and of each
/// above it, as the path is written and as it is without links.
fn check_home(home: &Path) -> Result<(), EnvironmentError> {
    check_way(home)?;
    let real = home.canonicalize().ok().filter(|real| real != home);
    for prefix in home.ancestors().chain(real.iter().flat_map(|real| real.ancestors())) {
        for library in ["lib", "lib64"] {
            let library = prefix.join(library);
            check_way(&library)?;
            check_versions(&library)?;
        }
    }
    Ok(())
}

/// Checks what a folder of libraries, which may be absent, has as `python*`, be it a folder or `python311.zip`; of folders, all
/// that lies right in them, in what they have of compiled modules and in their packages.
fn check_versions(library: &Path) -> Result<(), EnvironmentError> {
    let cannot = |source| EnvironmentError::Permissions { path: library.to_owned(), source };
    let entries = match std::fs::read_dir(library) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(()),
        entries => entries.map_err(cannot)?,
    };
    for entry in entries {
        let entry = entry.map_err(cannot)?;
        if !entry.file_name().to_string_lossy().starts_with("python") {
            continue;
        }
        let version = entry.path();
        check_way(&version)?;
        if version.is_dir() {
            check_entries(&version)?;
            for below in PACKAGES.into_iter().chain(["lib-dynload"]) {
                check_entries(&version.join(below))?;
            }
        }
    }
    Ok(())
}

fn folder_of(path: &Path) -> Option<PathBuf> {
    path.parent().map(Path::to_owned)
}

/// What ends a line for `str.splitlines` of Python, by which the interpreter reads the file; `site.py` reads it as a text file.
const LINE_ENDS: [char; 10] =
    ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];

/// The same for a text file.
const TEXT_LINE_ENDS: [char; 2] = ['\n', '\r'];

/// Every folder that a configuration names as `home`: the first one counts for the interpreter, the last one for `site.py`.
///
/// # Errors
/// If the file cannot be read.
fn homes_of(configuration: &Path) -> Result<Vec<PathBuf>, EnvironmentError> {
    match mteb_files::read_to_string(configuration, mteb_files::TEXT) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(EnvironmentError::Configuration { path: configuration.to_owned(), source }),
        Ok(text) => Ok(named_folders(&text)),
    }
}

fn named_folders(text: &str) -> Vec<PathBuf> {
    let lines = text.split(LINE_ENDS).chain(text.split(TEXT_LINE_ENDS));
    let pairs = lines.filter_map(|line| line.split_once('='));
    let homes = pairs.filter(|(key, _)| strip(key).eq_ignore_ascii_case("home"));
    let mut homes: Vec<PathBuf> = homes.map(|(_, folder)| PathBuf::from(strip(folder))).collect();
    homes.sort();
    homes.dedup();
    homes
}

/// What `str.strip` of Python leaves, which takes four separators for spaces, too; and no mark of the order of bytes.
fn strip(text: &str) -> &str {
    let is_space =
        |letter: char| letter.is_whitespace() || matches!(letter, '\u{1c}'..='\u{1f}' | '\u{feff}');
    text.trim_matches(is_space)
}

/// Trusts the environment that `named` names, a folder or its interpreter, as it is now.
///
/// # Errors
/// If there is none, or that cannot be recorded.
pub fn trust_environment(named: &Path, trust: &mut Trust) -> Result<(), EnvironmentError> {
    let folder = if named.is_dir() { Some(named) } else { named.parent().and_then(Path::parent) };
    let folder = folder.filter(|folder| interpreter_of(folder).is_file());
    let folder = folder.ok_or_else(|| EnvironmentError::Absent(named.to_owned()))?;
    let (folder, state) = identify(folder)?;
    Ok(trust.add_environment(&folder, &state)?)
}

/// Checks that the user has let the interpreter of the environment in `folder` run, and that it is still the same.
///
/// # Errors
/// If not, with what to do.
pub fn check_trusted(folder: &Path, trust: &Trust) -> Result<(), EnvironmentError> {
    let (real, state) = identify(folder)?;
    let found = match trust.environment(&real) {
        Some(known) if known == state => return Ok(()),
        Some(_) => "one that has changed",
        None => "one that came with this folder or a parent folder",
    };
    let (interpreter, folder) = (interpreter_of(folder), folder.to_owned());
    Err(EnvironmentError::Untrusted { interpreter, found, folder })
}

/// The interpreter of the environment in `folder`.
pub fn interpreter_of(folder: &Path) -> PathBuf {
    folder.join("bin/python")
}

/// Where the environment in `folder` is without links, and what its interpreter is: where that leads, its content where that lies in the
/// environment, and the configuration.
fn identify(folder: &Path) -> Result<(PathBuf, String), EnvironmentError> {
    let cannot = |source| EnvironmentError::Unreadable { path: folder.to_owned(), source };
    let real = folder.canonicalize().map_err(cannot)?;
    let interpreter = interpreter_of(&real).canonicalize().map_err(cannot)?;
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    add(interpreter.as_os_str().as_encoded_bytes());
    if interpreter.starts_with(&real) {
        add(&fs::read(&interpreter).map_err(cannot)?);
    }
    match mteb_files::read_to_string(&real.join("pyvenv.cfg"), mteb_files::TEXT) {
        Ok(text) => add(text.as_bytes()),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(cannot(error)),
    }
    Ok((real, hex(&hash.finalize())))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    const MODULES: &str = "lib/python3.11/site-packages";

    /// What an environment has, and Debian's one may have, beside the folder of its interpreter's own.
    const FOLDERS: [&str; 14] = [
        "",
        "bin",
        "lib",
        "lib/python3.11",
        MODULES,
        "local",
        "local/lib",
        "local/lib/python3.11",
        "local/lib/python3.11/dist-packages",
        "base",
        "base/bin",
        "base/lib",
        "base/lib/python3.11",
        "base/lib/python3.11/lib-dynload",
    ];

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    fn write(path: &Path, text: &str) {
        fs::write(path, text).unwrap();
        set_mode(path, 0o644);
    }

    /// An environment with an interpreter that runs nothing, a module, a package and a file of paths.
    fn environment(root: &Path) {
        let packages = root.join(MODULES);
        for folder in FOLDERS {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::create_dir_all(packages.join("package")).unwrap();
        for folder in FOLDERS {
            set_mode(&root.join(folder), 0o755);
        }
        set_mode(&packages.join("package"), 0o755);
        for file in ["module.py", "some.pth", "package/__init__.py"] {
            write(&packages.join(file), "");
        }
        write(&root.join("bin/python"), "");
        write(&root.join("base/lib/python3.11/struct.py"), "");
        let home = root.join("base/bin");
        write(&root.join("pyvenv.cfg"), &format!("version = 3.11\nHome = {}\n", home.display()));
        symlink("lib", root.join("lib64")).unwrap();
    }

    #[test]
    fn an_environment_of_ones_own_passes() {
        let folder = tempfile::tempdir().unwrap();
        environment(folder.path());
        check_environment(folder.path()).unwrap();
        fs::remove_file(folder.path().join("pyvenv.cfg")).unwrap();
        check_environment(folder.path()).expect("conda has no such file");
    }

    #[test]
    fn whatever_decides_what_the_interpreter_runs_is_held_to_it() {
        let module = format!("{MODULES}/module.py");
        let paths = format!("{MODULES}/some.pth");
        let package = format!("{MODULES}/package");
        let library = "base/lib/python3.11/struct.py";
        let files = ["bin/python", "pyvenv.cfg", module.as_str(), paths.as_str(), package.as_str(), library];
        for place in FOLDERS.into_iter().chain(files) {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().canonicalize().unwrap();
            environment(&root);
            set_mode(&root.join(place), 0o777);
            let open = if place.is_empty() { root.clone() } else { root.join(place) };
            let found = check_environment(&root).unwrap_err().to_string();
            assert_eq!(found, format!("everyone may write to {}", open.display()));
        }
    }

    #[test]
    fn whatever_a_python_may_take_for_home_is_named() {
        let found = |text: &str| -> Vec<String> {
            named_folders(text).iter().map(|home| home.display().to_string()).collect()
        };
        for text in
            ["home = /a", "\tHOME=/a \r\n", "x = 1\rhome = /a\n", "x=1\u{1c}home = /a", "home\u{b}= /a\u{c}"]
        {
            assert!(found(text).contains(&"/a".to_owned()), "{text:?}: {:?}", found(text));
        }
        assert_eq!(found("home = /b\nversion = 3\nhome = /a\n"), ["/a", "/b"]);
        assert_eq!(found("#home = /a\nhomes = /b\n"), [""; 0]);
    }
}
