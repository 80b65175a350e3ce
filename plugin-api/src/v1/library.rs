//! The host's side of the boundary: opens a plugin's library, or takes one that is linked into the
//! program, and calls it.

use std::path::{Path, PathBuf};

use abi_stable::library::{LibraryError, lib_header_from_path};
use abi_stable::std_types::{RSlice, RSliceMut, RStr};

use super::abi::{Made, PluginRef, Reply, Status};
use super::export::{self, Exports};
use super::{ModelConfig, PluginError, Role, Task, VERSION, code};
use crate::{Manifest, ModelInfo};

/// An opened plugin. It is never unloaded.
pub struct Library {
    plugin: PluginRef,
    manifest: Manifest,
}

/// A model that lives in a plugin.
pub struct ModelHandle {
    plugin: PluginRef,
    object: u64,
}

/// A task that lives in a plugin.
pub struct TaskHandle {
    plugin: PluginRef,
    object: u64,
}

/// A library that was refused: one line each, with what was expected, what was found and what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The system's loader could not open it.
    #[error("{path}: expected a plugin library, but the system cannot load the file: {reason}", path = .path.display())]
    NotALibrary {
        /// The file.
        path: PathBuf,
        /// What the loader said.
        reason: String,
    },
    /// It is a library, but no plugin.
    #[error(
        "{path}: expected a library that exports an mteb-host plugin, found no plugin header; \
         end the crate with `export_model!` or `export_task_pack!`", path = .path.display()
    )]
    NotAPlugin {
        /// The file.
        path: PathBuf,
    },
    /// It speaks another version of the interface.
    #[error(
        "{path}: expected plugin interface {VERSION} (any 1.x), found {found}; \
         rebuild the plugin with mteb-plugin-api 1", path = .path.display()
    )]
    WrongVersion {
        /// The file.
        path: PathBuf,
        /// The version it carries.
        found: String,
    },
    /// Its layout differs although its version fits.
    #[error("{path}: the plugin's layout is not that of interface {VERSION}: {reason}; rebuild the plugin", path = .path.display())]
    WrongLayout {
        /// The file.
        path: PathBuf,
        /// The last line of the layout check.
        reason: String,
    },
    /// Its manifest is wrong.
    #[error("{path}: the plugin's manifest is not valid: {reason}; see `mteb-host schema plugin-manifest`", path = .path.display())]
    BadManifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl Library {
    /// Opens the plugin at `path`: header, then version, then layout, then manifest.
    ///
    /// # Errors
    /// The first step that fails.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_copy(path, path)
    }

    /// The same for a copy of the plugin; errors name the file at `path`.
    ///
    /// # Errors
    /// The first step that fails.
    pub fn open_copy(copy: &Path, path: &Path) -> Result<Self, OpenError> {
        let header = lib_header_from_path(copy).map_err(|error| describe_refusal(path, &error))?;
        let found = header.version_strings().version.as_str();
        if found.split('.').next() != VERSION.split('.').next() {
            return Err(OpenError::WrongVersion { path: path.to_owned(), found: found.to_owned() });
        }
        let plugin =
            header.init_root_module::<PluginRef>().map_err(|error| describe_refusal(path, &error))?;
        let manifest = read_manifest(path, plugin)?;
        Ok(Self { plugin, manifest })
    }

    /// Opens a plugin that is part of this program; errors name it by `path`.
    ///
    /// # Errors
    /// If its manifest is wrong.
    pub fn bundled(bundled: &Bundled, path: &Path) -> Result<Self, OpenError> {
        let plugin = bundled.plugin();
        Ok(Self { plugin, manifest: read_manifest(path, plugin)? })
    }

    /// The plugin's manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Makes a model.
    ///
    /// # Errors
    /// What the plugin says.
    pub fn new_model(&self, config: &ModelConfig) -> Result<ModelHandle, PluginError> {
        let json = serde_json::to_string(config).map_err(|error| PluginError::failed(error.to_string()))?;
        let object = read_made(self.plugin.new_model()(RStr::from_str(&json)))?;
        Ok(ModelHandle { plugin: self.plugin, object })
    }

    /// Makes the task called `name`.
    ///
    /// # Errors
    /// What the plugin says.
    pub fn new_task(&self, name: &str) -> Result<TaskHandle, PluginError> {
        let object = read_made(self.plugin.new_task()(RStr::from_str(name)))?;
        Ok(TaskHandle { plugin: self.plugin, object })
    }
}

