//! Whom to believe that a hub is the hub: the authorities that the environment names, else those of the system.

use std::env;
use std::path::{Path, PathBuf};

use rustls_native_certs::{CertificateResult, load_certs_from_paths, load_native_certs};
use ureq::tls::{Certificate, RootCerts};

use crate::SettingError;

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
        return named(variable, found);
    }
    for variable in OTHERS {
        if let Some(path) = place(variable) {
            let is_folder = path.is_dir();
            let file = Some(path.as_path()).filter(|_| !is_folder);
            return named(variable, load_certs_from_paths(file, Some(path.as_path()).filter(|_| is_folder)));
        }
    }
    let found = load_native_certs();
    Ok(if found.certs.is_empty() { RootCerts::WebPki } else { roots(&found) })
}

fn place(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(|value| Path::new(&value).to_owned())
}

fn named(variable: &str, found: CertificateResult) -> Result<RootCerts, SettingError> {
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
