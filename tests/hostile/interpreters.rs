//! Python interpreters that lie where others put them: in the current folder, or in an environment that others can change.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host, host_binary, write_pair_card, write_pairs};
use tempfile::TempDir;

/// What a foreign interpreter, or foreign code in it, says.
const HAS_RUN: &str = "FOREIGN CODE HAS RUN";

const MODEL: &str = "
class M:
    def encode(self, texts):
        return [[1.0, float(len(text))] for text in texts]
";

/// A folder with a task of one unit and a model in Python.
fn task() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Pairs", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a", "b c", 1.0), ("d", "b c", 2.0), ("e f g", "b", 4.0)]).unwrap();
    fs::write(folder.path().join("m.py"), MODEL).unwrap();
    folder
}

/// The model's run, with this path, and with the active environment `active`.
fn run(folder: &Path, path: Option<OsString>, active: Option<&str>) -> Run {
    host_binary();
    let mut command = host(folder);
    command.args(["run", "--quiet", "--registry", "task.toml", "--model", "python:m.py:M"]);
    command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX");
    if let Some(path) = path {
        command.env("PATH", path);
    }
    if let Some(active) = active {
        command.env("VIRTUAL_ENV", active);
    }
    Run::of(&mut command).unwrap()
}

/// An interpreter that says that it has run.
fn foreign_interpreter(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\necho {HAS_RUN} >&2\nexit 1\n")).unwrap();
    set_mode(path, 0o755);
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_relative_folder_of_the_path_is_not_searched() {
    let folder = task();
    foreign_interpreter(&folder.path().join("python3"));
    foreign_interpreter(&folder.path().join("b/python3"));
    let usual = std::env::var_os("PATH").unwrap();
    for relative in ["", ".", "b"] {
        let mut path = OsString::from(format!("{relative}:"));
        path.push(&usual);
        let run = run(folder.path(), Some(path), None);
        assert_eq!(run.code, Some(0), "{relative:?}: {}", run.stderr);
        assert!(!run.stderr.contains(HAS_RUN), "{relative:?}: {}", run.stderr);
    }
}

#[test]
fn an_active_environment_with_a_relative_path_is_left_out_with_a_word() {
    let folder = task();
    foreign_interpreter(&folder.path().join("own/bin/python"));
    let run = run(folder.path(), None, Some("own"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let said = "`VIRTUAL_ENV`: expected an absolute folder, found one that is ignored: own; ";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(!run.stderr.contains(HAS_RUN), "{}", run.stderr);
}

#[test]
fn an_active_environment_in_the_current_folder_of_whoever_looks_is_left_out_with_a_word() {
    let folder = task();
    foreign_interpreter(&folder.path().join("own/bin/python"));
    let run = run(folder.path(), None, Some("/proc/self/cwd/own"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let said = "`VIRTUAL_ENV`: expected an absolute folder, found one that is ignored: /proc/self/cwd/own; ";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(!run.stderr.contains(HAS_RUN), "{}", run.stderr);
}

/// The host in `bin` of the virtual environment `own`, whose interpreter says that it has run.
fn host_in_an_environment(folder: &Path) -> std::path::PathBuf {
    let own = folder.canonicalize().unwrap().join("own");
    foreign_interpreter(&own.join("bin/python"));
    fs::write(own.join("pyvenv.cfg"), "home = /usr/bin\n").unwrap();
    let program = own.join("bin/mteb-host");
    fs::hard_link(host_binary(), &program).or_else(|_| fs::copy(host_binary(), &program).map(drop)).unwrap();
    program
}

/// What the program says of a model in Python, with these variables and without others of Python.
fn said_with(folder: &Path, program: &Path, variables: &[(&str, &Path)], more: &[&str]) -> String {
    let mut command = Command::new(program);
    command.current_dir(folder).env("MTEB_HOST_CACHE", folder.join("cache"));
    command.env("MTEB_HOST_DATA", folder.join("data"));
    for name in ["VIRTUAL_ENV", "CONDA_PREFIX", "MTEB_HOST_PYTHON", "MTEB_HOST_PLUGINS"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    command.args(["run", "--quiet", "--registry", "task.toml", "--model", "python:m.py:M"]).args(more);
    command.args(["--overwrite", "always"]);
    Run::of(&mut command).unwrap().stderr
}

#[test]
fn the_environment_that_the_program_lies_in_has_its_interpreter() {
    let folder = task();
    let program = host_in_an_environment(folder.path());
    let said = |variables: &[(&str, &Path)], more: &[&str]| {
        said_with(folder.path(), &program, variables, more).contains(HAS_RUN)
    };
    assert!(said(&[], &[]), "it is not active, and the program is its own");
    let other = python3();
    assert!(!said(&[], &["--python", other.to_str().unwrap()]), "another one was named");
    let active = folder.path().join("active");
    fs::create_dir_all(active.join("bin")).unwrap();
    symlink(&other, active.join("bin/python")).unwrap();
    assert!(!said(&[("VIRTUAL_ENV", &active)], &[]), "another one is active");
}

#[test]
fn the_interpreter_that_calls_the_program_goes_before_an_active_environment() {
    let folder = task();
    let caller = folder.path().join("caller/bin/python");
    foreign_interpreter(&caller);
    let active = folder.path().join("active");
    fs::create_dir_all(active.join("bin")).unwrap();
    symlink(python3(), active.join("bin/python")).unwrap();
    let said = |caller: &Path| {
        let variables = [("MTEB_HOST_PYTHON", caller), ("VIRTUAL_ENV", &active)];
        said_with(folder.path(), &host_binary(), &variables, &[])
    };
    assert!(said(&caller).contains(HAS_RUN));
    let ignored = said(Path::new("caller/bin/python"));
    let expected =
        "`MTEB_HOST_PYTHON`: expected an absolute path, found one that is ignored: caller/bin/python; ";
    assert!(ignored.contains(expected) && !ignored.contains(HAS_RUN), "{ignored}");
}

#[test]
fn no_module_of_the_current_folder_is_loaded_by_the_path_of_modules() {
    let folder = task();
    fs::create_dir(folder.path().join("models")).unwrap();
    fs::rename(folder.path().join("m.py"), folder.path().join("models/m.py")).unwrap();
    fs::create_dir(folder.path().join("own")).unwrap();
    fs::write(folder.path().join("own/own.py"), "").unwrap();
    let own = folder.path().join("own").canonicalize().unwrap();
    fs::write(folder.path().join("models/m.py"), format!("import own\n{MODEL}")).unwrap();
    let foreign = format!("import sys; print('{HAS_RUN}', file=sys.stderr)\n");
    fs::write(folder.path().join("sitecustomize.py"), foreign).unwrap();
    for (begin, end) in [(":", ""), ("", ":"), (".:", ""), ("", ":./."), ("", ":/proc/self/cwd")] {
        let mut command = host(folder.path());
        command.args(["run", "--registry", "task.toml", "--overwrite", "always"]);
        command.args(["--model", "python:models/m.py:M"]);
        command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX");
        command.env("PYTHONPATH", format!("{begin}{}{end}", own.display()));
        let run = Run::of(&mut command).unwrap();
        assert_eq!(run.code, Some(0), "{begin} {end}: {}", run.stderr);
        assert!(!run.stderr.contains(HAS_RUN), "{begin} {end}: {}", run.stderr);
        let named = format!("{begin}{end}").replacen(':', "", 1);
        let said = format!("`PYTHONPATH`: expected absolute folders, found one that is ignored: {named}; ");
        assert_eq!(run.stderr.contains(&said), !named.is_empty(), "{begin} {end}: {}", run.stderr);
    }
}

/// The interpreter on the path, without links.
fn python3() -> std::path::PathBuf {
    let script = "import os, sys; print(os.path.realpath(sys.executable))";
    Run::of(Command::new("python3").args(["-c", script])).unwrap().stdout.trim().into()
}

/// An environment of the interpreter on the path, in `.venv`; gives its folder of packages.
fn environment(folder: &Path) -> std::path::PathBuf {
    let script =
        "import os, sys; print(os.path.realpath(sys.executable)); print('%d.%d' % sys.version_info[:2])";
    let said = Run::of(Command::new("python3").args(["-c", script])).unwrap().stdout;
    let (python, version) = said.trim().split_once('\n').unwrap();
    let root = folder.join(".venv");
    let packages = root.join(format!("lib/python{version}/site-packages"));
    fs::create_dir_all(&packages).unwrap();
    fs::create_dir_all(root.join("bin")).unwrap();
    symlink(python, root.join("bin/python")).unwrap();
    let home = Path::new(python).parent().unwrap().display();
    fs::write(root.join("pyvenv.cfg"), format!("home = {home}\ninclude-system-site-packages = false\n"))
        .unwrap();
    fs::write(packages.join("canary.pth"), format!("import sys; print('{HAS_RUN}', file=sys.stderr)\n"))
        .unwrap();
    let folders = root.join("lib").join(format!("python{version}"));
    for place in [&root, &root.join("bin"), &root.join("lib"), &folders, &packages] {
        set_mode(place, 0o755);
    }
    for file in [root.join("pyvenv.cfg"), packages.join("canary.pth")] {
        set_mode(&file, 0o644);
    }
    packages
}

#[test]
fn an_environment_here_that_others_can_change_runs_nothing() {
    let folder = task();
    let packages = environment(folder.path());
    let trust = || Run::of(host(folder.path()).args(["plugins", "list", "--trust-python", ".venv"])).unwrap();
    assert_eq!(trust().code, Some(0));
    let own = run(folder.path(), None, None);
    assert_eq!(own.code, Some(0), "nobody else can change it: {}", own.stderr);
    let configuration = folder.path().join(".venv/pyvenv.cfg");
    let version = packages.parent().unwrap().file_name().unwrap();
    let of_debian = folder.path().join(".venv/local/lib").join(version).join("dist-packages");
    let library = folder.path().join("base/lib").join(version);
    let base = folder.path().join("base/bin");
    for place in [&of_debian, &library, &base] {
        fs::create_dir_all(place).unwrap();
    }
    let usual = fs::read_to_string(&configuration).unwrap();
    fs::write(&configuration, format!("{usual}\rhome = {}\n", base.canonicalize().unwrap().display()))
        .unwrap();
    assert_eq!(trust().code, Some(0), "the configuration is another now");
    assert_eq!(run(folder.path(), None, None).code, Some(0), "nobody else can change these either");
    for (place, usual, open) in [
        (&configuration, 0o644, 0o666),
        (&packages, 0o755, 0o777),
        (&of_debian, 0o755, 0o777),
        (&library, 0o755, 0o777),
        (&base, 0o755, 0o777),
        (&packages.join("canary.pth"), 0o644, 0o666),
    ] {
        set_mode(place, open);
        let run = run(folder.path(), None, None);
        assert_eq!(run.code, Some(2), "{}: {}", place.display(), run.stderr);
        let place_shown = place.canonicalize().unwrap();
        let said = format!(
            "expected a virtual environment that nobody else can change, found that everyone may write to {}; \
             name it with `--python` if you trust it",
            place_shown.display()
        );
        assert!(run.stderr.contains(&said), "{}: {}", place.display(), run.stderr);
        assert!(!run.stderr.contains(HAS_RUN), "{}", run.stderr);
        set_mode(place, usual);
    }
}

/// Byte code of other code in the place of that of `source`, under a head that says not to look at the source.
fn foreign_byte_code(folder: &Path, source: &str) {
    let evil = folder.join("evil.txt");
    fs::write(&evil, format!("raise RuntimeError({HAS_RUN:?})\n")).unwrap();
    let script = "import importlib.util, py_compile, sys\n\
                  py_compile.compile(sys.argv[1], importlib.util.cache_from_source(sys.argv[2]), sys.argv[2], True, \
                  invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)\n";
    let mut compiler = Command::new("python3");
    compiler.env_remove("PYTHONPYCACHEPREFIX").args(["-c", script]).arg(&evil);
    assert!(compiler.arg(folder.join(source)).status().unwrap().success());
}

#[test]
fn no_byte_code_runs_in_the_place_of_a_model_or_of_what_lies_beside_it() {
    let folder = task();
    let beside = "import sys\nsys.path.append(sys.path[0] + '/more')\nimport helper, part.inner, later\n";
    fs::write(folder.path().join("m.py"), beside.to_owned() + MODEL).unwrap();
    for place in ["part", "more"] {
        fs::create_dir(folder.path().join(place)).unwrap();
    }
    for source in ["helper.py", "part/__init__.py", "part/inner.py", "more/later.py"] {
        fs::write(folder.path().join(source), "").unwrap();
    }
    let usual = run(folder.path(), None, None);
    assert_eq!(usual.code, Some(0), "{}", usual.stderr);
    for source in ["m.py", "helper.py", "part/__init__.py", "part/inner.py", "more/later.py"] {
        foreign_byte_code(folder.path(), source);
        fs::remove_dir_all(folder.path().join("results")).unwrap();
        let run = run(folder.path(), None, None);
        assert!(!run.stderr.contains(HAS_RUN), "{source}: {}", run.stderr);
        assert_eq!(run.code, Some(0), "{source}: {}", run.stderr);
    }
}

#[test]
fn a_module_beside_a_model_that_is_byte_code_alone_is_none() {
    let folder = task();
    fs::write(folder.path().join("m.py"), "import helper\n".to_owned() + MODEL).unwrap();
    fs::write(folder.path().join("helper.py"), "").unwrap();
    foreign_byte_code(folder.path(), "helper.py");
    let cached = fs::read_dir(folder.path().join("__pycache__")).unwrap().next().unwrap().unwrap().path();
    fs::rename(cached, folder.path().join("helper.pyc")).unwrap();
    fs::remove_file(folder.path().join("helper.py")).unwrap();
    let run = run(folder.path(), None, None);
    assert!(!run.stderr.contains(HAS_RUN), "{}", run.stderr);
    assert!(run.stderr.contains("No module named 'helper'"), "{}", run.stderr);
}

#[test]
fn no_byte_code_runs_of_a_linked_package_or_of_a_module_loaded_by_its_place() {
    let folder = task();
    let place = "import importlib.util, os\n\
                 place = os.path.join(os.path.dirname(__file__), 'elsewhere', 'placed.py')\n\
                 spec = importlib.util.spec_from_file_location('placed', place)\n\
                 spec.loader.exec_module(importlib.util.module_from_spec(spec))\n";
    fs::create_dir_all(folder.path().join("models")).unwrap();
    fs::create_dir_all(folder.path().join("elsewhere")).unwrap();
    symlink("../elsewhere", folder.path().join("models/elsewhere")).unwrap();
    fs::write(folder.path().join("elsewhere/placed.py"), "").unwrap();
    fs::write(folder.path().join("elsewhere/helper.py"), "").unwrap();
    fs::write(
        folder.path().join("models/m.py"),
        format!("import elsewhere.helper\n{place}{MODEL}    revision = '1'\n"),
    )
    .unwrap();
    for source in ["elsewhere/helper.py", "elsewhere/placed.py"] {
        foreign_byte_code(folder.path(), source);
    }
    let said = |revised: &str| {
        let mut command = host(folder.path());
        command.args(["run", "--registry", "task.toml", "--model", "python:models/m.py:M"]);
        let run = Run::of(command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX")).unwrap();
        assert!(!run.stderr.contains(HAS_RUN), "{revised}: {}", run.stderr);
        assert_eq!(run.code, Some(0), "{revised}: {}", run.stderr);
        run.stderr
    };
    said("");
    for source in ["helper", "placed"] {
        fs::write(folder.path().join(format!("elsewhere/{source}.py")), "# revised\n").unwrap();
        let said = said(source);
        assert!(
            said.contains(&format!("model changed: elsewhere/{source}.py")),
            "what ran is part of the model: {said}"
        );
    }
}

#[test]
fn the_source_of_a_module_beside_a_model_runs_in_the_place_of_a_library_of_its_name() {
    let folder = task();
    fs::write(folder.path().join("m.py"), "import helper\n".to_owned() + MODEL).unwrap();
    fs::write(folder.path().join("helper.py"), "").unwrap();
    for library in ["helper.so", "helper.abi3.so"] {
        fs::write(folder.path().join(library), "no library").unwrap();
    }
    let run = run(folder.path(), None, None);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn a_file_behind_a_linked_folder_or_by_the_descriptor_of_one_is_part_of_a_model() {
    let folder = task();
    let reads = "import os\nHERE = os.path.dirname(os.path.abspath(__file__))\n\
                 open(HERE + '/linked/far.txt').read()\nat = os.open(HERE, 0)\n\
                 open('near.txt', opener=lambda path, flags: os.open(path, flags, dir_fd=at)).read()\n";
    fs::create_dir(folder.path().join("models")).unwrap();
    fs::create_dir(folder.path().join("elsewhere")).unwrap();
    symlink("../elsewhere", folder.path().join("models/linked")).unwrap();
    let files = ["elsewhere/far.txt", "models/near.txt"].map(|file| folder.path().join(file));
    for file in &files {
        fs::write(file, "1").unwrap();
    }
    fs::write(folder.path().join("models/m.py"), format!("{reads}{MODEL}    revision = '1'\n")).unwrap();
    let run = || {
        let mut command = host(folder.path());
        command.args(["run", "--registry", "task.toml", "--model", "python:models/m.py:M"]);
        let run = Run::of(command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX")).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stderr
    };
    run();
    for (file, named) in files.iter().zip(["linked/far.txt", "near.txt"]) {
        fs::write(file, "22").unwrap();
        let said = run();
        assert!(said.contains(&format!("model changed: {named}")), "{named}: {said}");
    }
}
