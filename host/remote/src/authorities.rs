//! Whom to believe that an endpoint is who it says: the authorities of the system, of `SSL_CERT_FILE` and `SSL_CERT_DIR`.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};

/// How connections are encrypted; authorities that are compiled in count where the system has none.
///
/// # Errors
/// If there is no way to encrypt.
pub fn encryption() -> Result<ClientConfig, rustls::Error> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(builder?.with_root_certificates(roots).with_no_client_auth())
}
