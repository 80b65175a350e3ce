//! `mteb-host config show`: every option of a command with its value, and where that comes from.

use clap::{Args, Command, Subcommand};
use mteb_report::output::rows_grid;
use serde_json::{Value, json};

use super::allowed::ALLOWED;
use super::file::{FILE, FolderDefaults};
use crate::commands::arguments::FormatArgs;
use crate::exit::Exit;
use crate::output;

/// Variables of the environment, and what each says.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("MTEB_HOST_CACHE", "Cache folder; `--cache-dir` takes precedence"),
    ("MTEB_HOST_DATA", "User data folder: plugins, registries, trust and permissions"),
    ("MTEB_HOST_PLUGINS", "Folders with plugins, separated by `:`"),
    ("MTEB_HOST_REGISTRIES", "Folders with registries, separated by `:`"),
    (
        "MTEB_HOST_PROGRESS",
        "Seconds between progress lines if standard error is not a terminal; 0 for none [default: 30]",
    ),
    ("RUST_LOG", "Minimum level of plugin output to show, e.g. `warn`; `run --log-level` takes precedence"),
    ("HF_HOME", "Cache folder of the Hugging Face libraries"),
    ("HF_ENDPOINT", "URL of the hub"),
    ("HF_TOKEN", "Access token for gated and private repositories of the hub; never printed"),
    ("NO_COLOR", "If set, disables colours"),
];

/// Arguments of `config`.
#[derive(Args, Debug)]
pub struct ConfigArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show the options of a command that `mteb-host.toml` may set, with the value of each and
    /// where it comes from.
    Show(ShowArgs),
}

/// Arguments of `config show`.
#[derive(Args, Debug)]
struct ShowArgs {
    /// Command whose options to show.
    #[arg(default_value = "run")]
    command: String,
    #[command(flatten)]
    format: FormatArgs,
}

impl ConfigArgs {
    /// Runs the command for the command line `cli`.
    pub fn run(self, cli: &Command) -> Exit {
        let What::Show(args) = self.what;
        args.run(cli)
    }
}

impl ShowArgs {
    fn run(self, cli: &Command) -> Exit {
        let names: Vec<&str> = cli.get_subcommands().map(Command::get_name).collect();
        let Some(command) = cli.find_subcommand(&self.command) else {
            let near = mteb_base::suggest::hint(&self.command, names, "");
            return output::usage(format!("expected a command, found: {}{near}", self.command));
        };
        let folder = std::env::current_dir().unwrap_or_default();
        let defaults = match FolderDefaults::of(&folder, &names) {
            Ok(defaults) => defaults.unwrap_or(FolderDefaults(Vec::new())),
            Err(fault) => return output::usage(fault),
        };
        let mut rows: Vec<Value> = options(command, &defaults);
        rows.extend(environment());
        let answer = || json!({ "command": self.command, "file": folder.join(FILE).is_file().then_some(FILE), "values": rows });
        let grid = |answer: &Value| rows_grid(&["name", "value", "from"], &answer["values"]);
        self.format.print(answer, grid).unwrap_or_else(|| output::print(&lines(&rows)))
    }
}

fn options(command: &Command, defaults: &FolderDefaults) -> Vec<Value> {
    let mut rows = Vec::new();
    for arg in command.get_arguments() {
        let Some(long) = arg.get_long().filter(|long| ALLOWED.contains(long)) else { continue };
        let of = |name: Option<&str>| {
            defaults.0.iter().rev().find(|one| one.option == long && one.command.as_deref() == name)
        };
        let (value, from) = match of(Some(command.get_name())).or_else(|| of(None)) {
            Some(default) => (default.values.join(", "), format!("{FILE}, line {}", default.line)),
            None => {
                let values: Vec<String> = arg
                    .get_default_values()
                    .iter()
                    .map(|value| value.to_string_lossy().into_owned())
                    .collect();
                (values.join(", "), "built in".to_owned())
            }
        };
        rows.push(json!({ "name": format!("--{long}"), "value": value, "from": from }));
    }
    rows
}

fn environment() -> impl Iterator<Item = Value> {
    ENVIRONMENT.iter().filter_map(|(name, _)| {
        let value = std::env::var(name).ok()?;
        // A key is never shown.
        let value = if *name == "HF_TOKEN" { "set".to_owned() } else { value };
        Some(json!({ "name": name, "value": value, "from": "environment" }))
    })
}

fn lines(rows: &[Value]) -> String {
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let width = rows.iter().map(|row| text(row, "name").len()).max().unwrap_or(0);
    let line = |row: &Value| {
        let value = text(row, "value");
        let value = if value.is_empty() { "not set".to_owned() } else { value };
        format!("{:width$}  {value}  ({})", text(row, "name"), text(row, "from"))
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// What the help says of the environment.
pub fn environment_help() -> String {
    let lines = ENVIRONMENT.iter().map(|(name, says)| format!("  {name:<22}{says}"));
    format!("Environment:\n{}", lines.collect::<Vec<_>>().join("\n"))
}
