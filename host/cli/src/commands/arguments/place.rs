//! The options that say where things are, shared by most subcommands.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use mteb_workers::settings::{Allowance, AllowanceError, AllowedHost, INTRODUCTION, Settings, TimeLimit};

use super::value_error::ValueError;

/// Folders that every command may be given.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Folders, downloads and permissions")]
pub struct PlaceArgs {
    /// Folder with plugins; may be repeated.
    #[arg(long, value_name = "DIR")]
    pub plugin_dir: Vec<PathBuf>,
    /// Cache folder [default: mteb-host in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    /// Local mirror of the hub (`datasets/<organisation>/<name>/<revision>`), used instead of the
    /// network.
    #[arg(long, value_name = "DIR")]
    hub_dir: Option<PathBuf>,
    /// Never download.
    #[arg(long)]
    offline: bool,
    /// Trust the plugin with this checksum, now and in later runs: its code runs with your
    /// permissions. May be repeated.
    #[arg(long, value_name = "SHA256", value_parser = checksum)]
    trust_plugin: Vec<String>,
    /// Time limit for a new plugin to report what it provides; 0 for no limit.
    #[arg(long, value_name = "SECONDS", default_value_t = INTRODUCTION)]
    plugin_timeout: u64,
    /// Let plugins and cards that ask for it send this environment variable, such as an API key, to
    /// this host, now and in later runs. May be repeated.
    #[arg(long, value_name = "NAME=HOST", value_parser = Unshown)]
    allow_env: Vec<Allowance>,
    /// Let model and judge cards that do not come with mteb-host send texts to this host, now and
    /// in later runs; API keys need `--allow-env`. May be repeated.
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<AllowedHost>,
    /// Trust the Python interpreter of this virtual environment when it is found as `.venv` here or
    /// in a parent folder, now and in later runs. May be repeated.
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

/// Where results go.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Folder for the result files; the default with `--plan` is `<plan>-shards/<I>`. For shards it
    /// may be an address such as `s3://bucket/folder`, in which each shard has a numbered folder.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub output_folder: PathBuf,
}

fn checksum(text: &str) -> Result<String, ValueError> {
    if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(text.to_ascii_lowercase());
    }
    Err(ValueError::Checksum)
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
        read.map_err(|found: AllowanceError| {
            clap::Error::raw(ErrorKind::ValueValidation, format!("--allow-env: {found}\n")).with_cmd(command)
        })
    }
}
