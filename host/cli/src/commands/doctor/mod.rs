//! `mteb-host doctor`: what is found, what is missing, what to do.

mod libtorch;

use std::fmt::Write;
use std::fs;
use std::net::{TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::Args;
use libtorch::{Finding, cuda, libtorch, note_amiss, note_fine};
use mteb_files::Form;
use mteb_models::model::{Silent, interpreter};
use mteb_registry::Registries;
use mteb_results::footprint::count_of_cards;
use mteb_workers::plugins::{Catalog, Confined, Request, Start, Worker, directories, trust_file};
use mteb_workers::settings::Settings;

use super::arguments::PlaceArgs;
use super::cache::embeddings_line;
use super::discover::{consider_refusals, discover};
use super::plugins::list_allowed;
use crate::exit::Exit;
use crate::output::{self, count};

/// Arguments of `doctor`.
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// Python interpreter or virtual environment for models and evaluators in Python [default: as
    /// for `run`].
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceArgs,
}

impl DoctorArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let settings = Settings { python: self.python, ..self.place.settings() };
        let catalog = discover(&settings);
        let registries = Registries::load(&[], &catalog);
        let mut out = String::new();
        // Writing into a string cannot fail.
        let _ = writeln!(out, "mteb-host {}", env!("CARGO_PKG_VERSION"));
        let _ = writeln!(out, "\nPlugin folders, in order of precedence:");
        for directory in directories(&settings) {
            let state = match (directory.path.is_dir(), directory.is_installed()) {
                (false, _) => "absent",
                (true, true) => "its plugins are trusted as part of mteb-host",
                (true, false) => "its plugins run only if you trust them",
            };
            let _ = writeln!(out, "  {} – {} ({state})", directory.path.display(), directory.origin);
        }
        let _ = writeln!(out, "  Trusted plugins are listed in {}", trust_file().display());
        for line in list_allowed(&catalog) {
            let _ = writeln!(out, "  {line}");
        }
        plugin_lines(&catalog, &mut out);
        let _ = writeln!(out, "\nRegistries:");
        for loaded in &registries.loaded {
            let _ =
                writeln!(out, "  {} – {}", loaded.registry.name, output::count(loaded.tasks.len(), "task"));
        }
        let findings = findings(&settings, &catalog);
        let _ = writeln!(out, "\nMachine:");
        for Finding { what, .. } in &findings {
            let _ = writeln!(out, "  {what}");
        }
        let _ = writeln!(out, "  Embeddings in the cache: {}", embeddings_line(&settings));
        let mut advice = advice(&catalog, &registries);
        advice.extend(findings.into_iter().filter_map(|finding| finding.advice));
        if advice.is_empty() {
            let _ = write!(out, "\nNothing is missing.");
        } else {
            let _ = write!(out, "\nTo do:\n  - {}", advice.join("\n  - "));
        }
        consider_refusals(output::print_prose(&out), &catalog)
    }
}

fn plugin_lines(catalog: &Catalog, out: &mut String) {
    let _ = writeln!(out, "\nPlugins:");
    for plugin in &catalog.plugins {
        let manifest = &plugin.manifest;
        let _ = writeln!(out, "  {} {} – {}", manifest.name, plugin.version(), plugin.path.display());
    }
    for line in &catalog.hidden {
        let _ = writeln!(out, "  {line}");
    }
    for line in &catalog.absent {
        let _ = writeln!(out, "  {line}");
    }
    for refusal in &catalog.refusals {
        let _ = writeln!(out, "  refused: {}", refusal.message);
    }
}

fn advice(catalog: &Catalog, registries: &Registries) -> Vec<String> {
    let mut advice = Vec::new();
    for refusal in &catalog.refusals {
        let path = refusal.path.display();
        advice.push(format!("trust, remove or rebuild {path}, as its line above says"));
    }
    advice.extend(registries.faults.iter().map(ToString::to_string));
    advice
}

/// What an interpreter is asked: the packages that it has for models, without loading them.
const PACKAGES: &str = "
from importlib.metadata import PackageNotFoundError, version
found = []
for name in ('numpy', 'torch', 'sentence-transformers', 'mteb'):
    try:
        found.append(name + ' ' + version(name))
    except PackageNotFoundError:
        pass
