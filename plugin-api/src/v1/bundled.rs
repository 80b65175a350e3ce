//! A plugin that is part of the program which runs it: linked, not loaded, and asked by the same functions.

use super::export::{self, Exports, PluginRef};
use super::{PluginError, Task};

/// A linked plugin; [`bundled!`](crate::bundled) makes it of a crate that ends with an export macro.
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
