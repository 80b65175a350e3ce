//! The macros that give a library the one symbol by which a loader finds its plugin.

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
