//! `mteb-host cache`: what the cache of embeddings and of parsed rows holds; and how `run` opens it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::PlaceArgs;
use crate::byte_size::ByteSize;
use crate::cache::{self, Cached, EmbeddingCache, FileHashes, ModelIdentity, TableCache, Verified};
use crate::calendar;
use crate::exit::Exit;
use crate::output;
use crate::parsing::ParsingApart;
use crate::plugins::ModelClient;
use crate::settings::Settings;

/// Arguments of `cache`.
#[derive(Args, Debug)]
pub struct CacheArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Say which models' embeddings and how many parsed data files are kept, and how many bytes they take.
    Info(ShowArgs),
    /// Remove all embeddings and parsed rows.
    Clear(ShowArgs),
    /// Read everything, and remove what is damaged; exit code 1 if something was.
    Verify(ShowArgs),
}

#[derive(Args, Debug)]
struct ShowArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Print JSON on standard output.
    #[arg(long)]
    json: bool,
}

/// How a run uses the cache of embeddings.
#[derive(Args, Debug)]
pub struct CacheOptions {
    /// Neither read embeddings and parsed rows from the disk nor keep them there; within the run a text is still encoded
    /// once, as far as `--cache-memory` reaches.
    #[arg(long)]
    no_cache: bool,
    /// Most bytes that the embeddings of all models may take; those unused for the longest time go first (K, M, G,
    /// T: powers of 1,024).
    #[arg(long, value_name = "SIZE", default_value = "20G")]
    cache_size: ByteSize,
    /// Most bytes that the parsed rows of large data files may take, beside the embeddings; with 0, every run parses.
    #[arg(long, value_name = "SIZE", default_value = "10G")]
    table_cache_size: ByteSize,
    /// Most bytes of embeddings that the run keeps in memory where it keeps none on the disk; with 0, what several units
    /// share is encoded for each of them.
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    cache_memory: ByteSize,
}

impl CacheOptions {
    /// The cache for a running model, unless it would not help. It is in memory alone if the user wants none on the
    /// disk, or if nothing would tell a changed model from this one.
    pub fn open(&self, settings: &Settings, client: &ModelClient) -> Option<EmbeddingCache> {
        let identity = ModelIdentity::of(client)?;
        if identity.lasts && !self.no_cache && self.cache_size.0 > 0 {
            return Some(EmbeddingCache::open(&Roots::of(settings).embeddings, identity, self.cache_size));
        }
        (self.cache_memory.0 > 0).then(|| EmbeddingCache::in_memory(identity, self.cache_memory))
    }

    /// The hashes of data files, remembered on the disk unless the user wants nothing there.
    pub fn open_hashes(&self, settings: &Settings) -> FileHashes {
        if self.no_cache { FileHashes::default() } else { FileHashes::below(&Roots::of(settings).tables) }
    }

    /// The parsed rows of data files, unless the user wants none on the disk.
    pub fn open_tables(&self, settings: &Settings) -> Option<TableCache> {
        let is_wanted = !self.no_cache && self.table_cache_size.0 > 0;
        is_wanted.then(|| {
            let way = Arc::new(ParsingApart::default());
            TableCache::open(&Roots::of(settings).tables, self.table_cache_size, way)
        })
    }
}

impl CacheArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.action {
            Action::Info(args) => info(&Roots::of(&args.place.settings()), args.json),
            Action::Clear(args) => clear(&Roots::of(&args.place.settings()), args.json),
            Action::Verify(args) => verify(&Roots::of(&args.place.settings()), args.json),
        }
    }
}

/// The folders of what is kept; their last part is the version of its form.
struct Roots {
    embeddings: PathBuf,
    tables: PathBuf,
}

impl Roots {
    fn of(settings: &Settings) -> Self {
        let root = |name| settings.cache_dir.join(name).join("v1");
        Self { embeddings: root("embeddings"), tables: root("tables") }
    }
}

/// How much the cache holds.
pub fn embeddings_line(settings: &Settings) -> String {
    let models = cache::info(&Roots::of(settings).embeddings);
    let total: u64 = models.iter().map(|cached| cached.bytes).sum();
    let models = output::count(models.len(), "model");
    format!("{} of {models} (`mteb-host cache verify` reads and checks all)", ByteSize(total))
}

