//! A library that is no plugin.

/// Something to export.
pub fn nothing() {}
