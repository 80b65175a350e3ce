//! The plugins that were found, with what they declare. Declarations are kept by the hash of the
//! file, which is read each time, so that listing starts no plugin.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use mteb_base::interrupt;
use mteb_base::suggest::near_folders;
use mteb_card::Packs;
use mteb_plugin_api::PluginKind;

use super::ask::{Declaration, Memory, ask};
use super::directories::{library_files, relative_directories};
use super::plugin::FoundPlugin;
use super::{LibraryFile, Lock, PluginDirectory, Trust, WorkerError, bundled, directories};
use crate::settings::{self, Allowances, Permissions, Settings};

/// A file that is no usable plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The file.
    pub path: PathBuf,
    /// One line: what was expected, what was found, what to do.
    pub message: String,
    /// True if the user named its folder, or it is the user's own.
    pub explicit: bool,
    /// True if there was no room for it: nothing is wrong with the file, and the next run may load
    /// it.
    pub is_shortage: bool,
}

/// All plugins that were found, in order of precedence, and all files that were refused.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Usable plugins; no two share a name.
    pub plugins: Vec<FoundPlugin>,
    /// Refused files.
    pub refusals: Vec<Refusal>,
    /// Folders that the user named and that are not there; one line each.
    pub absent: Vec<String>,
    /// Variables of the environment that the user lets plugins have, for hosts.
    pub allowed: Allowances,
    /// Hosts to which the user lets model cards of others send texts.
    pub hosts: BTreeSet<String>,
    /// Which settings had no effect, one line each; and plugins of folders that the user named
    /// which are skipped.
    pub warnings: Vec<String>,
    /// SHA-256 of the command line that no plugin has; an evaluator beside a card may.
    pub unused: Vec<String>,
    /// Plugins that are skipped, because one of the same name takes precedence; one line each.
    pub hidden: Vec<String>,
}

/// True also where `HOME` is no folder, as that of service accounts.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// How many letters of `name` the closest of the names and patterns of a plugin has; `None` if none
/// covers it.
fn letters_named(models: &[String], name: &str) -> Option<usize> {
    let letters = |model: &String| match model.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix).then_some(prefix.len()),
        None => (model == name).then_some(usize::MAX),
    };
    models.iter().filter_map(letters).max()
}

impl Packs for Catalog {
    fn names(&self) -> Vec<&str> {
        self.plugins.iter().map(|plugin| plugin.manifest.name.as_str()).collect()
    }

    fn cards(&self, name: &str) -> Option<&BTreeMap<String, String>> {
        self.plugin(name).map(|plugin| &plugin.cards)
    }

    fn is_bundled(&self, name: &str) -> bool {
        self.plugin(name).is_some_and(|plugin| bundled::is_bundled(&plugin.path))
    }

    fn has_refused(&self) -> bool {
        self.refusals.iter().any(|refusal| !refusal.is_shortage)
    }
}

impl Catalog {
    /// Looks through all plugin folders.
    pub fn discover(settings: &Settings) -> Self {
        let mut catalog = Self::default();
        let mut trust = Trust::load(settings.trust.clone());
        let (named, usual): (Vec<_>, Vec<_>) =
            directories(settings).into_iter().partition(|directory| !directory.optional);
        named.iter().for_each(|directory| catalog.add_directory(directory, &mut trust, settings));
        catalog.add_bundled();
        usual.iter().for_each(|directory| catalog.add_directory(directory, &mut trust, settings));
        catalog.warnings.extend(relative_directories());
        for unused in trust.unused() {
            catalog.unused.push(unused.to_owned());
        }
        if let Err(message) = trust.allow(&settings.allowances) {
            catalog.warnings.push(format!("`--allow-env`: {message}"));
        }
        if let Err(message) = trust.allow_hosts(&settings.hosts) {
            catalog.warnings.push(format!("`--allow-host`: {message}"));
        }
        let needs = |plugin: &FoundPlugin| (plugin.manifest.name.clone(), settings::needs(&plugin.manifest));
        let needs: Vec<_> = catalog.plugins.iter().map(needs).collect();
        let needs: Vec<_> = needs.iter().map(|(name, needs)| (name.as_str(), needs.clone())).collect();
        catalog.warnings.extend(settings::given_in_vain(&settings.allowances, &needs));
        catalog.allowed = trust.allowed().clone();
        catalog.hosts = trust.allowed_hosts().clone();
        catalog
    }