print(', '.join(found))
";
/// Free space below which a run may not get far.
const LITTLE_SPACE: u64 = 1 << 30;

/// Looks at the processor, the system, workers, libtorch, GPUs, Python, the cache folder and the hub.
pub fn findings(settings: &Settings, catalog: &Catalog) -> Vec<Finding> {
    let mut findings = vec![
        processor(),
        devices(),
        libtorch(settings, catalog),
        cuda(),
        python(settings),
        cache(settings),
        hub(settings),
    ];
    findings.extend(workers(settings, catalog));
    findings.extend(system(mteb_system::lacking()));
    findings
}

/// The processor, the threads that compute, and the number formats that it computes in.
fn processor() -> Finding {
    let name = mteb_system::machine::processor().unwrap_or_else(|| "without a name".to_owned());
    let formats = ["f32", "bf16", "f16"].into_iter().filter(|format| mteb_system::machine::computes(format));
    let formats: Vec<&str> = formats.collect();
    let threads = count(mteb_base::threads::running(), "thread");
    note_fine(format!("Processor: {name}, {threads}, computes in {} (`--dtype`)", formats.join(", ")))
}

/// How many workers may share a run.
fn devices() -> Finding {
    note_fine(match count_of_cards() {
        None => "Devices: the processor; no driver reports the number of GPUs (`run --devices cuda:0,cuda:1` names them)"
            .to_owned(),
        Some(0) => "Devices: the processor alone (`run --workers N` shares its cores among N workers)".to_owned(),
        Some(1) => "Devices: the processor and one GPU, cuda:0".to_owned(),
        Some(cards) => format!(
            "Devices: the processor and {cards} GPUs, cuda:0 to cuda:{} (`run --devices all` uses them all, one worker each)",
            cards - 1
        ),
    })
}

/// The interpreter of models in Python, and the packages that it has for them.
fn python(settings: &Settings) -> Finding {
    let named = settings.python.as_deref();
    let python = match interpreter(named, &Silent) {
        Ok(python) => python,
        Err(error) if named.is_some() => {
            return note_amiss(format!("Python: {error}"), "name an interpreter that is there by `--python`");
        }
        Err(error) => return note_fine(format!("Python: {error}")),
    };
    let mut asked = Command::new(&python);
    let asked = asked.args(["-I", "-c", PACKAGES]).stdin(Stdio::null()).stderr(Stdio::null()).output();
    let found = asked.ok().filter(|output| output.status.success());
    let shown = python.display();
    match found.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()) {
        None => {
            note_amiss(format!("Python: {shown} does not run"), "name a working interpreter with `--python`")
        }
        Some(packages) => {
            let has = |name: &str| packages.split(", ").any(|found| found.starts_with(&format!("{name} ")));
            let lacking: Vec<&str> = [
                ("numpy", "numpy, which evaluators in Python need"),
                ("sentence-transformers", "sentence-transformers, which `st:` needs"),
                ("mteb", "mteb, which `mteb:` needs"),
            ]
            .into_iter()
            .filter_map(|(name, said)| (!has(name)).then_some(said))
            .collect();
            let with = if packages.is_empty() { String::new() } else { format!(", with {packages}") };
            let without = match lacking.is_empty() {
                true => String::new(),
                false => format!("; without {} (`--python` names another)", lacking.join(", and ")),
            };
            note_fine(format!("Python: {shown}{with}{without}"))
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
        return note_amiss(what, "make the cache folder writable, or choose another one with `--cache-dir`");
    }
    let free =
        rustix::fs::statvfs(folder).map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    if free < LITTLE_SPACE {
        let what = format!("Cache: {shown}, {} MB free", free >> 20);
        return note_amiss(
            what,
            "free disk space for the cache folder, or choose another one with `--cache-dir`",
        );
    }
    note_fine(format!("Cache: {shown}, {} GB free", free >> 30))
}

