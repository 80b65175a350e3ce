//! Which options the file of a folder may set. Whoever clones a folder has not agreed to anything that its author wrote: what runs code,
//! reaches a network, spends money or trusts somebody is said on the command line alone.

use std::path::Path;

/// The options that may be set.
pub const ALLOWED: &[&str] = &[
    "batch-tokens",
    "benchmark",
    "category",
    "cache-memory",
    "cache-size",
    "depth",
    "device",
    "dimensions",
    "domain",
    "draws",
    "dtype",
    "extra-measures",
    "fail-fast",
    "format",
    "k-values",
    "keep-unknown",
    "language",
    "licence",
    "max-tokens",
    "model",
    "offline",
    "outcomes",
    "output-folder",
    "page-language",
    "predictions",
    "quantize",
    "rankings",
    "registry",
    "renormalize",
    "results",
    "similarity",
    "since",
    "split",
    "table-cache-size",
    "task",
    "task-type",
    "verbose",
    "worker-memory",
];

/// Options of which paths lie in the folder.
const PATHS: [&str; 4] = ["model", "output-folder", "registry", "results"];

/// Why the file of a folder may not set an option.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The option is said on the command line alone.
    #[error(
        "only options that run no code, use no network, stay within the folder and grant no permission can; \
         `mteb-host config show` lists them"
    )]
    NeverAllowed,
    /// The model runs code, or calls an endpoint.
    #[error(
        "expected a model that needs no permission, found `{0}`, which runs code or calls an endpoint: name it on the \
         command line"
    )]
    NeedsPermission(String),
    /// The registry is fetched.
    #[error(
        "expected a registry that needs no network, found the address `{0}`: name it on the command line"
    )]
    NeedsNetwork(String),
    /// The path lies elsewhere.
    #[error("expected a path in the folder, found `{0}`")]
    LeadsOut(String),
}

/// Why `value` may not be set for `option`, if so.
pub fn find_refusal(option: &str, value: &str) -> Option<Refusal> {
    if !ALLOWED.contains(&option) {
        return Some(Refusal::NeverAllowed);
    }
    if option == "model" && value.contains(':') {
        return Some(Refusal::NeedsPermission(value.to_owned()));
    }
    if option == "registry" && (value.contains(':') || value.starts_with("git+")) {
        return Some(Refusal::NeedsNetwork(value.to_owned()));
    }
    let leads_out = value.starts_with('/') || value.split('/').any(|part| part == "..");
    if PATHS.contains(&option) && (leads_out || has_link_out(value)) {
        return Some(Refusal::LeadsOut(value.to_owned()));
    }
    None
}

/// True if a link in the current folder, whose defaults are read, leads a path elsewhere, or nowhere.
fn has_link_out(value: &str) -> bool {
    let Ok(here) = Path::new(".").canonicalize() else { return false };
    let there = Path::new(value).ancestors().find(|path| path.symlink_metadata().is_ok());
    there.is_some_and(|path| path.canonicalize().map_or(true, |path| !path.starts_with(&here)))
}

#[cfg(test)]
mod tests {
    use super::find_refusal;

    #[test]
    fn what_needs_consent_is_refused() {
        for option in [
            "plugin-dir",
            "trust-plugin",
            "trust-python",
            "trust-remote-code",
            "python",
            "url",
            "key-env",
            "allow-env",
            "allow-host",
            "cache-dir",
            "hub-dir",
            "max-cost",
            "max-calls",
            "update-lock",
            "overwrite",
        ] {
            assert!(find_refusal(option, "x").is_some(), "{option}");
        }
        assert!(
            find_refusal("model", "python:a.py:B").is_some() && find_refusal("model", "openai:b").is_some()
        );
        assert!(
            find_refusal("output-folder", "../x").is_some()
                && find_refusal("registry", "/etc/x.toml").is_some()
        );
        assert!(
            find_refusal("model", "../weights").is_some() && find_refusal("model", "/srv/weights").is_some()
        );
        assert!(
            find_refusal("registry", "https://example.org/a@1").is_some()
                && find_refusal("registry", "git+./a@1").is_some()
        );
        assert!(
            find_refusal("model", "hashing").is_none() && find_refusal("registry", "desa.toml").is_none()
        );
    }
}
