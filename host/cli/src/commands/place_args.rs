//! The options that say where things are, shared by most subcommands.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use mteb_workers::settings::{Allowance, AllowedHost, INTRODUCTION, Settings, TimeLimit};

/// Folders that every command may be given.
#[derive(Args, Clone, Debug)]
pub struct PlaceArgs {
    /// Folder with plugins; may be given several times.
    #[arg(long, value_name = "DIR")]
    pub plugin_dir: Vec<PathBuf>,
    /// Folder for what can be made again [default: mteb-host in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    /// Folder laid out like a hub (`datasets/<organisation>/<name>/<revision>`); read instead of the network.
    #[arg(long, value_name = "DIR")]
    hub_dir: Option<PathBuf>,
    /// Never download.
    #[arg(long)]
    offline: bool,
    /// Trust the plugin of this checksum, now and later: its code runs with your rights. May be given several times.
    #[arg(long, value_name = "SHA256", value_parser = checksum)]
    trust_plugin: Vec<String>,
    /// Longest time that a plugin may take to say what it brings, when it is first met; 0 for no limit.
    #[arg(long, value_name = "SECONDS", default_value_t = INTRODUCTION)]
    plugin_timeout: u64,
    /// Let a plugin that asks for it have this variable of your environment, to send it to this host, now and later: for keys
    /// of models behind an interface. May be given several times.
    #[arg(long, value_name = "NAME=HOST", value_parser = Unshown)]
    allow_env: Vec<Allowance>,
    /// Let cards of models and judges that are no part of mteb-host send texts to this host, now and later; a key needs
    /// `--allow-env`. May be given several times.
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<AllowedHost>,
    /// Let the Python interpreter of this virtual environment run where `.venv` is found here or above, now and later. May be
    /// given several times.
    #[arg(long, value_name = "DIR")]
    trust_python: Vec<PathBuf>,
}

impl PlaceArgs {
    /// What they come to.
    pub fn settings(&self) -> Settings {
        let place = self.clone();
        let settings = Settings::new(place.plugin_dir, place.cache_dir, place.hub_dir, place.offline);
        let introduction = TimeLimit::new(place.plugin_timeout);
        Settings {
            introduction,
            trust: place.trust_plugin,
            allowances: place.allow_env,
            hosts: place.allow_host,
            environments: place.trust_python,
            ..settings
        }
    }
}

fn checksum(text: &str) -> Result<String, String> {
    if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(text.to_ascii_lowercase());
    }
    Err("expected a SHA-256: 64 hex digits".to_owned())
}

/// Reads an allowance. What is none is not repeated, as clap would: it may be a key.
#[derive(Clone)]
struct Unshown;

impl TypedValueParser for Unshown {
    type Value = Allowance;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Allowance, clap::Error> {
        let read = value.to_string_lossy().parse();
        read.map_err(|found: String| {
            clap::Error::raw(ErrorKind::ValueValidation, format!("--allow-env: {found}\n")).with_cmd(command)
        })
    }
}
