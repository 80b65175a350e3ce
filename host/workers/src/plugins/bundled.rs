//! The plugins that are part of the program: linked into it, and run in workers like those of files.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mteb_card::{MEASURES, TASK_TYPE};
use mteb_files::hex;
use mteb_plugin_api::Manifest;
use mteb_plugin_api::v1::{Bundled, PluginError};
use sha2::{Digest, Sha256};

use super::plugin::{declares_types, own_type_of};
use super::{FoundPlugin, PackType};

/// What stands before the name of a plugin in place of a file. Paths of files are absolute, so no file is called so.
const BUNDLED: &str = "builtin:";

static PLUGINS: OnceLock<&'static [Bundled]> = OnceLock::new();

/// Makes `plugins` a part of this program. Its `main` calls this before
/// [`work_if_asked`](crate::work_if_asked), as workers are started from the program that runs; only the first call counts.
pub fn bundle(plugins: &'static [Bundled]) {
    PLUGINS.get_or_init(|| plugins);
}

fn all() -> &'static [Bundled] {
    PLUGINS.get().copied().unwrap_or_default()
}

/// True of what stands in place of the file of a part of the program.
pub(super) fn is_bundled(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.starts_with(BUNDLED))
}

/// The plugin that stands for the file at `path`; `None` if that is a file.
pub fn of_path(path: &Path) -> Option<&'static Bundled> {
    let name = path.to_str()?.strip_prefix(BUNDLED)?;
    all().iter().find(|plugin| manifest(plugin).is_ok_and(|manifest| manifest.name == name))
}

/// What is wrong with a part of the program.
#[derive(Debug, thiserror::Error)]
pub enum BundledFault {
    /// Its manifest is of another form.
    #[error("{BUNDLED}: the manifest is not valid: {0}")]
    Manifest(#[from] serde_json::Error),
    /// It does not say what it brings.
    #[error("{}: {source}", .path.display())]
    Plugin {
        /// What stands in place of its file.
        path: PathBuf,
        /// What it said.
        source: PluginError,
    },
    /// What it declares of a type is of another form.
    #[error("{}: task {task}: {source}", .path.display())]
    Type {
        /// What stands in place of its file.
        path: PathBuf,
        /// The task that declares it.
        task: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// What it declares of its measures is of another form.
    #[error("{}: {source}", .path.display())]
    Measures {
        /// What stands in place of its file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// What it was made from cannot be told.
    #[error("{}: cannot read this program: {source}", .path.display())]
    Program {
        /// What stands in place of its file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// All of them, with what they declare, or what is wrong with one and its place.
pub fn found() -> impl Iterator<Item = Result<FoundPlugin, (PathBuf, BundledFault)>> {
    all()
        .iter()
        .enumerate()
        .map(|(place, plugin)| found_one(plugin).map_err(|fault| (format!("{BUNDLED}{place}").into(), fault)))
}

fn found_one(plugin: &Bundled) -> Result<FoundPlugin, BundledFault> {
    let manifest = manifest(plugin)?;
    let path = PathBuf::from(format!("{BUNDLED}{}", manifest.name));
    let failed = |source| BundledFault::Plugin { path: path.clone(), source };
    let (mut cards, mut types) = (BTreeMap::new(), BTreeMap::new());
    for name in &manifest.tasks {
        let task = plugin.task(name).map_err(failed)?;
        let card = task.card().map_err(failed)?;
        if declares_types(&manifest.features)
            && let Some(own) = own_type_of(&card)
        {
            let declared = task.call(TASK_TYPE, "").map_err(failed)?;
            let declaration = serde_json::from_str(&declared).map_err(|source| BundledFault::Type {
                path: path.clone(),
                task: name.clone(),
                source,
            })?;
            types.entry(own.to_owned()).or_insert(PackType { task: name.clone(), declaration });
        }
        cards.insert(name.clone(), card);
    }
    let checksum = checksum(&manifest, plugin.sources())
        .map_err(|source| BundledFault::Program { path: path.clone(), source })?;
    let measures = match manifest.features.iter().any(|feature| feature == MEASURES) {
        true => {
            let declared = plugin.task(MEASURES).and_then(|pack| pack.call(MEASURES, "")).map_err(failed)?;
            serde_json::from_str(&declared)
                .map_err(|source| BundledFault::Measures { path: path.clone(), source })?
        }
        false => BTreeMap::new(),
    };
    let library_folders = Vec::new();
    Ok(FoundPlugin { path, checksum, library_folders, manifest, cards, types, measures, installed: true })
}

fn manifest(plugin: &Bundled) -> Result<Manifest, serde_json::Error> {
    serde_json::from_str(&plugin.manifest())
}

/// What stands for the SHA-256 of a file: a hash of the sources that shape the plugin, so that another build of the same is the same
/// plugin; where its build did not know them, of this whole program.
fn checksum(manifest: &Manifest, sources: Option<&str>) -> io::Result<String> {
    let code = match sources {
        Some(sources) => sources.to_owned(),
        None => mteb_files::sha256(&mteb_files::open(&std::env::current_exe()?)?)?,
    };
    let Manifest { name, version, .. } = manifest;
    Ok(hex(&Sha256::digest(format!("{BUNDLED}{name} {version} {code}"))))
}
