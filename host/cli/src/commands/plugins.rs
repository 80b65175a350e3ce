//! `mteb-host plugins`: list, check and lock plugins. The check is the conformance kit on one
//! plugin, and the rows of a task pack read as a run reads them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use mteb_base::user_folders::data_dir;
use mteb_card::TaskCard;
use mteb_engine::own_types;
use mteb_files::visible_line;
use mteb_models::model::ModelChoice;
use mteb_registry::{TaskEntry, pack_entries};
use mteb_source::DataSources;
use mteb_tasks::{EvaluateError, TaskState, Unit, evaluator};
use mteb_workers::plugins::{
    Catalog, FoundPlugin, LOCK_FILE, LibraryFile, Lock, LockError, Request, Start, TOO_LATE, Trust,
    TrustError, Worker, WorkerError, library_files, trust_file,
};
use mteb_workers::settings::{INTRODUCTION, Settings, TimeLimit, Waits};

use super::arguments::{PlaceArgs, PythonArgs, exit};
use super::discover::{consider_refusals, discover, discover_if_trusting, say_refusals};
use crate::exit::Exit;
use crate::output;
use crate::view::Progress;

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
    for line in list_allowed(&catalog) {
        if output::print_prose(&line) != Exit::Done {
            return Exit::Failed;
        }
    }
    // What lies in folders that were named was said when they were looked through.
    catalog.hidden.iter().filter(|line| !catalog.warnings.contains(line)).for_each(output::warn);
    say_refusals(&catalog);
    consider_refusals(Exit::Done, &catalog)
}

/// The variables of the environment that plugins may have, the hosts to which cards of others may send texts, and the environments whose
/// interpreters may run.
pub fn list_allowed(catalog: &Catalog) -> Vec<String> {
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

/// Arguments of `plugins check`.
#[derive(Args, Debug)]
struct CheckArgs {
    /// Plugin file.
    file: PathBuf,
    /// Check only this model, which may also be one that matches a name pattern of the plugin: a
    /// hub id, a model folder, or a model in Python.
    #[arg(long, value_name = "ID|DIR|NAME")]
    model: Option<String>,
    /// Time limit for a response of the plugin; 0 for no limit.
    #[arg(long, value_name = "SECONDS", default_value_t = INTRODUCTION)]
    plugin_timeout: u64,
    #[command(flatten)]
    python: PythonArgs,
}

impl CheckArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let time_limit = TimeLimit::new(self.plugin_timeout);
        let settings = Settings::new(Vec::new(), None, None, false);
        let settings = Settings { time_limit, waits: Waits::Plugin, introduction: time_limit, ..settings };
        match self.check(&settings) {
            Ok((plugin, faults)) => self.say(&plugin, &faults),
            Err(exit) => exit,
        }
    }

    fn say(&self, plugin: &FoundPlugin, faults: &[String]) -> Exit {
        let file = self.file.display();
        if !faults.is_empty() {
            faults.iter().for_each(output::error);
            return Exit::Failed;
        }
        let models = &plugin.manifest.models;
        let is_pattern = |name: &String| name.ends_with('*');
        if self.model.is_none() && models.iter().any(is_pattern) {
            let patterns: Vec<&str> =
                models.iter().filter(|name| is_pattern(name)).map(String::as_str).collect();
            output::warn(format!(
                "no model was run for these name patterns: {}; `--model NAME` runs one",
                patterns.join(", ")
            ));
        }
        let run = self.model.as_ref().map_or_else(String::new, |name| format!("; the model {name} was run"));
        output::print(&format!("{file}: conforms to plugin interface 1{run}"))
    }

    /// The plugin, and what is wrong with it: with its cards, else with what the kit asks, else with its rows.
    fn check(&self, settings: &Settings) -> Result<(FoundPlugin, Vec<String>), Exit> {
        let file = LibraryFile::read(&self.file).map_err(|error| report_stop(&error))?;
        if !file.is_plugin {
            // Whoever loads what is cut off is ended by the system.
            output::error(format!(
                "{}: expected a plugin, found a file that exports none, or that is cut off; end its crate with `export_model!` or `export_task_pack!`, or copy it again",
                self.file.display()
            ));
            return Err(Exit::Refused);
        }
        let plugin = FoundPlugin::unlisted(&file, settings).map_err(|error| report_stop(&error))?;
        if let Err(fault) = plugin.declare_types() {
            return Ok((plugin, vec![fault.to_string()]));
        }
        let model = self.model.as_ref().map(|name| ModelChoice {
            device: "cpu".to_owned(),
            python: self.python.choice(),
            ..ModelChoice::new(name)
        });
        let request = match &model {
            Some(model) => {
                let config = model.config_for(&plugin, settings, &Progress::new(true, false));
                let config = config.map_err(|error| {
                    output::error(&error);
                    exit(&error)
                })?;
                Request::CheckModel { config }
            }
            None => Request::Check,
        };
        let variables: Vec<String> = model.iter().filter_map(ModelChoice::variables).collect();
        let (entries, faults) = pack_entries(&plugin.manifest.name, &plugin.cards);
        if !faults.is_empty() {
            return Ok((plugin, faults.iter().map(ToString::to_string).collect()));
        }
        let start = Start { late: TOO_LATE, variables: &variables, ..Start::of(&plugin, settings) };
        let answer = Worker::start(start).and_then(|mut worker| worker.ask(&request, &[]));
        let (faults, _) = answer.map_err(|error| report_stop(&error))?;
        let mut faults: Vec<String> = serde_json::from_value(faults).unwrap_or_default();
        if faults.is_empty() {
            faults.extend(row_faults(&plugin, &entries, settings));
            if faults.is_empty() {
                faults.extend(own_type_faults(&plugin, &entries, settings));
            }
        }
        Ok((plugin, faults))
    }
}

