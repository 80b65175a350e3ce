//! A system that is not as usual: other authorities, or no `/proc`. Each test has a view of the file system of its own, where
//! the system lets a user have one.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{ROWS, Run, host, skip, write_pair_card, write_pairs};

use super::authority::hub;
use super::hub::User;

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
