//! The macros with which a plugin ends: they name what it brings, and make the one symbol by which a loader finds it.

/// Exports a model plugin.
///
/// ```
/// use mteb_plugin_api::v1::{Model, PluginError, Role};
/// use mteb_plugin_api::{Manifest, ModelInfo, export_model};
///
/// /// The length of a text, twice.
/// struct Lengths;
///
/// impl Model for Lengths {
///     fn info(&self) -> ModelInfo {
///         let mut info = ModelInfo::default();
///         info.identity.name = "me/lengths".to_owned();
///         info.dimension = 2;
///         info
///     }
///
///     fn encode(&mut self, texts: &[&str], _: Role, _: &str, out: &mut [f32]) -> Result<(), PluginError> {
///         for (text, row) in texts.iter().zip(out.chunks_exact_mut(2)) {
///             row.fill(text.chars().count() as f32);
///         }
///         Ok(())
///     }
/// }
///
/// export_model! {
///     manifest: Manifest::model("lengths", "0.1.0", &["lengths"]),
///     new: |_config| Ok(Box::new(Lengths)),
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! export_model {
    (manifest: $manifest:expr, new: $new:expr $(,)?) => {
        #[doc(hidden)]
        pub struct __MtebExports;

        impl $crate::v1::export::Exports for __MtebExports {
            fn manifest() -> String {
                let manifest: $crate::Manifest = $manifest;
                $crate::v1::export::to_json(&manifest)
            }

            fn sources() -> Option<&'static str> {
                option_env!("MTEB_PLUGIN_SOURCES")
            }

            fn new_model(
                config: $crate::v1::ModelConfig,
            ) -> Result<Box<dyn $crate::v1::Model>, $crate::v1::PluginError> {
                let new: fn(
                    $crate::v1::ModelConfig,
                ) -> Result<Box<dyn $crate::v1::Model>, $crate::v1::PluginError> = $new;
                new(config)
            }
        }

        $crate::export_header!();
    };
}

/// Exports a task pack.
///
/// ```
/// use mteb_plugin_api::v1::{PluginError, Task, TaskPack};
/// use mteb_plugin_api::{Manifest, export_task_pack};
///
/// struct MyPack;
/// struct MyTask;
///
/// impl TaskPack for MyPack {
///     fn task(&self, _name: &str) -> Result<Box<dyn Task>, PluginError> {
///         Ok(Box::new(MyTask))
///     }
/// }
///
/// impl Task for MyTask {
///     fn card(&self) -> Result<String, PluginError> {
///         Ok("schema = 1\nname = \"MyTask\"\ntype = \"STS\"\nlanguages = [\"eng-Latn\"]\n[dataset]\nplugin = \"my-pack\"\n".to_owned())
///     }
///
///     fn rows(&self, _subset: &str, _part: &str, _split: &str) -> Result<String, PluginError> {
///         Ok("{\"sentence1\": \"one\", \"sentence2\": \"two\", \"score\": 1.0}\n".to_owned())
///     }
/// }
///
/// export_task_pack! {
///     manifest: Manifest::task_pack("my-pack", "0.1.0", &["MyTask"]),
///     pack: MyPack,
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! export_task_pack {
    (manifest: $manifest:expr, pack: $pack:expr $(,)?) => {
        #[doc(hidden)]
        pub struct __MtebExports;

        impl $crate::v1::export::Exports for __MtebExports {
            fn manifest() -> String {
                let manifest: $crate::Manifest = $manifest;
                $crate::v1::export::to_json(&manifest)
            }

            fn sources() -> Option<&'static str> {
                option_env!("MTEB_PLUGIN_SOURCES")
            }

            fn new_task(name: &str) -> Result<Box<dyn $crate::v1::Task>, $crate::v1::PluginError> {
                $crate::v1::TaskPack::task(&$pack, name)
            }
        }

        $crate::export_header!();
    };
}

/// The static by which a loader finds the plugin; the symbol's name is abi_stable's own. A program holds one symbol of a name, so crates
/// that are linked into the host have none: their build scripts set `mteb_bundled`.
#[doc(hidden)]
#[macro_export]
macro_rules! export_header {
    () => {
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(not(mteb_bundled))]
            $crate::export_symbol!(__MtebExports);
        };
    };
}

/// The same static for the plugin of any crate, which [`export_model!`] or [`export_task_pack!`] has named.
#[doc(hidden)]
#[macro_export]
macro_rules! export_symbol {
    ($exports:ty) => {
        const _: () = {
            use $crate::v1::export::abi_stable::library::{
                __call_root_module_loader, CheckTypeLayout, LibHeader, RootModuleResult,
            };

            fn plugin() -> $crate::v1::export::PluginRef {
                $crate::v1::export::plugin::<$exports>()
            }

            extern "C" fn load() -> RootModuleResult {
                __call_root_module_loader(plugin)
            }

            // SAFETY: the name is the one symbol that abi_stable's loader looks up; the constructor gives a
            // `PluginRef`, which is the type named here.
            #[allow(unsafe_code)]
            #[unsafe(export_name = "_1as_0lib_1header_0root_bmodule_bloader")]
            pub static HEADER: LibHeader = unsafe {
                LibHeader::from_constructor::<$crate::v1::export::PluginRef>(load, CheckTypeLayout::Yes)
            };
        };
    };
}
