//! What the environment says of the way to a hub: the authorities to believe, else those of the
//! system; the proxy between this machine and the hub; and which variables cannot be right.

use std::env;
use std::path::{Path, PathBuf};

use rustls_native_certs::{CertificateResult, load_certs_from_paths, load_native_certs};
use ureq::Proxy;
use ureq::http::Uri;
use ureq::tls::{Certificate, RootCerts};

/// Variables that name a file or a folder with certificates, the first that is set counts; OpenSSL's two count together.
const OTHERS: [&str; 2] = ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"];

/// The authorities to believe; those that are compiled in where the system has none.
///
/// # Errors
/// If a variable names no certificates.
pub(crate) fn authorities() -> Result<RootCerts, SettingError> {
    let file = place("SSL_CERT_FILE");
    let folders = env::var_os("SSL_CERT_DIR").unwrap_or_default();
    let folders: Vec<PathBuf> =
        env::split_paths(&folders).filter(|folder| !folder.as_os_str().is_empty()).collect();
    if file.is_some() || !folders.is_empty() {
        let mut found = load_certs_from_paths(file.as_deref(), None);
        for folder in &folders {
            let more = load_certs_from_paths(None, Some(folder));
            found.certs.extend(more.certs);
            found.errors.extend(more.errors);
        }
        let variable = if file.is_some() { "SSL_CERT_FILE" } else { "SSL_CERT_DIR" };
        return require_certificates(variable, found);
    }
    for variable in OTHERS {
        if let Some(path) = place(variable) {
            let is_folder = path.is_dir();
            let file = Some(path.as_path()).filter(|_| !is_folder);
            return require_certificates(
                variable,
                load_certs_from_paths(file, Some(path.as_path()).filter(|_| is_folder)),
            );
        }
    }
    let found = load_native_certs();
    Ok(if found.certs.is_empty() { RootCerts::WebPki } else { roots(&found) })
}

fn place(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(|value| Path::new(&value).to_owned())
}

fn require_certificates(variable: &str, found: CertificateResult) -> Result<RootCerts, SettingError> {
    if !found.certs.is_empty() {
        return Ok(roots(&found));
    }
    let why = found.errors.first().map_or_else(|| "none".to_owned(), ToString::to_string);
    Err(SettingError::Certificates { variable: variable.to_owned(), found: why })
}

fn roots(found: &CertificateResult) -> RootCerts {
    let certificates: Vec<Certificate<'static>> =
        found.certs.iter().map(|certificate| Certificate::from_der(certificate).to_owned()).collect();
    RootCerts::new_with_certs(&certificates)
}

/// The variables that name one; the first that holds an address counts.
const VARIABLES: [&str; 6] =
    ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/// A proxy, and the variable that names it.
#[derive(Clone, Debug)]
pub(crate) struct NamedProxy {
    variable: &'static str,
    proxy: Proxy,
}

impl NamedProxy {
    /// The proxy that is used.
    ///
    /// # Errors
    /// If the first variable that is set names none.
    pub fn of_environment() -> Result<Option<Self>, SettingError> {
        let set = VARIABLES.into_iter().find_map(|variable| {
            let value = env::var_os(variable).filter(|value| !value.is_empty())?;
            Some((variable, value.to_string_lossy().into_owned()))
        });
        let Some((variable, value)) = set else { return Ok(None) };
        let is_address = Proxy::new(&value).is_ok() && has_host(&value);
        match Proxy::try_from_env() {
            Some(proxy) if is_address => Ok(Some(Self { variable, proxy })),
            _ => Err(fault(variable, &value)),
        }
    }

    /// How it is named where `url` cannot be reached, if it is on the way there.
    pub fn on_the_way(&self, url: &str) -> Option<String> {
        let uri: Uri = url.parse().ok()?;
        let (variable, host, port) = (self.variable, self.proxy.host(), self.proxy.port());
        (!self.proxy.is_no_proxy(&uri)).then(|| format!("through the proxy {host}:{port} of `{variable}`"))
    }
}

/// True if there is a host, and what stands where the port is, is one.
fn has_host(value: &str) -> bool {
    let place = value.split_once("://").map_or(value, |(_, place)| place);
    let place = place.split('/').next().unwrap_or_default();
    let place = place.rsplit('@').next().unwrap_or_default();
    let after = place.rsplit(']').next().unwrap_or_default();
    let port = after.rsplit_once(':').map(|(_, port)| port);
    !place.starts_with(':') && port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0))
}

fn fault(variable: &str, value: &str) -> SettingError {
    let found = if value.contains('@') {
        " another text, which is not shown here because it may hold a password".to_owned()
    } else {
        format!(": {value}")
    };
    SettingError::Proxy { variable: variable.to_owned(), found }
}

/// A setting of the environment that cannot be right; nothing secret is shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// The address of the hub.
    #[error("`HF_ENDPOINT`: expected an address such as `https://huggingface.co`, found{found}")]
    Endpoint {
        /// What was found, with the mark before it.
        found: String,
    },
    /// The token, or the file that holds it.
    #[error(
        "`{place}`: expected a token of letters, digits and signs, found a space, a line end or another character that no \
         token has (the token is not shown here)"
    )]
    Token {
        /// The variable or the file.
        place: String,
    },
    /// The longest silence.
    #[error("`HF_HUB_DOWNLOAD_TIMEOUT`: expected a number of seconds, found: {0}")]
    Timeout(String),
    /// The authorities.
    #[error("`{variable}`: expected certificates in PEM form, found: {found}")]
    Certificates {
        /// The variable.
        variable: String,
        /// What is wrong.
        found: String,
    },
    /// The proxy.
    #[error(
        "`{variable}`: expected the address of a proxy such as `http://proxy.example:3128`, found{found}"
    )]
    Proxy {
        /// The variable.
        variable: String,
        /// What was found, with the mark before it.
        found: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_has_a_host_and_a_port_that_is_one() {
        for value in ["http://proxy:3128", "proxy", "socks5://me:word@[::1]:1080/", "http://proxy"] {
            assert!(has_host(value), "{value}");
        }
        for value in ["junk:", "http://proxy:99999", "http://:3128", "proxy:none", "proxy:0"] {
            assert!(!has_host(value), "{value}");
        }
    }

    #[test]
    fn a_password_is_not_shown() {
        assert!(!fault("http_proxy", "http://me:secret@:").to_string().contains("secret"));
        assert!(
            fault("http_proxy", "junk:").to_string().ends_with("`http://proxy.example:3128`, found: junk:")
        );
    }
}
