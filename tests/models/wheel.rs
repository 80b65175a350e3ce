//! The wheel: installed into an empty virtual environment, it scores models without Rust, on the libtorch of the package torch
//! where the environment has it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use mteb_host_tests::{Run, host, host_binary, plugin_folder, python, root, shared, skip};

use super::python_library::WITH_EXAMPLES;
use super::python_models::{main_scores, python_and_model};
use super::{expected_scores, result_file, scores};

const TASK: &str = "IndonesianGeneralSTS";
const GOLDEN: &str = "STSBenchmark";

/// The wheel, made in `folder` from what the tests run and from the plugin torch-encoder if it is given.
fn make(python: &Path, folder: &Path, with_torch: Option<&Path>) -> PathBuf {
    let mut command = Command::new(python);
    command.arg(root().join("xtask/python/wheel.py")).arg(plugin_folder()).arg(folder);
    let made = Run::of(command.arg(env!("CARGO_PKG_VERSION")).args(with_torch)).unwrap();
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let wheel = PathBuf::from(made.stdout.trim());
    let name = wheel.file_name().unwrap().to_str().unwrap();
    let tag = name.split('-').next_back().unwrap().trim_end_matches(".whl");
    let shown = Run::of(Command::new(python).args(["-m", "auditwheel", "show"]).arg(&wheel)).unwrap();
    assert!(
        tag.starts_with("manylinux_2_") && shown.stdout.contains(&format!("\"{tag}\"")),
        "{}",
        shown.stdout
    );
    wheel
}

/// A virtual environment that has the wheel alone.
struct Environment {
    folder: PathBuf,
}

impl Environment {
    fn install(python: &Path, wheel: &Path, folder: PathBuf) -> Self {
        Self::install_for(python, python, wheel, folder)
    }

    /// The environment is one of the interpreter `other`; pip is that of `python`.
    fn install_for(python: &Path, other: &Path, wheel: &Path, folder: PathBuf) -> Self {
        let run = |python: &Path, arguments: &[&str]| {
            let done = Run::of(Command::new(python).args(arguments)).unwrap();
            assert_eq!(done.code, Some(0), "{}", done.stderr);
        };
        let (at, wheel) = (folder.to_str().unwrap(), wheel.to_str().unwrap());
        run(other, &["-m", "venv", "--without-pip", at]);
        let interpreter = format!("{at}/bin/python");
        run(python, &["-m", "pip", "--python", &interpreter, "install", "--quiet", "--no-index", wheel]);
        Self { folder }
    }

    /// The folder of its packages.
    fn packages(&self) -> PathBuf {
        let found = fs::read_dir(self.folder.join("lib")).unwrap().next().unwrap().unwrap();
        found.path().join("site-packages")
    }

    /// Runs one of its programs, which sees no other ones.
    fn run(&self, program: &str, arguments: &[&str]) -> Run {
        let programs = self.folder.join("bin");
        let mut command = Command::new(programs.join(program));
        command.args(arguments).current_dir(&self.folder).env("PATH", &programs);
        command.env_remove("MTEB_HOST_PLUGINS").env_remove("LD_LIBRARY_PATH").env_remove("LIBTORCH");
        command.env("CUDA_VISIBLE_DEVICES", "").env("HF_HUB_OFFLINE", "1");
        command.env("MTEB_HOST_CACHE", self.folder.join("cache"));
        command.env("MTEB_HOST_DATA", self.folder.join("data"));
        Run::of(&mut command).unwrap()
    }

    /// Scores the task of the pack with the default model.
    fn scores_the_pack(&self) {
        let scored = self.run("mteb-host", &["run", "--registry", "indonesia", "--json", "--task", TASK]);
        assert_eq!(scores(&scored), expected_scores(TASK));
    }
}

