//! What lies between this machine and the files of a hub: proxies, ports, and hosts to which the hub leads. A fault is told of
//! the one whose it is.

use mteb_host_tests::{Lie, LyingHub, Run};

use super::hub::User;

const FETCH: [&str; 4] = ["fetch", "--quiet", "--registry", "Lies.toml"];

/// What is said where the hub is at `address` and `variable` names a proxy.
fn said(address: &str, variable: Option<(&str, &str)>) -> String {
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
        let said = said("http://hub.invalid", Some((variable, "http://127.0.0.1:9")));
        assert!(said.contains(&format!("(through the proxy 127.0.0.1:9 of `{variable}`)")), "{said}");
    }
}

#[test]
fn a_proxy_that_is_none_is_refused_before_anybody_is_asked() {
    let hub = LyingHub::start(Lie::Truth).unwrap();
    for proxy in ["junk:", "http://127.0.0.1:99999", "ftp://proxy", "http://:3128"] {
        let said = said(&hub.address, Some(("http_proxy", proxy)));
        let expected =
            "`http_proxy`: expected the address of a proxy such as `http://proxy.example:3128`, found: ";
        assert!(said.contains(&format!("{expected}{proxy}")), "{said}");
    }
    let said = said(&hub.address, Some(("http_proxy", "http://me:secret@127.0.0.1:none")));
    assert!(said.contains("`http_proxy`: ") && !said.contains("secret"), "{said}");
    assert_eq!(hub.asked(), 0);
}

#[test]
fn a_port_that_is_none_is_refused() {
    for address in ["http://127.0.0.1:99999", "http://127.0.0.1:0", "http://127.0.0.1:"] {
        let said = said(address, None);
        assert!(said.contains(&format!(
            "`HF_ENDPOINT`: expected an address such as `https://huggingface.co`, found: {address}"
        )));
    }
}

#[test]
fn a_host_to_which_the_hub_leads_answers_for_itself() {
    let elsewhere = LyingHub::start(Lie::Status(403)).unwrap();
    let hub = LyingHub::start(Lie::FilesAt(elsewhere.address.clone())).unwrap();
    let said = said(&hub.address, None);
    assert!(
        said.contains(&format!("{}, to which the hub leads, answered 403 Forbidden", elsewhere.address)),
        "{said}"
    );
    assert!(!said.contains("token"), "{said}");
}
