//! The role of a text as it crosses the plugin interface.

use mteb_plugin_api::v1;
use mteb_tasks::Role;

/// The number by which a role crosses the plugin interface.
pub(super) fn role_code(role: Option<Role>) -> u32 {
    interface_role(role).to_code()
}

pub(super) fn interface_role(role: Option<Role>) -> v1::Role {
    match role {
        None => v1::Role::None,
        Some(Role::Query) => v1::Role::Query,
        Some(Role::Document) => v1::Role::Document,
    }
}