    /// What the user permits cards that do not come with mteb-host.
    pub fn permissions(&self) -> Permissions<'_> {
        Permissions { variables: &self.allowed, hosts: &self.hosts }
    }

    /// True if a plugin provides the model under this very name.
    pub fn provides(&self, model: &str) -> bool {
        let mut plugins = self.plugins.iter().filter(|plugin| plugin.manifest.kind == PluginKind::Model);
        plugins.any(|plugin| plugin.manifest.models.iter().any(|provided| provided == model))
    }

    /// The plugin called `name`.
    pub fn plugin(&self, name: &str) -> Option<&FoundPlugin> {
        self.plugins.iter().find(|plugin| plugin.manifest.name == name)
    }

    /// The plugin that provides the model called `name`. The one that names most of it comes first,
    /// wherever it was found: `st:a` before `st:*` before `*`; of equal ones the first.
    pub fn model_plugin(&self, name: &str) -> Option<&FoundPlugin> {
        let models = self.plugins.iter().filter(|plugin| plugin.manifest.kind == PluginKind::Model);
        let named = models.filter_map(|plugin| Some((letters_named(&plugin.manifest.models, name)?, plugin)));
        named.rev().max_by_key(|(letters, _)| *letters).map(|(_, plugin)| plugin)
    }

    /// Adds the plugins that are part of the program.
    fn add_bundled(&mut self) {
        for plugin in bundled::found() {
            let declared = plugin.map_err(|(path, fault)| (path, fault.to_string()));
            let declared = declared.and_then(|plugin| match self.has_plugin(&plugin) {
                true => Ok(plugin),
                false => {
                    let declared = plugin.declare_types();
                    declared.map_err(|fault| (plugin.path.clone(), fault.to_string())).map(|()| plugin)
                }
            });
            match declared {
                Ok(plugin) => self.add(plugin, true),
                Err((path, message)) => {
                    self.refusals.push(Refusal { path, message, explicit: true, is_shortage: false });
                }
            }
        }
    }

    fn add_directory(&mut self, directory: &PluginDirectory, trust: &mut Trust, settings: &Settings) {
        let refuse = |path: &Path, message: String| Refusal {
            path: path.to_owned(),
            message,
            explicit: directory.explicit,
            is_shortage: false,
        };
        let files = match library_files(&directory.path, directory.only_ours) {
            Ok(files) => files,
            Err(error) if directory.optional && is_absent(&error) => return,
            Err(error) if is_absent(&error) => {
                let (origin, folder) = (directory.origin, directory.path.display().to_string());
                let near = near_folders(&folder);
                let line = format!(
                    "`{origin}`: expected a folder with plugins, found no such folder: {folder}{near}"
                );
                return self.absent.push(line);
            }
            Err(error) => {
                let message = format!("{}: cannot read the plugin folder: {error}", directory.path.display());
                return self.refusals.push(refuse(&directory.path, message));
            }
        };
        let lock = match Lock::of(&directory.path) {
            Ok(lock) => lock,
            Err(error) => return self.refusals.push(refuse(&directory.path, error.to_string())),
        };
        let mut bytes = Vec::new();
        for path in files {
            if interrupt::requested() {
                return;
            }
            let check = |file: &LibraryFile| {
                let locked = lock.as_ref().map_or(Ok(()), |lock| lock.check(&file.path, &file.checksum));
                let is_given = trust.is_given(&file.checksum);
                locked.map_err(|source| WorkerError::Locked { source, is_given })?;
                match directory.takes_as_installed(&path, (&file.path, &file.found)) {
                    Some(Ok(())) => return Ok(true),
                    Some(Err(open)) => trust
                        .check(&file.path, &file.checksum)
                        .map_err(|source| WorkerError::OpenBeside { source, open })?,
                    None => trust.check(&file.path, &file.checksum)?,
                }
                Ok(false)
            };
            match declared((&path, &mut bytes), check, &self.plugins, settings) {
                Ok(plugin) if self.has_plugin(&plugin) => self.add(plugin, directory.optional),
                Ok(plugin) => match plugin.declare_types() {
                    Ok(()) => self.add(plugin, directory.optional),
                    Err(fault) => self.refusals.push(refuse(&path, fault.to_string())),
                },
                // A worker that was ended for that says nothing of its plugin.
                Err(_) if interrupt::requested() => return,
                Err(error) => {
                    let is_shortage = error.is_shortage();
                    self.refusals.push(Refusal { is_shortage, ..refuse(&path, error.to_string()) });
                }
            }
        }
    }

    /// True if there is a plugin of the name, which takes precedence.
    fn has_plugin(&self, plugin: &FoundPlugin) -> bool {
        self.plugin(&plugin.manifest.name).is_some()
    }

    /// Adds a plugin, unless there is one of its name; one that is the very same is skipped without
    /// a word. `is_usual` says that nobody named the place where it lies.
    fn add(&mut self, plugin: FoundPlugin, is_usual: bool) {
        let name = &plugin.manifest.name;
        let Some(first) = self.plugin(name) else { return self.plugins.push(plugin) };
        if first.checksum == plugin.checksum {
            return;
        }
        let (path, other) = (plugin.path.display(), first.path.display());
        let line = format!("{path}: left out because the plugin {name} of {other} takes precedence");
        // Two that both lie where plugins usually lie are two builds of one host.
        if !is_usual || (plugin.installed && !first.installed) {
            self.warnings.push(line.clone());
        }
        self.hidden.push(line);
    }
}

/// What the plugin at `path` declares, as a file with the same content does, remembered, or asked
/// of a worker; if `check` lets it pass, which says whether it counts as installed.
fn declared(
    (path, bytes): (&Path, &mut Vec<u8>),
    check: impl FnOnce(&LibraryFile) -> Result<bool, WorkerError>,
    known: &[FoundPlugin],
    settings: &Settings,
) -> Result<FoundPlugin, WorkerError> {
    let file = LibraryFile::read_into(path, bytes)?;
    if !file.is_plugin {
        return Err(WorkerError::NoPlugin(file.path));
    }
    let installed = check(&file)?;
    if let Some(same) = known.iter().find(|plugin| plugin.checksum == file.checksum) {
        return Ok(FoundPlugin { path: file.path, library_folders: file.folders, installed, ..same.clone() });
    }
    let memory = Memory::of(&file.checksum, settings);
    let known = memory.as_ref().and_then(Memory::recall);
    let declaration = match known {
        Some(declaration) => declaration,
        None => {
            let declaration = ask(&file, settings)?;
            memory.iter().for_each(|memory| memory.keep(&declaration));
            declaration
        }
    };
    let Declaration { manifest, cards, types, measures } = declaration;
    let LibraryFile { path, checksum, folders, .. } = file;
    Ok(FoundPlugin { path, checksum, library_folders: folders, manifest, cards, types, measures, installed })
}
