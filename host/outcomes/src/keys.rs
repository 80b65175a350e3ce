//! Keys of the footer.

/// Under it stands what a file was made from, as JSON.
pub(crate) const FACTS: &str = "mteb_host";

/// Under it stands the checksum of the cells.
pub(crate) const CHECKSUM: &str = "mteb_host.checksum";
