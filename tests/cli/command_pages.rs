//! docs/commands.md is the help of every command, as the program prints it.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use mteb_host_tests::{host_binary, root};

const PAGE: &str = "docs/commands.md";

/// Set to write the page anew.
const WRITE: &str = "MTEB_WRITE_DOCS";

const HEAD: &str = "# Commands\n\nThe help of every command, as the program prints it; `MTEB_WRITE_DOCS=1 cargo xtask test cli command_pages` writes this page.\n";

#[test]
fn the_page_of_commands_is_the_help_of_the_program() {
    let mut page = HEAD.to_owned();
    add(&mut page, &[]);
    let path = root().join(PAGE);
    if std::env::var_os(WRITE).is_some() {
        fs::write(&path, &page).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let line = found.lines().zip(page.lines()).position(|(found, expected)| found != expected);
    assert!(found == page, "{PAGE}: line {line:?} is not the program's help; write it anew with {WRITE}=1");
}

/// Adds the help of a command and of those below it.
fn add(page: &mut String, command: &[String]) {
    let mut words = vec!["mteb-host".to_owned()];
    words.extend_from_slice(command);
    let text = help(command);
    let level = if command.len() > 1 { "###" } else { "##" };
    write!(page, "\n{level} {}\n\n```text\n{}\n```\n", words.join(" "), text.trim_end()).unwrap();
    for name in subcommands(&text) {
        add(page, &[command, &[name]].concat());
    }
}

fn help(command: &[String]) -> String {
    let mut run = Command::new(host_binary());
    run.args(command).arg("--help").env_clear().env("COLUMNS", "100");
    let output = run.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The names in the list of commands of a help, but for `help` itself.
fn subcommands(help: &str) -> Vec<String> {
    let list = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let list = list.lines().take_while(|line| !line.is_empty());
    let named = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = named.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}
