//! `mteb-host cache`: what the cache of embeddings holds; and how `run` opens it.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::PlaceArgs;
use crate::byte_size::ByteSize;
use crate::cache::{self, Cached, EmbeddingCache, ModelIdentity};
use crate::calendar;
use crate::exit::Exit;
use crate::output;
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
    /// Say which models' embeddings are kept, and how many bytes they take.
    Info(ShowArgs),
    /// Remove all embeddings.
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
    /// Neither read embeddings from the disk nor keep them there; within the run a text is still encoded once, as far as
    /// `--cache-memory` reaches.
    #[arg(long)]
    no_cache: bool,
    /// Most bytes that the embeddings of all models may take; those unused for the longest time go first (K, M, G,
    /// T: powers of 1,024).
    #[arg(long, value_name = "SIZE", default_value = "20G")]
    cache_size: ByteSize,
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
            return Some(EmbeddingCache::open(&root(settings), identity, self.cache_size));
        }
        (self.cache_memory.0 > 0).then(|| EmbeddingCache::in_memory(identity, self.cache_memory))
    }
}

impl CacheArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.action {
            Action::Info(args) => info(&root(&args.place.settings()), args.json),
            Action::Clear(args) => clear(&root(&args.place.settings()), args.json),
            Action::Verify(args) => verify(&root(&args.place.settings()), args.json),
        }
    }
}

/// The folder of embeddings; its last part is the version of their form.
fn root(settings: &Settings) -> PathBuf {
    settings.cache_dir.join("embeddings").join("v1")
}

/// How much the cache holds.
pub fn embeddings_line(settings: &Settings) -> String {
    let models = cache::info(&root(settings));
    let total: u64 = models.iter().map(|cached| cached.bytes).sum();
    format!("{} of {} models (`mteb-host cache verify` reads and checks all)", ByteSize(total), models.len())
}

fn info(root: &Path, as_json: bool) -> Exit {
    let models = cache::info(root);
    let total: u64 = models.iter().map(|cached| cached.bytes).sum();
    if as_json {
        let models: Vec<Value> = models.iter().map(model_json).collect();
        return output::print_json(&json!({ "folder": root, "bytes": total, "models": models }));
    }
    let mut lines: Vec<String> = models.iter().map(model_line).collect();
    lines.push(format!("{} in {}", ByteSize(total), root.display()));
    output::print(&lines.join("\n"))
}

fn clear(root: &Path, as_json: bool) -> Exit {
    match cache::clear(root) {
        Ok(bytes) if as_json => output::print_json(&json!({ "folder": root, "removed_bytes": bytes })),
        Ok(bytes) => output::print(&format!("{} removed from {}", ByteSize(bytes), root.display())),
        Err(error) => {
            output::error(format!("{}: cannot remove the embeddings: {error}", root.display()));
            Exit::Failed
        }
    }
}

fn verify(root: &Path, as_json: bool) -> Exit {
    let verified = cache::verify(root);
    for (path, reason) in &verified.damaged {
        output::error(format!("{}: removed, for it is damaged: {reason}", path.display()));
    }
    for (path, reason) in &verified.unreadable {
        output::error(format!("{}: {reason}", path.display()));
    }
    let printed = if as_json {
        let files = |faults: &[(PathBuf, String)]| -> Vec<Value> {
            faults.iter().map(|(path, reason)| json!({ "file": path, "reason": reason })).collect()
        };
        output::print_json(&json!({
            "folder": root,
            "sound_segments": verified.sound,
            "rows": verified.rows,
            "damaged": files(&verified.damaged),
            "unreadable": files(&verified.unreadable),
        }))
    } else {
        let (sound, rows, damaged) = (verified.sound, verified.rows, verified.damaged.len());
        output::print(&format!("{sound} segments with {rows} rows are sound, {damaged} were damaged"))
    };
    let sound = verified.damaged.is_empty() && verified.unreadable.is_empty();
    if sound { printed } else { Exit::Failed }
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
    let last_used = cached.last_used.and_then(|used| used.duration_since(SystemTime::UNIX_EPOCH).ok());
    json!({
        "folder": cached.folder,
        "model": cached.model,
        "segments": cached.segments,
        "bytes": cached.bytes,
        "last_used": last_used.map(|used| used.as_secs()),
    })
}

fn age(used: SystemTime) -> String {
    match calendar::since(used).as_secs() / 3600 {
        0 => "within the hour".to_owned(),
        hours @ 1..48 => format!("{hours} hours ago"),
        hours => format!("{} days ago", hours / 24),
    }
}
