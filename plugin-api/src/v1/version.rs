//! The version of the interface.

/// Version that a library of this interface carries in its header; the host looks at the first number.
pub const VERSION: &str = "1.0.0";
