//! Licences of datasets (protocol 11).

/// The licence names of the reference; a URL is allowed beside them.
pub const LICENSES: &[&str] = &[
    "not specified",
    "mit",
    "cc-by-2.0",
    "cc-by-3.0",
    "cc-by-4.0",
    "cc-by-sa-3.0",
    "cc-by-sa-4.0",
    "cc-by-nc-3.0",
    "cc-by-nc-4.0",
    "cc-by-nc-sa-3.0",
    "cc-by-nc-sa-4.0",
    "cc-by-nc-nd-4.0",
    "cc-by-nd-4.0",
    "openrail",
    "openrail++",
    "odc-by",
    "afl-3.0",
    "apache-2.0",
    "cc-by-nd-2.1-jp",
    "cc0-1.0",
    "bsd-3-clause",
    "gpl-3.0",
    "lgpl",
    "lgpl-3.0",
    "cdla-sharing-1.0",
    "mpl-2.0",
    "msr-la-nc",
    "multiple",
    "gemma",
    "eupl-1.2",
    "openmdw-1.1",
];

/// True if `license` is a name of the list or a URL.
pub fn is_license(license: &str) -> bool {
    LICENSES.contains(&license) || license.starts_with("https://") || license.starts_with("http://")
}
