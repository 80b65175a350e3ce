//! The layout that crosses the library boundary. **Frozen**: no field is added, removed or reordered.
//!
//! Only functions of C-like shapes cross. Objects stay inside the plugin; the host holds their numbers, so a
//! wrong number is an error and never a wild pointer.
#![allow(unsafe_code, missing_docs)] // `StableAbi` derives unsafe impls and undocumented field accessors.

use abi_stable::StableAbi;
use abi_stable::declare_root_module_statics;
use abi_stable::library::RootModule;
use abi_stable::sabi_types::VersionStrings;
use abi_stable::std_types::{RSlice, RSliceMut, RStr, RString};

/// Version that a library of this interface carries in its header; the host looks at the first number.
pub const VERSION: &str = "1.0.0";

/// How a call ended: a code of `code` and, for a failure, one line.
#[repr(C)]
#[derive(StableAbi)]
pub struct Status {
    pub code: u32,
    pub message: RString,
}

/// A status, and a text if the code is 0.
#[repr(C)]
#[derive(StableAbi)]
pub struct Reply {
    pub code: u32,
    pub message: RString,
    pub body: RString,
}

/// A status, and the number of a new object if the code is 0.
#[repr(C)]
#[derive(StableAbi)]
pub struct Made {
    pub code: u32,
    pub message: RString,
    pub object: u64,
}

/// The functions of a plugin.
#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = PluginRef)))]
#[sabi(missing_field(panic))]
pub struct Plugin {
    pub manifest: extern "C" fn() -> Reply,
    pub new_model: extern "C" fn(config: RStr<'_>) -> Made,
    pub model_info: extern "C" fn(model: u64) -> Reply,
    pub model_count_tokens:
        extern "C" fn(model: u64, texts: RSlice<'_, RStr<'_>>, out: RSliceMut<'_, u32>) -> Status,
    pub model_encode: extern "C" fn(
        model: u64,
        texts: RSlice<'_, RStr<'_>>,
        role: u32,
        instruction: RStr<'_>,
        out: RSliceMut<'_, f32>,
    ) -> Status,
    pub model_predict: extern "C" fn(
        model: u64,
        queries: RSlice<'_, RStr<'_>>,
        documents: RSlice<'_, RStr<'_>>,
        instruction: RStr<'_>,
        out: RSliceMut<'_, f32>,
    ) -> Status,
    pub model_call: extern "C" fn(model: u64, method: RStr<'_>, json: RStr<'_>) -> Reply,
    pub drop_model: extern "C" fn(model: u64) -> Status,
    pub new_task: extern "C" fn(name: RStr<'_>) -> Made,
    pub task_card: extern "C" fn(task: u64) -> Reply,
    pub task_rows: extern "C" fn(task: u64, subset: RStr<'_>, part: RStr<'_>, split: RStr<'_>) -> Reply,
    pub task_score: extern "C" fn(task: u64, json: RStr<'_>) -> Reply,
    pub task_call: extern "C" fn(task: u64, method: RStr<'_>, json: RStr<'_>) -> Reply,
    #[sabi(last_prefix_field)]
    pub drop_task: extern "C" fn(task: u64) -> Status,
}

impl RootModule for PluginRef {
    declare_root_module_statics! {PluginRef}
    const BASE_NAME: &'static str = "mteb_plugin";
    const NAME: &'static str = "mteb_plugin";
    const VERSION_STRINGS: VersionStrings = VersionStrings::new(VERSION);
}

#[cfg(test)]
mod tests {
    use std::mem::{align_of, size_of};

    use super::{Made, Plugin, Reply, Status};

    /// Every type that crosses, as it is written above. If this fails, the change belongs in a `v2`.
    #[test]
    fn the_layout_of_version_1_is_frozen() {
        let source = include_str!("abi.rs");
        let types =
            source.split("/// How a call ended").nth(1).and_then(|rest| rest.split("impl RootModule").next());
        let size =
            |name: &str, size: usize, align: usize| format!("{name}: {size} bytes, aligned to {align}\n");
        let sizes = [
            size("Status", size_of::<Status>(), align_of::<Status>()),
            size("Reply", size_of::<Reply>(), align_of::<Reply>()),
            size("Made", size_of::<Made>(), align_of::<Made>()),
            size("Plugin", size_of::<Plugin>(), align_of::<Plugin>()),
        ];
        insta::assert_snapshot!("v1_layout", format!("{}{}", sizes.concat(), types.unwrap_or_default()));
    }
}
