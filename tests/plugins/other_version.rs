//! A plugin of an interface that does not exist yet: version 2.0.0.
#![allow(unsafe_code, missing_docs, non_camel_case_types)]

use abi_stable::library::{CheckTypeLayout, LibHeader, RootModule, RootModuleResult};
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::sabi_types::VersionStrings;
use abi_stable::{StableAbi, declare_root_module_statics};

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = Plugin2Ref)))]
pub struct Plugin2 {
    #[sabi(last_prefix_field)]
    pub something_new: u32,
}

impl RootModule for Plugin2Ref {
    declare_root_module_statics! {Plugin2Ref}
    const BASE_NAME: &'static str = "mteb_plugin";
    const NAME: &'static str = "mteb_plugin";
    const VERSION_STRINGS: VersionStrings = VersionStrings::new("2.0.0");
}

fn plugin() -> Plugin2Ref {
    Plugin2 { something_new: 1 }.leak_into_prefix()
}

extern "C" fn load() -> RootModuleResult {
    abi_stable::library::__call_root_module_loader(plugin)
}

// SAFETY: the constructor gives the type that is named here.
#[unsafe(export_name = "_1as_0lib_1header_0root_bmodule_bloader")]
pub static HEADER: LibHeader =
    unsafe { LibHeader::from_constructor::<Plugin2Ref>(load, CheckTypeLayout::Yes) };