#[test]
fn whoever_has_the_wheel_is_told_of_pip_and_not_of_cargo() {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("site-packages/mteb_host/bin");
    fs::create_dir_all(bin.join("plugins")).unwrap();
    fs::write(bin.with_file_name("_binary.py"), "").unwrap();
    let program = bin.join("mteb-host");
    fs::hard_link(host_binary(), &program).or_else(|_| fs::copy(host_binary(), &program).map(drop)).unwrap();
    let said = |arguments: &[&str]| {
        let mut command = host(folder.path());
        let environment =
            command.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned)));
        let environment: Vec<_> = environment.collect();
        command = Command::new(&program);
        for (name, value) in environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let run = Run::of(command.current_dir(folder.path()).args(arguments)).unwrap();
        run.stdout + &run.stderr
    };
    let model = "sentence-transformers/all-MiniLM-L6-v2";
    let commands = [
        vec!["run", "--offline", "--registry", "indonesia", "--task", TASK, "--model", model],
        vec!["show", "model", model],
        vec!["doctor", "--offline"],
    ];
    for command in &commands {
        let said = said(command);
        assert!(
            said.contains("this wheel was made without") && !said.contains("cargo"),
            "{command:?}: {said}"
        );
    }
    // As where the system does not find libtorch.
    fs::write(bin.join("plugins/libmteb_plugin_torch.so"), "no library").unwrap();
    for command in &commands {
        let said = said(command);
        assert!(
            said.contains("`pip install 'mteb-host[torch]'`") && !said.contains("cargo"),
            "{command:?}: {said}"
        );
    }
}

#[test]
fn a_wheel_in_an_empty_environment_scores_a_model_without_rust() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let wheel = make(&python, folder.path(), None);
    let environment = Environment::install(&python, &wheel, folder.path().join("environment"));
    environment.scores_the_pack();
    let about = environment.packages().join(format!("mteb_host-{}.dist-info", env!("CARGO_PKG_VERSION")));
    let metadata = fs::read_to_string(about.join("METADATA")).unwrap();
    assert!(metadata.contains("License-Expression: Apache-2.0 AND OFL-1.1 AND CC-BY-SA-4.0\n"), "{metadata}");
    for file in metadata.lines().filter_map(|line| line.strip_prefix("License-File: ")) {
        assert!(about.join("licenses").join(file).is_file(), "{file}");
    }
    let program = format!(
        "import mteb_host as m; print(len(m.run('hashing', '{TASK}', registry='indonesia', quiet=True).units))"
    );
    let from_python = environment.run("python", &["-c", &program]);
    assert_eq!((from_python.code, from_python.stdout.trim()), (Some(0), "1"), "{}", from_python.stderr);
    for version in ["3.9", "3.13"] {
        let Some(other) = interpreter(version) else {
            skip(format!("no python{version} on the path, on which the wheel is tried"));
            continue;
        };
        let environment = Environment::install_for(&python, &other, &wheel, folder.path().join(version));
        let program = FIRST_DAY.replace("WITH_EXAMPLES", WITH_EXAMPLES);
        fs::write(environment.folder.join("first_day.py"), program).unwrap();
        let run = environment.run("python", &["-W", "error", "first_day.py"]);
        assert_eq!((run.code, run.stdout.trim(), &*run.stderr), (Some(0), version, ""));
    }
}

/// The interpreter of a version of Python, also where pyenv has it beside another one.
fn interpreter(version: &str) -> Option<PathBuf> {
    let name = format!("python{version}");
    let asked = ["-c", "import sys; print(sys.executable)"];
    let run = Run::of(Command::new(name).args(asked).env("PYENV_VERSION", version)).ok()?;
    (run.code == Some(0)).then(|| PathBuf::from(run.stdout.trim()))
}

/// All that the package does without other packages: models in the process, what they raise, catalogues, results, and its own examples.
const FIRST_DAY: &str = "
import asyncio, doctest, importlib, sys, threading
import mteb_host

def run(model, task='IndonesianGeneralSTS', **options):
    return mteb_host.run(model, task, registry='indonesia', quiet=True, **options)

def rows(texts):
    return [[1.0] + [float(text.count(letter)) for letter in 'aeiou'] for text in texts]

class Letters:
    def encode(self, texts):
        return rows(texts)

class Asked:
    async def encode(self, texts):
        await asyncio.sleep(0)
        return rows(texts)

