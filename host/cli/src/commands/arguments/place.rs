//! The options that say where things are, shared by most subcommands, and how the caches there are
//! used.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use mteb_base::byte_size::ByteSize;
use mteb_cache::CacheOptions;
use mteb_workers::settings::{Allowance, AllowedHost, INTRODUCTION, Settings, TimeLimit};

use super::value::{ValueError, parse_key};

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
    #[arg(long, value_name = "NAME=HOST", value_parser = parse_key::<Allowance>())]
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

/// How a run uses the cache of embeddings.
#[derive(Args, Debug)]
#[command(next_help_heading = "Caches")]
pub struct CacheOptionArgs {
    /// Do not read or write the on-disk caches of embeddings and parsed rows. Within the run a text
    /// is still encoded only once, as far as `--cache-memory` allows.
    #[arg(long)]
    no_cache: bool,
    /// Maximum size of the embedding cache, all models together; the least recently used embeddings
    /// are removed first (K, M, G, T: powers of 1,024).
    #[arg(long, value_name = "SIZE", default_value = "20G")]
    cache_size: ByteSize,
    /// Maximum size of the cache of parsed rows of large data files; with 0, every run parses them
    /// again.
    #[arg(long, value_name = "SIZE", default_value = "10G")]
    table_cache_size: ByteSize,
    /// Maximum memory for embeddings if none are cached on disk; with 0, a text shared by several
    /// units is encoded once per unit.
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    cache_memory: ByteSize,
    /// Days after which cached embeddings from an endpoint are requested again, because the model
    /// behind it may change without notice.
    #[arg(long, value_name = "DAYS", default_value_t = 90)]
    max_age: u32,
}

const DAY: Duration = Duration::from_secs(86_400);

impl CacheOptionArgs {
    /// The same for the engine.
    pub fn options(&self) -> CacheOptions {
        CacheOptions {
            on_disk: !self.no_cache,
            size: self.cache_size,
            table_size: self.table_cache_size,
            memory: self.cache_memory,
            max_age: DAY * self.max_age,
        }
    }
}
