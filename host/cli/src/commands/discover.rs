//! Finds the plugins, for every subcommand that needs them.

use mteb_engine::plugins::Catalog;
use mteb_engine::settings::Settings;

use crate::output;

/// The plugins in all folders of `settings`; says what of the settings came to nothing.
pub fn discover(settings: &Settings) -> Catalog {
    let catalog = Catalog::discover(settings);
    catalog.warnings.iter().for_each(output::warn);
    catalog
}