fn info(roots: &Roots, as_json: bool) -> Exit {
    let models = cache::info(&roots.embeddings);
    let tables = cache::tables_info(&roots.tables);
    let total: u64 = models.iter().map(|cached| cached.bytes).sum();
    if as_json {
        let models: Vec<Value> = models.iter().map(model_json).collect();
        let tables = json!({
            "folder": roots.tables,
            "files": tables.files,
            "bytes": tables.bytes,
            "last_used": seconds(tables.last_used),
        });
        let folder = &roots.embeddings;
        return output::print_json(
            &json!({ "folder": folder, "bytes": total, "models": models, "tables": tables }),
        );
    }
    let mut lines: Vec<String> = models.iter().map(model_line).collect();
    lines.push(format!("{} in {}", ByteSize(total), roots.embeddings.display()));
    lines.push(format!(
        "{} of {} parsed data files in {}",
        ByteSize(tables.bytes),
        tables.files,
        roots.tables.display()
    ));
    output::print(&lines.join("\n"))
}

fn clear(roots: &Roots, as_json: bool) -> Exit {
    let removals = [
        (&roots.embeddings, "embeddings", cache::clear(&roots.embeddings)),
        (&roots.tables, "parsed rows", cache::clear_tables(&roots.tables)),
    ];
    let mut removed = Vec::new();
    for (folder, what, removal) in removals {
        match removal {
            Ok(bytes) => removed.push((folder, bytes)),
            Err(error) => output::error(format!("{}: cannot remove the {what}: {error}", folder.display())),
        }
    }
    let exit = if as_json {
        let bytes: u64 = removed.iter().map(|(_, bytes)| bytes).sum();
        output::print_json(&json!({ "folder": roots.embeddings, "removed_bytes": bytes }))
    } else {
        let line = |(folder, bytes): &(&PathBuf, u64)| {
            format!("{} removed from {}", ByteSize(*bytes), folder.display())
        };
        output::print(&removed.iter().map(line).collect::<Vec<_>>().join("\n"))
    };
    if removed.len() == 2 { exit } else { Exit::Failed }
}

fn verify(roots: &Roots, as_json: bool) -> Exit {
    let embeddings = cache::verify(&roots.embeddings);
    let tables = cache::verify_tables(&roots.tables);
    let faults = |of: fn(&Verified) -> &Vec<(PathBuf, String)>| {
        of(&embeddings).iter().chain(of(&tables)).cloned().collect::<Vec<_>>()
    };
    let (damaged, unreadable) = (faults(|found| &found.damaged), faults(|found| &found.unreadable));
    for (path, reason) in &damaged {
        output::error(format!("{}: removed, for it is damaged: {reason}", path.display()));
    }
    for (path, reason) in &unreadable {
        output::error(format!("{}: {reason}", path.display()));
    }
    let printed = if as_json {
        let files = |faults: &[(PathBuf, String)]| -> Vec<Value> {
            faults.iter().map(|(path, reason)| json!({ "file": path, "reason": reason })).collect()
        };
        output::print_json(&json!({
            "folder": roots.embeddings,
            "sound_segments": embeddings.sound,
            "rows": embeddings.rows,
            "sound_tables": tables.sound,
            "table_rows": tables.rows,
            "damaged": files(&damaged),
            "unreadable": files(&unreadable),
        }))
    } else {
        let (sound, rows) = (embeddings.sound, embeddings.rows);
        output::print(&format!(
            "{sound} segments with {rows} rows and {} parsed data files with {} rows are sound, {} were damaged",
            tables.sound,
            tables.rows,
            damaged.len()
        ))
    };
    if damaged.is_empty() && unreadable.is_empty() { printed } else { Exit::Failed }
}

fn model_line(cached: &Cached) -> String {
    let text = |key: &str| cached.model[key].as_str().unwrap_or("?").to_owned();
    let age = cached.last_used.map_or_else(|| "?".to_owned(), age);
    format!(
        "{} {} ({}): {} in {} segments, last used {age}",
        text("name"),
        text("revision"),
        text("dtype"),
        ByteSize(cached.bytes),
        cached.segments
    )
}

fn model_json(cached: &Cached) -> Value {
    json!({
        "folder": cached.folder,
        "model": cached.model,
        "segments": cached.segments,
        "bytes": cached.bytes,
        "last_used": seconds(cached.last_used),
    })
}

fn seconds(time: Option<SystemTime>) -> Option<u64> {
    Some(time?.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs())
}

fn age(used: SystemTime) -> String {
    match calendar::since(used).as_secs() / 3600 {
        0 => "within the hour".to_owned(),
        hours @ 1..48 => format!("{hours} hours ago"),
        hours => format!("{} days ago", hours / 24),
    }
}