impl ModelHandle {
    /// What the model says of itself.
    ///
    /// # Errors
    /// If the plugin fails or its answer is not of the form.
    pub fn info(&self) -> Result<ModelInfo, PluginError> {
        let json = body(self.plugin.model_info()(self.object))?;
        serde_json::from_str(&json)
            .map_err(|error| PluginError::failed(format!("the model's description is not valid: {error}")))
    }

    /// Writes the number of tokens of each text.
    ///
    /// # Errors
    /// What the plugin says.
    pub fn count_tokens(&self, texts: &[&str], out: &mut [u32]) -> Result<(), PluginError> {
        let texts = borrow_texts(texts);
        done(self.plugin.model_count_tokens()(
            self.object,
            RSlice::from_slice(&texts),
            RSliceMut::from_mut_slice(out),
        ))
    }

    /// Writes one row of `dimension` numbers a text to `out`.
    ///
    /// # Errors
    /// What the plugin says.
    pub fn encode(
        &self,
        texts: &[&str],
        role: Role,
        instruction: &str,
        out: &mut [f32],
    ) -> Result<(), PluginError> {
        let texts = borrow_texts(texts);
        done(self.plugin.model_encode()(
            self.object,
            RSlice::from_slice(&texts),
            role.to_code(),
            RStr::from_str(instruction),
            RSliceMut::from_mut_slice(out),
        ))
    }

    /// Writes the relevance of each pair to `out`.
    ///
    /// # Errors
    /// What the plugin says.
    pub fn predict(
        &self,
        queries: &[&str],
        documents: &[&str],
        instruction: &str,
        out: &mut [f32],
    ) -> Result<(), PluginError> {
        let (queries, documents) = (borrow_texts(queries), borrow_texts(documents));
        done(self.plugin.model_predict()(
            self.object,
            RSlice::from_slice(&queries),
            RSlice::from_slice(&documents),
            RStr::from_str(instruction),
            RSliceMut::from_mut_slice(out),
        ))
    }

    /// Calls a method that the manifest lists.
    ///
    /// # Errors
    /// What the plugin says.
    pub fn call(&self, method: &str, json: &str) -> Result<String, PluginError> {
        body(self.plugin.model_call()(self.object, RStr::from_str(method), RStr::from_str(json)))
    }
}

impl Drop for ModelHandle {
    fn drop(&mut self) {
        self.plugin.drop_model()(self.object);
    }
}

impl TaskHandle {
    /// The task card as TOML text.
    ///
    /// # Errors
    /// What the plugin says.
    pub fn card(&self) -> Result<String, PluginError> {
        body(self.plugin.task_card()(self.object))
    }

    /// Rows as JSON lines.
    ///
    /// # Errors
    /// What the plugin says.
    pub fn rows(&self, subset: &str, part: &str, split: &str) -> Result<String, PluginError> {
        let (subset, part, split) = (RStr::from_str(subset), RStr::from_str(part), RStr::from_str(split));
        body(self.plugin.task_rows()(self.object, subset, part, split))
    }

    /// Scores a task of a type of its own.
    ///
    /// # Errors
    /// What the plugin says.
    pub fn score(&self, json: &str) -> Result<String, PluginError> {
        body(self.plugin.task_score()(self.object, RStr::from_str(json)))
    }

    /// Calls a method that the manifest lists.
    ///
    /// # Errors
    /// What the plugin says.
    pub fn call(&self, method: &str, json: &str) -> Result<String, PluginError> {
        body(self.plugin.task_call()(self.object, RStr::from_str(method), RStr::from_str(json)))
    }
}

impl Drop for TaskHandle {
    fn drop(&mut self) {
        self.plugin.drop_task()(self.object);
    }
}

