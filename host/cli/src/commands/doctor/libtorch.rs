//! One thing that `mteb-host doctor` has looked at, and the first of them: the libtorch that the
//! plugin torch-encoder gets, and whether it computes on the GPUs of this machine.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_base::program::is_of_wheel;
use mteb_plugin_api::v1::{ModelConfig, code};
use mteb_system::machine::{graphics_cards, graphics_driver};
use mteb_workers::plugins::{Catalog, FoundPlugin, Request, Start, Worker, WorkerError};
use mteb_workers::settings::Settings;

/// Plugin that links libtorch.
const TORCH: &str = "torch-encoder";
/// Version of libtorch that the plugin is built for.
const NEEDED: &str = "2.11.0";
/// What to do where there is no plugin.
const WITHOUT_PLUGIN: Advice = Advice {
    wheel: "this wheel was made without torch-encoder, which models of the hub and local folders need; install one that was \
            made with it, or run them with `st:NAME` and `pip install sentence-transformers`",
    source: "for models of the hub and local folders, run `cargo xtask torch`, which fetches libtorch and builds the plugin torch-encoder",
};
/// What to do where the plugin is refused.
const REFUSED: Advice = Advice {
    wheel: "see why the plugin torch-encoder is refused; if it does not find libtorch, or another version than 2.11.0, run `pip install \
            'mteb-host[torch]'` in the environment of the wheel",
    source: "see why the plugin torch-encoder is refused; if it does not find libtorch, or another version than 2.11.0, run `cargo xtask \
             torch` again",
};
/// What to do where libtorch is another one.
const ANOTHER: Advice = Advice {
    wheel: "torch-encoder is built for libtorch 2.11.0: run `pip install 'mteb-host[torch]'` in the environment of the wheel",
    source: "torch-encoder is built for libtorch 2.11.0: run `cargo xtask torch` again",
};
/// What to do where there is a GPU and libtorch has no part for it.
const WITHOUT_CUDA: Advice = Advice {
    wheel: "the GPU is not used by torch-encoder: install a build of `torch` 2.11.0 with CUDA into the environment of the wheel",
    source: "the GPU is not used by torch-encoder: run `cargo xtask torch` with `LIBTORCH` or `LIBTORCH_USE_PYTORCH=1` that names a \
             libtorch with CUDA",
};
/// What to do where libtorch has a part for GPUs and sees none.
const UNSEEN: &str = "the GPU is not used by torch-encoder: see whether `nvidia-smi` shows it, whether `CUDA_VISIBLE_DEVICES` hides it, and \
                      whether the driver is as new as the CUDA of libtorch; a build of `torch` for an older CUDA runs with an older driver";

/// What to do, by how the program was installed: who has the wheel has no clone, and who has a clone
/// has no package.
struct Advice {
    wheel: &'static str,
    source: &'static str,
}

impl Advice {
    /// That for the running program.
    fn text(&self) -> &'static str {
        if is_of_wheel() { self.wheel } else { self.source }
    }
}

/// The library that the plugin really gets, as it is seen in a worker that has loaded it.
pub fn libtorch(settings: &Settings, catalog: &Catalog) -> Finding {
    let Some(plugin) = catalog.plugin(TORCH) else {
        let refused = catalog.refusals.iter().any(|refusal| refusal.path.to_string_lossy().contains("torch"));
        return match refused {
            true => note_amiss("libtorch: the plugin torch-encoder is refused".to_owned(), REFUSED.text()),
            false => note_amiss(
                "libtorch: the plugin torch-encoder is not there".to_owned(),
                WITHOUT_PLUGIN.text(),
            ),
        };
    };
    match ask_worker(plugin, settings) {
        Ok((libraries, unseen)) => match libraries.iter().find(|path| is_of_processor(path)) {
            Some(path) => check_folder(path.parent().unwrap_or(path), unseen, !graphics_cards().is_empty()),
            None => note_fine("libtorch: linked into the plugin torch-encoder".to_owned()),
        },
        Err(error) => note_amiss(format!("libtorch: {error}"), REFUSED.text()),
    }
}

