//! A hub behind an authority that only its own network knows.

use std::fs;
use std::sync::Arc;

use mteb_host_tests::{Lie, LyingHub, ROWS, Run};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::crypto::ring;
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::hub::User;

const FETCH: [&str; 4] = ["fetch", "--quiet", "--registry", "Lies.toml"];

/// An honest hub over TLS, and the certificate of the authority that vouches for it, in PEM form.
pub fn hub() -> (LyingHub, String) {
    let mut authority = CertificateParams::new([]).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
    let certificate = certificate.signed_by(&key, &authority).unwrap();
    let key = PrivatePkcs8KeyDer::from(key.serialize_der());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key.into())
        .unwrap();
    let config = Arc::new(config);
    let hub = LyingHub::start_over(Lie::Truth, "https", move |stream| {
        let connection = ServerConnection::new(Arc::clone(&config)).ok()?;
        Some(Box::new(StreamOwned::new(connection, stream)))
    });
    (hub.unwrap(), authority.pem())
}

#[test]
fn an_authority_that_nobody_named_is_not_believed() {
    let (hub, _) = hub();
    let user = User::new();
    let run = Run::of(&mut user.command(&hub.address, &FETCH)).unwrap();
    assert_eq!((run.code, hub.asked()), (Some(1), 0));
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains(&format!("{} cannot be trusted: ", hub.address)), "{}", run.stderr);
    assert!(run.stderr.contains("set SSL_CERT_FILE to the file"), "{}", run.stderr);
}

#[test]
fn an_authority_is_believed_where_a_variable_names_it() {
    for variable in ["SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"] {
        let (hub, authority) = hub();
        let user = User::new();
        let folder = user.path().join("authorities");
        fs::create_dir(&folder).unwrap();
        // As `openssl rehash` names them.
        let file = folder.join("0123abcd.0");
        fs::write(&file, authority).unwrap();
        let value = if variable == "SSL_CERT_DIR" { &folder } else { &file };
        let run = Run::of(user.command(&hub.address, &FETCH).env(variable, value)).unwrap();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{variable}");
        assert_eq!(fs::read_to_string(user.file()).unwrap(), ROWS, "{variable}");
    }
}

#[test]
fn a_file_without_certificates_is_named_with_its_variable() {
    let (hub, _) = hub();
    let user = User::new();
    let run = Run::of(user.command(&hub.address, &FETCH).env("SSL_CERT_FILE", "Lies.toml")).unwrap();
    assert_eq!((run.code, hub.asked()), (Some(1), 0));
    assert!(
        run.stderr.contains("`SSL_CERT_FILE`: expected certificates in PEM form, found: "),
        "{}",
        run.stderr
    );
}
