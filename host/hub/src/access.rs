//! How the hub may be reached, as the environment says it to every tool of the ecosystem.

use std::path::PathBuf;

/// How the hub may be reached.
#[derive(Clone, Debug)]
pub struct Access {
    /// True if nothing may be asked of the network.
    pub offline: bool,
    /// The cache that is shared with other tools.
    pub cache: PathBuf,
    /// Where lists of files are kept.
    pub listings: PathBuf,
    /// Address of the hub; absent: the public one.
    pub endpoint: Option<String>,
    /// Who asks.
    pub token: Option<String>,
}

impl Access {
    /// What the environment says: `HF_ENDPOINT`, `HF_HOME`, `HF_HUB_CACHE`, `HF_TOKEN` and `HF_HUB_OFFLINE`.
    pub fn from_environment(listings: PathBuf) -> Self {
        let home = home();
        let cache = folder("HF_HUB_CACHE").or_else(|| folder("HUGGINGFACE_HUB_CACHE"));
        let login = mteb_files::read_to_string(&home.join("token"), 1 << 16).ok();
        let token = text("HF_TOKEN").or_else(|| login.map(|token| token.trim().to_owned()));
        Self {
            offline: is_set("HF_HUB_OFFLINE"),
            cache: cache.unwrap_or_else(|| home.join("hub")),
            listings,
            endpoint: text("HF_ENDPOINT"),
            token: token.filter(|token| !token.is_empty()),
        }
    }
}

fn home() -> PathBuf {
    if let Some(home) = folder("HF_HOME") {
        return home;
    }
    let cache = folder("XDG_CACHE_HOME");
    let cache = cache.unwrap_or_else(|| std::env::home_dir().unwrap_or_default().join(".cache"));
    cache.join("huggingface")
}

fn folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn text(variable: &str) -> Option<String> {
    let value = std::env::var(variable).ok()?;
    let value = value.trim();
    (!value.is_empty()).then(|| value.to_owned())
}

fn is_set(variable: &str) -> bool {
    let value = std::env::var(variable).unwrap_or_default().to_lowercase();
    matches!(value.as_str(), "1" | "true" | "yes" | "on")
}
