//! How the hub may be reached, as the environment says it to every tool of the ecosystem.

use std::env;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use ureq::http::Uri;

use crate::SettingError;

/// Address of the public hub.
const PUBLIC: &str = "https://huggingface.co";

/// The variable by which nothing is asked of the network.
pub(crate) const OFFLINE: &str = "HF_HUB_OFFLINE";

/// Longest silence of a hub unless `HF_HUB_DOWNLOAD_TIMEOUT` says another.
const TIMEOUT: Duration = Duration::from_secs(30);

/// How the hub may be reached.
#[derive(Clone)]
pub struct Access {
    /// True if nothing may be asked of the network.
    pub offline: bool,
    /// True if the variable `HF_HUB_OFFLINE` alone says so, which messages name.
    pub offline_by_variable: bool,
    /// The cache that is shared with other tools.
    pub cache: PathBuf,
    /// Where lists of files are kept.
    pub listings: PathBuf,
    /// True if lists of files are asked for also where they are kept.
    pub refresh_lists: bool,
    /// Address of the hub; absent: the public one.
    pub endpoint: Option<String>,
    /// Who asks.
    pub token: Option<String>,
    /// Longest silence of the hub.
    pub timeout: Duration,
    /// True once whoever asks wants to end: what is being fetched is left where it is, and goes on
    /// there another time.
    pub stopped: fn() -> bool,
    /// A setting that cannot be right; said when something is to be asked of the network.
    pub fault: Option<SettingError>,
}

impl Access {
    /// What the environment says: `HF_ENDPOINT`, `HF_HOME`, `HF_HUB_CACHE`, `HF_TOKEN`,
    /// `HF_HUB_DOWNLOAD_TIMEOUT` and `HF_HUB_OFFLINE`.
    pub fn from_environment(listings: PathBuf) -> Self {
        let home = home();
        let cache = folder("HF_HUB_CACHE").or_else(|| folder("HUGGINGFACE_HUB_CACHE"));
        let (endpoint, token) = (endpoint(), token(&home.join("token")));
        let timeout = timeout();
        let offline = is_set(OFFLINE);
        let faults = [endpoint.as_ref().err(), token.as_ref().err(), timeout.as_ref().err()];
        let fault = faults.into_iter().flatten().next().cloned();
        Self {
            offline,
            offline_by_variable: offline,
            cache: cache.unwrap_or_else(|| home.join("hub")),
            listings,
            refresh_lists: false,
            stopped: || false,
            fault,
            endpoint: endpoint.unwrap_or_default(),
            token: token.unwrap_or_default(),
            timeout: timeout.unwrap_or(TIMEOUT),
        }
    }
}

impl Access {
    /// What forbids to ask the network anything, as users write it; `None` if nothing does.
    pub fn offline_setting(&self) -> Option<&'static str> {
        self.offline.then_some(if self.offline_by_variable { OFFLINE } else { "--offline" })
    }

    /// Address of the hub, without a slash at its end.
    pub(crate) fn address(&self) -> &str {
        self.endpoint.as_deref().unwrap_or(PUBLIC).trim_end_matches('/')
    }
}

/// Without the token.
impl fmt::Debug for Access {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offline, cache, endpoint, token, .. } = self;
        let mut shown = formatter.debug_struct("Access");
        shown.field("offline", offline).field("cache", cache).field("endpoint", endpoint);
        shown.field("has_token", &token.is_some()).finish_non_exhaustive()
    }
}