/// The libraries of a worker with the plugin, and what the plugin says about computing on a GPU: nothing where it can, or where
/// there is none.
fn ask_worker(
    plugin: &FoundPlugin,
    settings: &Settings,
) -> Result<(Vec<PathBuf>, Option<String>), WorkerError> {
    let mut worker = Worker::start(Start::of(plugin, settings))?;
    worker.ask(&Request::Open, &[])?;
    let libraries = worker.libraries()?;
    if graphics_cards().is_empty() {
        return Ok((libraries, None));
    }
    // The plugin looks at the device before it looks for the model, which is none here.
    let config = ModelConfig { device: "cuda".to_owned(), ..ModelConfig::default() };
    let why = match worker.ask(&Request::NewModel { config }, &[]) {
        Err(WorkerError::Plugin { error, .. }) if error.code == code::NOT_FOUND => None,
        Err(error) => Some(error.to_string()),
        Ok(_) => None,
    };
    Ok((libraries, why))
}

/// What is said of the libtorch in `folder`: `unseen` is why it does not compute on the GPU that the machine has.
fn check_folder(folder: &Path, unseen: Option<String>, has_device: bool) -> Finding {
    let version = version(folder).unwrap_or_else(|| "of unknown version".to_owned());
    let has_cuda = folder.join("libtorch_cuda.so").exists();
    let cuda = if has_cuda { "with" } else { "without" };
    let what = format!("libtorch {version}, {cuda} CUDA, in {}", folder.display());
    if !version.starts_with(NEEDED) {
        return note_amiss(what, ANOTHER.text());
    }
    match (has_device, has_cuda, unseen) {
        (true, false, _) => note_amiss(what, WITHOUT_CUDA.text()),
        (true, true, Some(why)) => {
            note_amiss(format!("{what}, which does not compute on the GPU: {why}"), UNSEEN)
        }
        (true, true, None) => note_fine(format!("{what}, which computes on the GPU")),
        (false, ..) => note_fine(what),
    }
}

fn is_of_processor(path: &Path) -> bool {
    path.file_name().unwrap_or_default().to_string_lossy().starts_with("libtorch_cpu.so")
}

/// Wheels have `version.py` beside the folder of libraries, archives `build-version`.
fn version(folder: &Path) -> Option<String> {
    let beside = folder.parent()?;
    if let Ok(text) = fs::read_to_string(beside.join("version.py")) {
        let line = text.lines().find_map(|line| line.strip_prefix("__version__ = "))?;
        return Some(line.trim_matches(['\'', '"']).to_owned());
    }
    Some(fs::read_to_string(beside.join("build-version")).ok()?.trim().to_owned())
}

/// The driver and its devices.
pub fn cuda() -> Finding {
    let models = graphics_cards().into_iter().map(|name| name.unwrap_or_else(|| "unknown model".to_owned()));
    check_driver(graphics_driver().as_deref(), &models.collect::<Vec<_>>())
}

fn check_driver(driver: Option<&str>, models: &[String]) -> Finding {
    match (models.is_empty(), driver) {
        (true, None) => note_fine("CUDA: no NVIDIA driver; models run on the processor".to_owned()),
        (true, Some(driver)) => note_amiss(
            format!("CUDA: driver {driver}, but no device"),
            "no CUDA device is visible: check `nvidia-smi`, and that a container was given the GPU",
        ),
        (false, driver) => {
            let driver = driver.unwrap_or("unknown");
            note_fine(format!("CUDA: driver {driver}; devices: {}", models.join(", ")))
        }
    }
}

/// What was found, and what to do about it.
#[derive(Debug)]
pub struct Finding {
    /// What was found.
    pub what: String,
    /// What to do; absent where nothing is wrong.
    pub advice: Option<String>,
}

/// Something with which nothing is wrong.
pub fn note_fine(what: String) -> Finding {
    Finding { what, advice: None }
}

