//! Random-encoder, which is a part of the host, as a library of its own.

mteb_plugin_api::export_symbol!(mteb_plugin_random::__MtebExports);
