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

/// The names of licences under which anyone may show parts of a dataset on a page, for any purpose, with its name beside them. Those that
/// forbid some purposes or changes are none of them: nobody knows who shows the page, and parts are changes.
const QUOTABLE: &[&str] = &[
    "mit",
    "cc-by-2.0",
    "cc-by-3.0",
    "cc-by-4.0",
    "cc-by-sa-3.0",
    "cc-by-sa-4.0",
    "odc-by",
    "afl-3.0",
    "apache-2.0",
    "cc0-1.0",
    "bsd-3-clause",
    "gpl-3.0",
    "lgpl",
    "lgpl-3.0",
    "cdla-sharing-1.0",
    "mpl-2.0",
    "eupl-1.2",
    "openmdw-1.1",
];

/// Where Creative Commons keeps the licences among [`QUOTABLE`].
const QUOTABLE_AT: [&str; 3] = ["licenses/by/", "licenses/by-sa/", "publicdomain/zero/"];

/// True if a licence, by its name or its URL, lets anyone show parts of a dataset.
pub fn is_quotable(license: &str) -> bool {
    let at_home = license
        .strip_prefix("https://")
        .or_else(|| license.strip_prefix("http://"))
        .and_then(|rest| rest.strip_prefix("www.").unwrap_or(rest).strip_prefix("creativecommons.org/"));
    QUOTABLE.contains(&license)
        || at_home.is_some_and(|path| QUOTABLE_AT.iter().any(|kind| path.starts_with(kind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_anyone_may_show_is_a_licence_without_conditions_on_purpose_or_change() {
        assert!(QUOTABLE.iter().all(|license| LICENSES.contains(license)));
        for license in ["cc-by-sa-4.0", "https://creativecommons.org/licenses/by/4.0/", "cc0-1.0"] {
            assert!(is_quotable(license), "{license}");
        }
        for license in [
            "not specified",
            "multiple",
            "cc-by-nc-4.0",
            "cc-by-nd-4.0",
            "https://creativecommons.org/licenses/by-nc/4.0/",
            "https://example.org/creativecommons.org/licenses/by/4.0/",
        ] {
            assert!(!is_quotable(license), "{license}");
        }
    }
}