/// Something about which there is something to do.
pub fn note_amiss(what: String, advice: &str) -> Finding {
    Finding { what, advice: Some(advice.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of libraries as the package torch has it.
    fn package(version: &str, libraries: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("lib")).unwrap();
        fs::write(folder.path().join("version.py"), format!("__version__ = '{version}'\n")).unwrap();
        for library in libraries {
            fs::write(folder.path().join("lib").join(library), "").unwrap();
        }
        folder
    }

    fn check_package(
        package: &tempfile::TempDir,
        unseen: Option<&str>,
        has_device: bool,
    ) -> (String, Option<String>) {
        let folder = package.path().join("lib");
        let Finding { what, advice } = check_folder(&folder, unseen.map(str::to_owned), has_device);
        (what.replace(&*folder.to_string_lossy(), "LIB"), advice)
    }

    #[test]
    fn the_version_that_is_needed_is_that_of_the_project() {
        let pinned = concat!(env!("CARGO_MANIFEST_DIR"), "/../../xtask/torch/requirements.txt");
        let pinned = fs::read_to_string(pinned).unwrap();
        assert!(pinned.contains(&format!("torch=={NEEDED} ")), "{NEEDED}");
        for Advice { wheel, source } in [REFUSED, ANOTHER] {
            assert!(wheel.contains(NEEDED) && source.contains(NEEDED));
        }
        assert!(WITHOUT_CUDA.wheel.contains(NEEDED));
    }

    #[test]
    fn who_has_the_wheel_is_not_told_of_cargo_nor_who_has_a_clone_of_pip() {
        for Advice { wheel, source } in [WITHOUT_PLUGIN, REFUSED, ANOTHER, WITHOUT_CUDA] {
            assert!(!wheel.contains("cargo") && !source.contains("pip"), "{wheel} {source}");
        }
    }

    #[test]
    fn what_libtorch_cannot_do_is_said_with_what_to_do() {
        let with = package("2.11.0+cu130", &["libtorch_cpu.so", "libtorch_cuda.so"]);
        let without = package("2.11.0+cpu", &["libtorch_cpu.so"]);
        assert_eq!(
            check_package(&with, None, false),
            ("libtorch 2.11.0+cu130, with CUDA, in LIB".to_owned(), None)
        );
        let computes = "libtorch 2.11.0+cu130, with CUDA, in LIB, which computes on the GPU".to_owned();
        assert_eq!(check_package(&with, None, true), (computes, None));
        let unseen = "libtorch 2.11.0+cu130, with CUDA, in LIB, which does not compute on the GPU: no device";
        assert_eq!(
            check_package(&with, Some("no device"), true),
            (unseen.to_owned(), Some(UNSEEN.to_owned()))
        );
        assert_eq!(
            check_package(&without, None, false),
            ("libtorch 2.11.0+cpu, without CUDA, in LIB".to_owned(), None)
        );
        assert_eq!(check_package(&without, Some("none"), true).1, Some(WITHOUT_CUDA.source.to_owned()));
        let another = package("2.10.0", &["libtorch_cpu.so"]);
        assert_eq!(check_package(&another, None, false).1, Some(ANOTHER.source.to_owned()));
    }

    #[test]
    fn a_driver_is_named_with_its_devices() {
        let said = |driver: Option<&str>, models: &[&str]| {
            let models: Vec<String> = models.iter().map(|model| (*model).to_owned()).collect();
            let Finding { what, advice } = check_driver(driver, &models);
            (what, advice.is_some())
        };
        let none = "CUDA: no NVIDIA driver; models run on the processor";
        assert_eq!(said(None, &[]), (none.to_owned(), false));
        assert_eq!(said(Some("580.65.06"), &[]), ("CUDA: driver 580.65.06, but no device".to_owned(), true));
        let seen = "CUDA: driver 580.65.06; devices: NVIDIA H100";
        assert_eq!(said(Some("580.65.06"), &["NVIDIA H100"]), (seen.to_owned(), false));
    }
}
