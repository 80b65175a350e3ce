//! `mteb-host doctor`: what is found, what is missing, what to do.

mod finding;
mod findings;
mod libtorch;

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use mteb_registry::Registries;
use mteb_workers::plugins::{Catalog, directories, trust_file};
use mteb_workers::settings::Settings;

use self::finding::Finding;
use self::findings::findings;
use super::arguments::PlaceArgs;
use super::cache::embeddings_line;
use super::discover::{discover, or_refused};
use super::plugins::allowed_lines;
use crate::exit::Exit;
use crate::output;

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
        for line in allowed_lines(&catalog) {
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
        or_refused(output::print_prose(&out), &catalog)
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
