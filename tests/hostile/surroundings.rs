//! What lies between this machine and a hub, and a system that is not as usual: proxies, ports, hosts to which
//! the hub leads, authorities that only its own network knows, no `/proc`.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use mteb_host_tests::{Lie, LyingHub, ROWS, Run, host, skip, write_pair_card, write_pairs};
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

/// What is said where the hub is at `address` and `variable` names a proxy.
fn fetch_error(address: &str, variable: Option<(&str, &str)>) -> String {
    let user = User::new();
    let mut command = user.command(address, &FETCH);
    command.env_remove("NO_PROXY").env_remove("no_proxy").envs(variable);
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    run.stderr
}

#[test]
fn a_proxy_that_refuses_is_named_with_its_variable() {
    for variable in ["http_proxy", "ALL_PROXY"] {
        let said = fetch_error("http://hub.invalid", Some((variable, "http://127.0.0.1:9")));
        assert!(said.contains(&format!("(through the proxy 127.0.0.1:9 of `{variable}`)")), "{said}");
    }
}

#[test]
fn a_proxy_that_is_none_is_refused_before_anybody_is_asked() {
    let hub = LyingHub::start(Lie::Truth).unwrap();
    for proxy in ["junk:", "http://127.0.0.1:99999", "ftp://proxy", "http://:3128"] {
        let said = fetch_error(&hub.address, Some(("http_proxy", proxy)));
        let expected =
            "`http_proxy`: expected the address of a proxy such as `http://proxy.example:3128`, found: ";
        assert!(said.contains(&format!("{expected}{proxy}")), "{said}");
    }
    let said = fetch_error(&hub.address, Some(("http_proxy", "http://me:secret@127.0.0.1:none")));
    assert!(said.contains("`http_proxy`: ") && !said.contains("secret"), "{said}");
    assert_eq!(hub.asked(), 0);
}

#[test]
fn a_port_that_is_none_is_refused() {
    for address in ["http://127.0.0.1:99999", "http://127.0.0.1:0", "http://127.0.0.1:"] {
        let said = fetch_error(address, None);
        assert!(said.contains(&format!(
            "`HF_ENDPOINT`: expected an address such as `https://huggingface.co`, found: {address}"
        )));
    }
}

#[test]
fn a_host_to_which_the_hub_leads_answers_for_itself() {
    let elsewhere = LyingHub::start(Lie::Status(403)).unwrap();
    let hub = LyingHub::start(Lie::FilesAt(elsewhere.address.clone())).unwrap();
    let said = fetch_error(&hub.address, None);
    assert!(
        said.contains(&format!("{}, to which the hub leads, answered 403 Forbidden", elsewhere.address)),
        "{said}"
    );
    assert!(!said.contains("token"), "{said}");
}

/// The command, run after `script` in a view of its own; `None`, with a message, where none can be had.
fn in_own_view(script: &str, command: &Command) -> Option<Run> {
    let mut view = Command::new("unshare");
    let script = format!("{script} || exit 77; exec \"$@\"");
    view.args(["--map-root-user", "--mount", "sh", "-c", &script, "sh"]);
    view.arg(command.get_program()).args(command.get_args());
    view.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => view.env(name, value),
            None => view.env_remove(name),
        };
    }
    let run = Run::of(&mut view).ok();
    let seen = run.filter(|run| run.code != Some(77) && !run.stderr.starts_with("unshare: "));
    if seen.is_none() {
        skip("this system gives no view of the file system of one's own");
    }
    seen
}

#[test]
fn an_authority_is_believed_where_the_system_knows_it() {
    let (hub, authority) = hub();
    let user = User::new();
    fs::write(user.path().join("authority.pem"), authority).unwrap();
    let fetch = user.command(&hub.address, &["fetch", "--quiet", "--registry", "Lies.toml"]);
    // Where OpenSSL has its certificates on Debian, Alpine and Arch; and on Fedora.
    let script = "mount -t tmpfs none /etc/ssl && mkdir /etc/ssl/certs && \
                  cp authority.pem /etc/ssl/certs/ca-certificates.crt && cp authority.pem /etc/ssl/cert.pem && \
                  { [ ! -d /etc/pki/tls ] || { mount -t tmpfs none /etc/pki/tls && mkdir /etc/pki/tls/certs && \
                  cp authority.pem /etc/pki/tls/certs/ca-bundle.crt; }; }";
    let Some(run) = in_own_view(script, &fetch) else { return };
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(fs::read_to_string(user.file()).unwrap(), ROWS);
}

#[test]
fn a_system_without_proc_is_named_and_not_the_model_missed() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Small", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a", "b", 1.0), ("c", "b", 2.0)]).unwrap();
    let mut command = host(folder.path());
    command.args(["run", "--quiet", "--registry", "task.toml"]);
    let Some(run) = in_own_view("mount -t tmpfs none /proc", &command) else { return };
    assert_ne!(run.code, Some(0));
    assert!(run.stderr.starts_with("warning: expected the system's folder /proc"), "{}", run.stderr);
}