fn home() -> PathBuf {
    if let Some(home) = folder("HF_HOME") {
        return home;
    }
    let cache = folder("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
    let cache = cache.unwrap_or_else(|| env::home_dir().unwrap_or_default().join(".cache"));
    cache.join("huggingface")
}

fn folder(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// A variable's text without space around it; bytes that are no text become marks that no check
/// lets through.
fn text(variable: &str) -> Option<String> {
    let value = env::var_os(variable)?;
    let value = value.to_string_lossy().trim().to_owned();
    (!value.is_empty()).then_some(value)
}

fn endpoint() -> Result<Option<String>, SettingError> {
    text("HF_ENDPOINT").map(|address| checked_address(&address)).transpose()
}

fn checked_address(address: &str) -> Result<String, SettingError> {
    let refused = |found: &str| Err(SettingError::Endpoint { found: found.to_owned() });
    if address.contains('@') {
        return refused(" one with a name or a password, which is not shown here");
    }
    let is_address = address.parse::<Uri>().is_ok_and(|uri| {
        // A port that is no number up to 65,535 is none, and would be the usual one.
        let has_port =
            uri.port_u16().is_some_and(|port| port > 0) || uri.port().is_none() && !names_port(&uri);
        let has_scheme = matches!(uri.scheme_str(), Some("http" | "https"));
        has_port && has_scheme && uri.host().is_some_and(|host| !host.is_empty())
    });
    if address.contains(['?', '#']) {
        return refused(" one with a question mark or a `#`, whose rest is not shown here");
    }
    let is_plain = address.bytes().all(|byte| byte.is_ascii_graphic());
    if is_address && is_plain { Ok(address.to_owned()) } else { refused(&format!(": {address}")) }
}

/// True if something stands where an address has its port.
fn names_port(uri: &Uri) -> bool {
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    authority.rsplit(']').next().is_some_and(|end| end.contains(':'))
}

fn token(login: &std::path::Path) -> Result<Option<String>, SettingError> {
    if let Some(token) = text("HF_TOKEN") {
        return checked_token("HF_TOKEN", token).map(Some);
    }
    let token = mteb_files::read_to_string(login, 1 << 16).unwrap_or_default();
    let token = token.trim().to_owned();
    if token.is_empty() { Ok(None) } else { checked_token(&login.display().to_string(), token).map(Some) }
}

fn checked_token(place: &str, token: String) -> Result<String, SettingError> {
    if token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(token);
    }
    Err(SettingError::Token { place: place.to_owned() })
}

fn timeout() -> Result<Duration, SettingError> {
    let Some(seconds) = text("HF_HUB_DOWNLOAD_TIMEOUT") else { return Ok(TIMEOUT) };
    let parsed = seconds.parse::<u32>().ok().filter(|seconds| *seconds > 0);
    parsed.map(|seconds| Duration::from_secs(seconds.into())).ok_or(SettingError::Timeout(seconds))
}

fn is_set(variable: &str) -> bool {
    let value = env::var(variable).unwrap_or_default().to_lowercase();
    matches!(value.as_str(), "1" | "true" | "yes" | "on")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_of_the_web() {
        for address in ["https://huggingface.co", "http://127.0.0.1:9", "https://mirror.example/hub/"] {
            assert_eq!(checked_address(address).unwrap(), address);
        }
        for address in [
            "http://127.0.0.1:99999",
            "http://a:",
            "http://a:0",
            "huggingface.co",
            "ftp://a",
            "https://",
            "http://a b",
            "http://a\nb",
            "http://a?b",
            "é",
        ] {
            let error = checked_address(address).unwrap_err().to_string();
            assert!(error.starts_with("`HF_ENDPOINT`: expected an address"), "{error}");
        }
        for address in ["https://me:secret@hub.example", "http://a/?secret", "http://a/#secret"] {
            assert!(!checked_address(address).unwrap_err().to_string().contains("secret"), "{address}");
        }
    }

    #[test]
    fn a_token_with_a_line_end_is_refused_and_not_shown() {
        assert_eq!(checked_token("HF_TOKEN", "hf_abc".to_owned()).unwrap(), "hf_abc");
        for token in ["hf_secret\nX-Evil: 1", "hf_secret more", "hf_secret\u{1}", "hf_secreté"] {
            let error = checked_token("HF_TOKEN", token.to_owned()).unwrap_err().to_string();
            assert!(error.starts_with("`HF_TOKEN`: ") && !error.contains("secret"), "{error}");
        }
    }
}