class Pairs:
    def predict(self, pairs):
        return [float(len(set(query.split()) & set(document.split()))) for query, document in pairs]

class Fails:
    asked = 0
    def encode(self, texts):
        self.asked += 1
        if self.asked > 1:
            raise ZeroDivisionError('of its own')
        return rows(texts)

async def in_a_loop():
    return run(Asked())

if __name__ == '__main__':
    expected = run(Letters)[0].main_score
    for model in (Letters(), rows, lambda texts: rows(texts), Asked()):
        assert run(model)[0].main_score == expected, model
    assert asyncio.run(in_a_loop())[0].main_score == expected
    assert run(Pairs(), 'IndonesianHowToReranking')[0].main_score > 0.3
    found = []
    threads = [threading.Thread(target=lambda: found.append(run(Letters())[0].main_score)) for _ in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == [expected, expected], found
    try:
        run(Fails())
        raise AssertionError('nothing was raised')
    except ZeroDivisionError as error:
        assert len(error.mteb_host.results.failures) == 1
    results = run(Letters(), name='lab/letters', revision='1')
    again = mteb_host.load_results()['lab/letters']
    assert again.units == results.units and '<td>' in results._repr_html_()
    assert mteb_host.compare('lab/letters', run('random'), registry='indonesia')
    assert mteb_host.stats('IndonesianGeneralSTS', registry='indonesia')
    for name in WITH_EXAMPLES:
        tested = doctest.testmod(importlib.import_module('mteb_host.' + name))
        assert tested.attempted and not tested.failed, name
    print('%d.%d' % sys.version_info[:2])
";

/// A wheel with torch-encoder, and what it needs beside it: the tests' own package torch and all-MiniLM-L6-v2.
struct WithTorch {
    python: PathBuf,
    model: PathBuf,
    /// The folder in which torch and the libraries of NVIDIA lie.
    packages: PathBuf,
    wheel: PathBuf,
    folder: tempfile::TempDir,
}

impl WithTorch {
    fn make() -> Option<Self> {
        let plugin = std::env::var_os("MTEB_TORCH_PLUGIN").expect("the plugin in MTEB_TORCH_PLUGIN");
        let (python, model) = python_and_model()?;
        let code = "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])";
        let torch = Run::of(Command::new(&python).args(["-c", code])).unwrap().stdout;
        let packages = Path::new(torch.trim()).parent().unwrap().to_owned();
        let folder = tempfile::tempdir().unwrap();
        let wheel = make(&python, folder.path(), Some(Path::new(&plugin)));
        Some(Self { python, model, packages, wheel, folder })
    }

    fn install(&self, name: &str) -> Environment {
        Environment::install(&self.python, &self.wheel, self.folder.path().join(name))
    }

    /// Runs all-MiniLM-L6-v2 on `device`.
    fn run(&self, environment: &Environment, device: &str, more: &[&str]) -> Run {
        let model = self.model.to_str().unwrap();
        let asked = ["run", "--offline", "--json", "--model", model, "--device", device];
        environment.run("mteb-host", &[&asked[..], more].concat())
    }
}

const IN_PACK: [&str; 4] = ["--registry", "indonesia", "--task", TASK];

#[test]
#[ignore = "needs the plugin torch-encoder in `MTEB_TORCH_PLUGIN`: `cargo xtask test` builds it and runs this"]
fn a_wheel_with_torch_encoder_computes_on_the_torch_of_its_environment() {
    let Some(wheel) = WithTorch::make() else { return };
    without_torch(&wheel);
    torch_elsewhere(&wheel);
    let expected = torch_beside(&wheel);
    torch_without_cuda(&wheel, &expected);
}

/// Everything but native models runs, and it is said what they need.
fn without_torch(wheel: &WithTorch) {
    let environment = wheel.install("without");
    environment.scores_the_pack();
    let refused = wheel.run(&environment, "auto", &IN_PACK);
    assert_eq!(refused.code, Some(3), "{}", refused.stderr);
    let doctor = environment.run("mteb-host", &["doctor"]).stdout;
    assert!(doctor.contains("libtorch: the plugin torch-encoder is refused"), "{doctor}");
    assert!(doctor.contains("run `pip install 'mteb-host[torch]'`"), "{doctor}");
}

/// In another folder on the interpreter's path, as with `--system-site-packages`.
fn torch_elsewhere(wheel: &WithTorch) {
    let environment = wheel.install("elsewhere");
    fs::write(environment.packages().join("others.pth"), wheel.packages.to_str().unwrap()).unwrap();
    environment.scores_the_pack();
    let doctor = environment.run("mteb-host", &["doctor"]).stdout;
    let found = format!("CUDA, in {}/torch/lib", wheel.packages.canonicalize().unwrap().display());
    assert!(doctor.contains("libtorch 2.11.0") && doctor.contains(&found), "{doctor}");
    let Some(shared) = shared() else { return };
    let hub = shared.join("hub");
    let done = wheel.run(&environment, "cpu", &["--task", GOLDEN, "--hub-dir", hub.to_str().unwrap()]);
    let golden = main_scores(&shared.join("golden/minilm").join(format!("{GOLDEN}.json")));
    let found = scores(&done);
    assert_eq!(found.len(), golden.len());
    for (found, golden) in found.iter().zip(&golden) {
        assert!((found - golden).abs() < 1e-5, "{found} instead of {golden}");
    }
}

/// Beside the wheel, as pip puts it there: the program finds it by itself. Its part for GPUs is loaded and counts no device.
fn torch_beside(wheel: &WithTorch) -> Vec<f64> {
    let environment = wheel.install("beside");
    for package in ["torch", "nvidia"] {
        symlink(wheel.packages.join(package), environment.packages().join(package)).unwrap();
    }
    let program = environment.packages().join("mteb_host/bin/mteb-host");
    let doctor = environment.run(program.to_str().unwrap(), &["doctor"]).stdout;
    assert!(doctor.contains("libtorch 2.11.0"), "{doctor}");
    let scored = wheel.run(&environment, "cpu", &IN_PACK);
    let model = result_file(&environment.folder, TASK)["mteb_host"]["model"].clone();
    assert_eq!(model["plugin"], "torch-encoder", "{model}");
    let no_device = wheel.run(&environment, "cuda", &IN_PACK);
    let has_cuda = wheel.packages.join("torch/lib/libtorch_cuda.so").exists();
    let said = if has_cuda { "expected a CUDA device for `--device cuda`, found none" } else { WITHOUT_CUDA };
    assert!(no_device.code != Some(0) && no_device.stderr.contains(said), "{}", no_device.stderr);
    scores(&scored)
}

const WITHOUT_CUDA: &str = "expected a libtorch with CUDA for `--device cuda`, found one without";

/// A build for processors alone has the same libraries but for the part for GPUs.
fn torch_without_cuda(wheel: &WithTorch, expected: &[f64]) {
    let environment = wheel.install("processor");
    let (from, to) = (wheel.packages.join("torch"), environment.packages().join("torch"));
    fs::create_dir_all(to.join("lib")).unwrap();
    for name in [
        "__init__.py",
        "version.py",
        "lib/libc10.so",
        "lib/libgomp.so.1",
        "lib/libtorch.so",
        "lib/libtorch_cpu.so",
    ] {
        // No symbolic links: the system names a library by the place of its file.
        fs::hard_link(from.join(name), to.join(name))
            .or_else(|_| fs::copy(from.join(name), to.join(name)).map(drop))
            .unwrap();
    }
    symlink(wheel.packages.join("nvidia"), environment.packages().join("nvidia")).unwrap();
    let doctor = environment.run("mteb-host", &["doctor"]).stdout;
    assert!(doctor.contains(", without CUDA, in "), "{doctor}");
    assert_eq!(scores(&wheel.run(&environment, "cpu", &IN_PACK)), expected);
    let no_cuda = wheel.run(&environment, "cuda", &IN_PACK);
    assert!(no_cuda.code != Some(0) && no_cuda.stderr.contains(WITHOUT_CUDA), "{}", no_cuda.stderr);
}