fn hub(settings: &Settings) -> Finding {
    let access = settings.hub_access();
    if let Some(setting) = access.offline_setting() {
        return note_fine(format!("Hub: not contacted, because `{setting}` is set"));
    }
    let address = access.endpoint.unwrap_or_else(|| "https://huggingface.co".to_owned());
    let (scheme, plain) = address.split_once("://").unwrap_or(("https", address.as_str()));
    // A user and a password may stand before the host.
    let plain = plain.rsplit_once('@').map_or(plain, |(_, rest)| rest);
    let address = format!("{scheme}://{plain}");
    let host = plain.split('/').next().unwrap_or(plain);
    let port = if address.starts_with("http://") { 80 } else { 443 };
    let host = if host.contains(':') { host.to_owned() } else { format!("{host}:{port}") };
    let reached = host.to_socket_addrs().map(|found| {
        found.into_iter().any(|at| TcpStream::connect_timeout(&at, Duration::from_secs(3)).is_ok())
    });
    if matches!(reached, Ok(true)) {
        return note_fine(format!("Hub: {address} answers"));
    }
    let advice = "to download datasets and models, check the network, `HTTPS_PROXY` and `HF_ENDPOINT`; without \
                  a network use `--offline`, and run `mteb-host fetch` on a machine that has one";
    note_amiss(format!("Hub: {address} cannot be reached directly"), advice)
}

/// What plugins are kept from; needs some plugin to start a worker with.
fn workers(settings: &Settings, catalog: &Catalog) -> Option<Finding> {
    let mut worker = Worker::start(Start::of(catalog.plugins.first()?, settings)).ok()?;
    let (confined, _) = worker.ask(&Request::Confined, &[]).ok()?;
    Some(confinement(serde_json::from_value(confined).ok()?))
}

/// What is said of what plugins are kept from.
fn confinement(Confined { terminal, writing, signals, calls, hidden }: Confined) -> Finding {
    let kept = match writing {
        true => {
            "Workers: plugins can write only to their temporary folder, compute devices and /proc/self (Landlock)"
        }
        false => "Workers: plugins can write wherever you can (no Landlock: Linux 5.13 or newer, enabled)",
    };
    let lacks = [
        (terminal, "reach your terminal (no session of their own)"),
        (calls, "reach your other processes (no seccomp)"),
        (signals, "send signals to your other processes (Landlock before Linux 6.12, or none)"),
        (hidden, "inspect their worker from processes they start (`PR_SET_DUMPABLE`)"),
    ];
    let lacks: Vec<&str> = lacks.iter().filter(|(is_kept, _)| !is_kept).map(|(_, lack)| *lack).collect();
    match lacks.as_slice() {
        [] if writing => {
            note_fine(format!("{kept}, and reach neither your terminal nor your other processes (seccomp)"))
        }
        lacks => {
            let joined = if writing { ", but can " } else { ", and can " };
            let lacks =
                if lacks.is_empty() { String::new() } else { format!("{joined}{}", lacks.join(" and ")) };
            note_amiss(format!("{kept}{lacks}"), "use a newer kernel, or only plugins that you fully trust")
        }
    }
}

/// What this system cannot do of what protects on Linux.
fn system(lacking: &[&str]) -> Option<Finding> {
    (!lacking.is_empty()).then(|| {
        note_amiss(
            format!("System: not Linux, so {}", lacking.join("; ")),
            "use only plugins and data that you fully trust, or run mteb-host on Linux, e.g. in a container or \
             virtual machine",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kernel_does_not_keep_plugins_from_is_said() {
        let all = Confined { terminal: true, writing: true, signals: true, calls: true, hidden: true };
        assert!(confinement(all).advice.is_none(), "{:?}", confinement(all));
        let old = confinement(Confined { signals: false, calls: false, ..all });
        let said = format!("{old:?}");
        assert!(
            old.advice.is_some() && said.contains("processes (no seccomp) and send signals to"),
            "{said}"
        );
        let none = format!("{:?}", confinement(Confined { writing: false, ..all }));
        assert!(none.contains("wherever you can (no Landlock") && !none.contains("can send"), "{none}");
        let nothing = format!("{:?}", confinement(Confined::default()));
        assert!(
            nothing.contains("and can reach your terminal") && nothing.contains("(no seccomp)"),
            "{nothing}"
        );
    }

    #[test]
    fn a_system_that_protects_less_is_said_with_what_to_do() {
        assert!(system(&[]).is_none());
        let finding = system(&["plugins can write", "workers stay"]).unwrap();
        assert_eq!(finding.what, "System: not Linux, so plugins can write; workers stay");
        assert!(finding.advice.unwrap().starts_with("use only plugins and data that you fully trust"));
    }
}
