//! `mteb-host plugins`: list, check and lock plugins.

mod check;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use clap::{Args, Subcommand};
use mteb_base::user_folders::data_dir;
use mteb_files::visible_line;
use mteb_workers::plugins::{
    Catalog, LOCK_FILE, LibraryFile, Lock, LockError, Trust, TrustError, library_files, trust_file,
};

use self::check::CheckArgs;
use super::arguments::PlaceArgs;
use super::discover::{discover, discover_if_trusting, or_refused, say_refusals};
use crate::exit::Exit;
use crate::output;

/// Arguments of `plugins`.
#[derive(Args, Debug)]
pub struct PluginsArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the plugins found, and the files refused.
    List(PlaceArgs),
    /// Run the conformance kit on a plugin. This runs the plugin's code: check only what you trust.
    Check(CheckArgs),
    /// Trust every plugin in the given folders, or in the user data folder, and write their
    /// `plugins.lock`.
    Lock(PlaceArgs),
}

impl PluginsArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.action {
            Action::List(place) => list(&place),
            Action::Check(args) => args.run(),
            Action::Lock(place) => lock(&place),
        }
    }
}

fn list(place: &PlaceArgs) -> Exit {
    let catalog = discover(&place.settings());
    for plugin in &catalog.plugins {
        let manifest = &plugin.manifest;
        let measures = plugin.measures.keys().map(|measure| format!("{}/{measure}", manifest.name));
        let brings = manifest.models.iter().chain(&manifest.tasks).cloned().chain(measures);
        let brings: Vec<String> = brings.map(|name| visible_line(&name).into_owned()).collect();
        let (name, version) = (visible_line(&manifest.name), plugin.version());
        let (brings, path) = (brings.join(", "), plugin.path.display());
        let line = format!("{name} {}: {brings}\n  {path}", visible_line(version));
        if output::print_prose(&line) != Exit::Done {
            return Exit::Failed;
        }
    }
    for line in allowed_lines(&catalog) {
        if output::print_prose(&line) != Exit::Done {
            return Exit::Failed;
        }
    }
    // What lies in folders that were named was said when they were looked through.
    catalog.hidden.iter().filter(|line| !catalog.warnings.contains(line)).for_each(output::warn);
    say_refusals(&catalog);
    or_refused(Exit::Done, &catalog)
}

/// The variables of the environment that plugins may have, the hosts to which cards of others may send texts, and the environments whose
/// interpreters may run.
pub fn allowed_lines(catalog: &Catalog) -> Vec<String> {
    let hosts = |hosts: &BTreeSet<String>| hosts.iter().cloned().collect::<Vec<_>>().join(", ");
    let line = |(variable, of): (&String, &BTreeSet<String>)| {
        format!("Plugins that ask for {variable} may send it to: {}", hosts(of))
    };
    let mut lines: Vec<String> = catalog.allowed.iter().map(line).collect();
    if !catalog.hosts.is_empty() {
        lines.push(format!(
            "Cards that do not come with mteb-host may send texts to: {}",
            hosts(&catalog.hosts)
        ));
    }
    let trust = Trust::load(Vec::new());
    lines.extend(trust.environments().map(|folder| {
        format!("The Python interpreter of this virtual environment is trusted: {}", folder.display())
    }));
    lines
}

fn lock(place: &PlaceArgs) -> Exit {
    discover_if_trusting(&place.settings());
    let mut folders = place.plugin_dir.clone();
    if folders.is_empty() {
        folders.push(data_dir().join("plugins"));
    }
    let mut trust = Trust::load(Vec::new());
    let mut exit = Exit::Done;
    for folder in &folders {
        match write_lock(folder, &mut trust) {
            Ok(Locked { count, refused }) => {
                let plugins = output::count(count, "plugin");
                output::print(&format!("{}: {plugins} locked", folder.join(LOCK_FILE).display()));
                if count > 0 {
                    let they = if count == 1 { "it is" } else { "they are" };
                    output::print(&format!("{}: {they} trusted from now on", trust_file().display()));
                }
                for message in &refused {
                    output::error(message);
                    exit = Exit::Refused;
                }
            }
            Err(error) => return output::failed(format!("{}: cannot lock: {error}", folder.display())),
        }
    }
    exit
}

/// What became of the libraries of a folder.
struct Locked {
    count: usize,
    /// A line for each that is no plugin.
    refused: Vec<String>,
}

/// Why the plugins of a folder are not locked.
#[derive(Debug, thiserror::Error)]
enum NotLocked {
    /// It does not exist.
    #[error("expected a folder with plugins, found none; name one with `--plugin-dir DIR`")]
    NoFolder,
    /// It cannot be read, or its lock cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Something else is in the place of its lock.
    #[error(transparent)]
    Place(#[from] LockError),
    /// The list of trusted plugins cannot be written.
    #[error(transparent)]
    Trust(#[from] TrustError),
    /// It has no plugins.
    #[error("expected plugins (`NAME.so`) in the folder, found none; build one and copy it there")]
    NoPlugins,
}

fn write_lock(folder: &Path, trust: &mut Trust) -> Result<Locked, NotLocked> {
    let mut plugins = BTreeMap::new();
    let mut refused = Vec::new();
    let paths = library_files(folder, false).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => NotLocked::NoFolder,
        _ => NotLocked::Io(error),
    })?;
    // Nothing is trusted that cannot be locked.
    Lock::check_place(folder)?;
    for path in paths {
        let file = match LibraryFile::read(&path) {
            Ok(file) if file.is_plugin => file,
            Ok(_) => {
                refused.push(format!(
                    "{}: expected a plugin, found a file that exports none: it is neither locked nor trusted; remove it",
                    path.display()
                ));
                continue;
            }
            Err(error) => {
                refused.push(error.to_string());
                continue;
            }
        };
        trust.add(&file.path, &file.checksum)?;
        plugins.insert(path.file_name().unwrap_or_default().to_string_lossy().into_owned(), file.checksum);
    }
    let count = plugins.len();
    if count == 0 && refused.is_empty() {
        return Err(NotLocked::NoPlugins);
    }
    Lock { schema: 1, plugins }.write(folder)?;
    Ok(Locked { count, refused })
}
