//! The plugins that are part of the program.

use mteb_plugin_api::bundled;
use mteb_plugin_api::v1::Bundled;

/// The default models and the Indonesian pack.
pub static PLUGINS: [Bundled; 5] = [
    bundled!(mteb_plugin_api_models),
    bundled!(mteb_plugin_hashing),
    bundled!(mteb_plugin_indonesia),
    bundled!(mteb_plugin_python),
    bundled!(mteb_plugin_random),
];