fn read_manifest(path: &Path, plugin: PluginRef) -> Result<Manifest, OpenError> {
    let bad = |reason: String| OpenError::BadManifest { path: path.to_owned(), reason };
    let json = body(plugin.manifest()()).map_err(|error| bad(error.message))?;
    let manifest: Manifest = serde_json::from_str(&json).map_err(|error| bad(error.to_string()))?;
    if manifest.schema != 1 {
        return Err(bad(format!("expected schema 1, found {}", manifest.schema)));
    }
    Ok(manifest)
}

fn describe_refusal(path: &Path, error: &LibraryError) -> OpenError {
    let path = path.to_owned();
    match error {
        LibraryError::OpenError { err, .. } => OpenError::NotALibrary { path, reason: one_line(err) },
        LibraryError::GetSymbolError { .. } => OpenError::NotAPlugin { path },
        LibraryError::InvalidAbiHeader(found) => OpenError::WrongVersion {
            path,
            found: format!("a library of abi_stable {}.{}", found.abi_major, found.abi_minor),
        },
        LibraryError::IncompatibleVersionNumber { actual_version, .. } => {
            OpenError::WrongVersion { path, found: actual_version.to_string() }
        }
        other => OpenError::WrongLayout { path, reason: last_line(other) },
    }
}

fn one_line(error: &impl ToString) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The layout check prints the whole type tree; its last line says what differs.
fn last_line(error: &impl ToString) -> String {
    let text = error.to_string();
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no reason given");
    line.to_owned()
}

fn borrow_texts<'a>(texts: &[&'a str]) -> Vec<RStr<'a>> {
    texts.iter().map(|text| RStr::from_str(text)).collect()
}

fn done(status: Status) -> Result<(), PluginError> {
    if status.code == code::OK { Ok(()) } else { Err(PluginError::new(status.code, status.message)) }
}

fn body(reply: Reply) -> Result<String, PluginError> {
    if reply.code == code::OK {
        Ok(reply.body.into())
    } else {
        Err(PluginError::new(reply.code, reply.message))
    }
}

fn read_made(made: Made) -> Result<u64, PluginError> {
    if made.code == code::OK { Ok(made.object) } else { Err(PluginError::new(made.code, made.message)) }
}

/// A plugin that is part of the program which runs it, asked by the same functions as a library;
/// [`bundled!`](crate::bundled) makes it of a crate that ends with an export macro.
#[derive(Clone, Copy, Debug)]
pub struct Bundled {
    manifest: fn() -> String,
    task: fn(&str) -> Result<Box<dyn Task>, PluginError>,
    plugin: fn() -> PluginRef,
    sources: fn() -> Option<&'static str>,
}

impl Bundled {
    /// The plugin `E`.
    pub const fn of<E: Exports>() -> Self {
        Self { manifest: E::manifest, task: E::new_task, plugin: export::plugin::<E>, sources: E::sources }
    }

    /// The manifest as JSON. It is no call across the interface, so it may be asked where no worker runs.
    pub fn manifest(&self) -> String {
        (self.manifest)()
    }

    /// A task, as [`Self::manifest`] is asked.
    ///
    /// # Errors
    /// If there is no such task.
    pub fn task(&self, name: &str) -> Result<Box<dyn Task>, PluginError> {
        (self.task)(name)
    }

    /// Hash of the sources that shape what the plugin does, if its build knew it.
    pub fn sources(&self) -> Option<&'static str> {
        (self.sources)()
    }

    /// The functions of the interface.
    pub(super) fn plugin(&self) -> PluginRef {
        (self.plugin)()
    }
}

/// The [`v1::Bundled`](crate::v1::Bundled) of a crate that ends with [`export_model!`](crate::export_model) or
/// [`export_task_pack!`](crate::export_task_pack). Its build script sets `mteb_bundled`, or two of them do not link.
#[macro_export]
macro_rules! bundled {
    ($plugin:ident) => {
        $crate::v1::Bundled::of::<::$plugin::__MtebExports>()
    };
}