/// Says why nothing could be checked.
fn report_stop(error: &WorkerError) -> Exit {
    output::error(error);
    if error.is_refusal() { Exit::Refused } else { Exit::Failed }
}

/// What a run would refuse of the rows of a pack, each once.
fn row_faults(plugin: &FoundPlugin, entries: &[TaskEntry], settings: &Settings) -> Vec<String> {
    let catalog = Catalog { plugins: vec![plugin.clone()], ..Catalog::default() };
    own_types::provide(settings, &catalog);
    let mut sources = DataSources::new(settings.clone(), &catalog);
    let mut faults = BTreeSet::new();
    for entry in entries.iter().filter(|entry| entry.card.unsupported.is_none()) {
        let card = &entry.card;
        for (split, subset) in card.units() {
            let place = format!("task {}, split {split}, subset {subset}", card.name);
            let found = match sources.read_whole(entry, split, subset) {
                Ok(unit) => check_plan(card, unit).err().map(|error| error.to_string()),
                Err(error) => Some(error.to_string()),
            };
            faults.extend(found.map(|fault| format!("{place}: {fault}")));
        }
    }
    faults.into_iter().collect()
}

/// What breaks when the types that the pack declares score its own rows.
fn own_type_faults(plugin: &FoundPlugin, entries: &[TaskEntry], settings: &Settings) -> Vec<String> {
    let catalog = Catalog { plugins: vec![plugin.clone()], ..Catalog::default() };
    let mut sources = DataSources::new(settings.clone(), &catalog);
    let own = entries.iter().filter(|entry| entry.card.task_type.declared().is_some());
    own.flat_map(|entry| {
        let units =
            entry.card.units().filter_map(|(split, subset)| sources.read_whole(entry, split, subset).ok());
        let units: Vec<Unit> = units.collect();
        own_types::type_faults(&entry.card, units, &|| own_types::provide(settings, &catalog))
    })
    .collect()
}

/// Plans a unit as a run does, and says what it would refuse.
fn check_plan(card: &TaskCard, unit: Unit) -> Result<(), EvaluateError> {
    evaluator(card.task_type).plan(unit, &card.protocol, &mut TaskState::new())?.check().map(drop)
}
