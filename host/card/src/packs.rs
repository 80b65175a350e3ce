//! What reading registries asks of the plugins that were found; whoever finds plugins answers it.

use std::collections::BTreeMap;

/// The plugins that were found, as far as registries name them.
pub trait Packs {
    /// The names of all plugins, in order of precedence.
    fn names(&self) -> Vec<&str>;

    /// The cards of the plugin called `name`: task, behind it `@` and an earlier edition = TOML text. `None` if there is no
    /// such plugin; empty for one that is no task pack.
    fn cards(&self, name: &str) -> Option<&BTreeMap<String, String>>;

    /// True if a plugin was refused, which may be a pack that a registry names.
    fn has_refused(&self) -> bool;
}
