//! What `mteb-host doctor` finds on the machine, each with what to do about it.

use std::fs;
use std::net::{TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use mteb_engine::Silent;
use mteb_engine::leftover::Form;
use mteb_engine::model::usual_interpreter;
use mteb_engine::plugins::{Catalog, FoundPlugin, Request, Start, Worker, WorkerError};
use mteb_engine::settings::Settings;

/// What to do where there is a GPU and libtorch does not know of it.
const WITHOUT_CUDA: &str = "the GPU is not used by torch-encoder: with the wheel, install a build of `torch` with CUDA into its environment; from \
                            source, run `cargo xtask torch` with `LIBTORCH` or `LIBTORCH_USE_PYTORCH=1` that names one";
/// Plugin that links libtorch.
const TORCH: &str = "torch-encoder";
/// What an interpreter is asked: the packages that it has for models, without loading them.
const PACKAGES: &str = "
from importlib.metadata import PackageNotFoundError, version
found = []
for name in ('torch', 'sentence-transformers', 'mteb'):
    try:
        found.append(name + ' ' + version(name))
    except PackageNotFoundError:
        pass
print(', '.join(found))
";
/// Free space below which a run may not get far.
const LITTLE_SPACE: u64 = 1 << 30;

/// One thing that was looked at.
#[derive(Debug)]
pub struct Finding {
    /// What was found.
    pub what: String,
    /// What to do; absent where nothing is wrong.
    pub advice: Option<String>,
}

/// Looks at the system, workers, libtorch, GPUs, Python, the cache folder and the hub.
pub fn findings(settings: &Settings, catalog: &Catalog) -> Vec<Finding> {
    let mut findings = vec![libtorch(settings, catalog), cuda(), python(), cache(settings), hub(settings)];
    findings.extend(workers(settings, catalog));
    findings.extend(system(mteb_system::lacking()));
    findings
}

fn fine(what: String) -> Finding {
    Finding { what, advice: None }
}

fn amiss(what: String, advice: &str) -> Finding {
    Finding { what, advice: Some(advice.to_owned()) }
}

/// The library that the plugin really gets is seen in a worker that has loaded it.
fn libtorch(settings: &Settings, catalog: &Catalog) -> Finding {
    let Some(plugin) = catalog.plugin(TORCH) else {
        let refused = catalog.refusals.iter().any(|refusal| refusal.path.to_string_lossy().contains("torch"));
        let advice = if refused {
            "see why the plugin torch-encoder is refused; if it does not find libtorch, run `cargo xtask torch` again, or, with the \
             wheel, `pip install 'mteb-host[torch]'`"
        } else {
            "for models of the hub and local folders, run `cargo xtask torch`: it fetches libtorch and builds the \
             plugin torch-encoder"
        };
        return amiss("libtorch: the plugin torch-encoder is not there".to_owned(), advice);
    };
    match libraries(plugin, settings) {
        Ok(libraries) => match libraries.iter().find(|path| file_name(path).starts_with("libtorch_cpu.so")) {
            Some(path) => {
                let folder = path.parent().unwrap_or(path);
                let version = version(folder).unwrap_or_else(|| "of unknown version".to_owned());
                let has_cuda = folder.join("libtorch_cuda.so").exists();
                let cuda = if has_cuda { "with" } else { "without" };
                let what = format!("libtorch {version}, {cuda} CUDA, in {}", folder.display());
                if has_cuda || devices().is_empty() { fine(what) } else { amiss(what, WITHOUT_CUDA) }
            }
            None => fine("libtorch: linked into the plugin torch-encoder".to_owned()),
        },
        Err(error) => amiss(format!("libtorch: {error}"), "run `cargo xtask torch` again"),
    }
}

fn libraries(plugin: &FoundPlugin, settings: &Settings) -> Result<Vec<PathBuf>, WorkerError> {
    let mut worker = Worker::start(Start::of(plugin, settings))?;
    worker.ask(&Request::Open, &[])?;
    Ok(worker.libraries())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
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

/// The interpreter of models in Python, and the packages that it has for them.
fn python() -> Finding {
    let python = match usual_interpreter(&Silent) {
        Ok(python) => python,
        Err(error) => return fine(format!("Python: {error}")),
    };
    let mut asked = Command::new(&python);
    let asked = asked.args(["-I", "-c", PACKAGES]).stdin(Stdio::null()).stderr(Stdio::null()).output();
    let found = asked.ok().filter(|output| output.status.success());
    let shown = python.display();
    match found.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()) {
        None => amiss(format!("Python: {shown} does not run"), "name an interpreter that runs by `--python`"),
        Some(packages) if packages.is_empty() => fine(format!(
            "Python: {shown}, without torch, sentence-transformers and mteb, which `st:` and `mteb:` need (`--python` names another)"
        )),
        Some(packages) => fine(format!("Python: {shown}, with {packages}")),
    }
}

/// The GPUs that the driver knows.
fn devices() -> Vec<String> {
    let name = |name: Option<String>| name.unwrap_or_else(|| "unknown model".to_owned());
    mteb_system::machine::graphics_cards().into_iter().map(name).collect()
}

fn cuda() -> Finding {
    let models = devices();
    match (models.is_empty(), mteb_system::machine::graphics_driver()) {
        (true, None) => fine("CUDA: no NVIDIA driver; models run on the processor".to_owned()),
        (true, Some(driver)) => amiss(
            format!("CUDA: driver {driver}, but no device"),
            "no CUDA device is visible: check `nvidia-smi`, and that a container was given the GPU",
        ),
        (false, driver) => {
            let driver = driver.as_deref().unwrap_or("unknown");
            fine(format!("CUDA: driver {driver}; devices: {}", models.join(", ")))
        }
    }
}

fn cache(settings: &Settings) -> Finding {
    let folder = &settings.cache_dir;
    let shown = folder.display();
    // The file goes with its handle.
    let written = fs::create_dir_all(folder).and_then(|()| Form::WRITING.builder().tempfile_in(folder));
    if let Err(error) = written {
        let what = format!("Cache: {shown} cannot be written: {error}");
        return amiss(what, "make the cache folder writable, or give another with `--cache-dir`");
    }
    let free =
        rustix::fs::statvfs(folder).map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    if free < LITTLE_SPACE {
        let what = format!("Cache: {shown}, {} MB free", free >> 20);
        return amiss(what, "make room on the disk of the cache folder, or give another with `--cache-dir`");
    }
    fine(format!("Cache: {shown}, {} GB free", free >> 30))
}

fn hub(settings: &Settings) -> Finding {
    let access = settings.hub_access();
    if access.offline {
        return fine("Hub: not asked, for this machine is set to be offline".to_owned());
    }
    let address = access.endpoint.unwrap_or_else(|| "https://huggingface.co".to_owned());
    let plain = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
    let host = plain.split('/').next().unwrap_or(plain);
    let port = if address.starts_with("http://") { 80 } else { 443 };
    let host = if host.contains(':') { host.to_owned() } else { format!("{host}:{port}") };
    let reached = host.to_socket_addrs().map(|found| {
        found.into_iter().any(|at| TcpStream::connect_timeout(&at, Duration::from_secs(3)).is_ok())
    });
    if matches!(reached, Ok(true)) {
        return fine(format!("Hub: {address} answers"));
    }
    let advice = "for datasets and models that are not here yet: check the network, `HTTPS_PROXY` and `HF_ENDPOINT`; \
                  without a network use `--offline`, and `mteb-host fetch` on a machine that has one";
    amiss(format!("Hub: {address} cannot be reached directly"), advice)
}

/// Whether plugins are kept from writing; needs some plugin to start a worker with.
fn workers(settings: &Settings, catalog: &Catalog) -> Option<Finding> {
    let mut worker = Worker::start(Start::of(catalog.plugins.first()?, settings)).ok()?;
    let (confined, _) = worker.ask(&Request::Confined, &[]).ok()?;
    Some(if confined == serde_json::Value::Bool(true) {
        fine(
            "Workers: plugins can write to their temporary folder, /dev and /proc/self alone (Landlock)"
                .to_owned(),
        )
    } else {
        amiss(
            "Workers: plugins can write wherever you can".to_owned(),
            "use plugins that you trust as you trust yourself: this kernel has no Landlock (Linux 5.13 or newer, enabled)",
        )
    })
}

/// What this system cannot do of what protects on Linux.
fn system(lacking: &[&str]) -> Option<Finding> {
    (!lacking.is_empty()).then(|| {
        amiss(
            format!("System: not Linux, so that {}", lacking.join("; ")),
            "use plugins and data that you trust as you trust yourself, or run mteb-host in a container or a machine with Linux",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_protects_less_is_said_with_what_to_do() {
        assert!(system(&[]).is_none());
        let finding = system(&["plugins can write", "workers stay"]).unwrap();
        assert_eq!(finding.what, "System: not Linux, so that plugins can write; workers stay");
        assert!(finding.advice.unwrap().starts_with("use plugins and data that you trust"));
    }
}
