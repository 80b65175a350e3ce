//! The version of the reference.

/// Version of the reference whose protocol the scores follow; the reference's loader sorts results by it.
pub const PROTOCOL_VERSION: &str = "2.26.24";
