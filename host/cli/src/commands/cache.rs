//! `mteb-host cache`: what the caches of embeddings, of parsed rows and of lists of files hold.

use std::path::PathBuf;
use std::time::SystemTime;

use clap::{Args, Subcommand};
use mteb_base::byte_size::ByteSize;
use mteb_base::calendar;
use mteb_cache::{Cached, Verified};
use mteb_hub::KeptLists;
use mteb_report::grid::Grid;
use mteb_report::output::{fields_grid, rows_grid};
use mteb_workers::settings::{Roots, Settings};
use serde_json::{Value, json};

use super::arguments::{FormatArgs, PlaceArgs};
use super::discover::discover_if_trusting;
use crate::exit::Exit;
use crate::output;

/// Arguments of `cache`.
#[derive(Args, Debug)]
pub struct CacheArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show which models' embeddings, how many parsed data files and how many file listings are
    /// cached, and their sizes.
    Info(ShowArgs),
    /// Remove all cached embeddings, parsed rows and file listings. Downloaded data files are kept.
    Clear(ShowArgs),
    /// Read the whole cache and remove damaged entries; the exit code is 1 if there were any.
    Verify(ShowArgs),
}

#[derive(Args, Debug)]
struct ShowArgs {
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl CacheArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.action {
            Action::Info(args) => info(&args.roots(), args.format),
            Action::Clear(args) => clear(&args.roots(), args.format),
            Action::Verify(args) => verify(&args.roots(), args.format),
        }
    }
}

impl ShowArgs {
    fn roots(&self) -> Roots {
        let settings = self.place.settings();
        discover_if_trusting(&settings);
        Roots::below(&settings.cache_dir)
    }
}

/// How much the cache holds.
pub fn embeddings_line(settings: &Settings) -> String {
    let models = mteb_cache::info(&Roots::below(&settings.cache_dir).embeddings);
    let total: u64 = models.iter().map(|cached| cached.bytes).sum();
    let models = output::count(models.len(), "model");
    format!("{} of {models} (`mteb-host cache verify` reads and checks all)", ByteSize(total))
}

fn info(roots: &Roots, format: FormatArgs) -> Exit {
    let models = mteb_cache::info(&roots.embeddings);
    let tables = mteb_cache::tables_info(&roots.tables);
    let lists = KeptLists::below(&roots.lists);
    let total: u64 = models.iter().map(|cached| cached.bytes).sum();
    let answer = || {
        let models: Vec<Value> = models.iter().map(model_json).collect();
        let tables = json!({
            "folder": roots.tables.to_string_lossy(),
            "files": tables.files,
            "bytes": tables.bytes,
            "last_used": to_seconds(tables.last_used),
        });
        let folder = roots.embeddings.to_string_lossy();
        let lists =
            json!({ "folder": roots.lists.to_string_lossy(), "lists": lists.lists, "bytes": lists.bytes });
        json!({ "folder": folder, "bytes": total, "models": models, "tables": tables, "lists": lists })
    };
    if let Some(exit) = format.print(answer, info_grid) {
        return exit;
    }
    let mut lines: Vec<String> = models.iter().map(model_line).collect();
    lines.push(format!("{} in {}", ByteSize(total), roots.embeddings.display()));
    lines.push(format!(
        "{} of {} parsed data files in {}",
        ByteSize(tables.bytes),
        tables.files,
        roots.tables.display()
    ));
    lines.push(format!(
        "{} of {} of files of the hub in {}",
        ByteSize(lists.bytes),
        output::count(lists.lists, "list"),
        roots.lists.display()
    ));
    output::print_prose(&lines.join("\n"))
}

/// A row for the embeddings of each model, for all parsed rows and for all lists.
fn info_grid(answer: &Value) -> Grid {
    let with_kind = |kind: &str, row: &Value| {
        let mut row = row.clone();
        row["kind"] = kind.into();
        row
    };
    let models = answer["models"].as_array().into_iter().flatten();
    let mut rows: Vec<Value> = models.map(|row| with_kind("embeddings", row)).collect();
    rows.push(with_kind("parsed rows", &answer["tables"]));
    rows.push(with_kind("lists of files", &answer["lists"]));
    rows_grid(&[], &rows.into())
}

fn clear(roots: &Roots, format: FormatArgs) -> Exit {
    let removals = [
        (&roots.embeddings, "embeddings", mteb_cache::clear(&roots.embeddings)),
        (&roots.tables, "parsed rows", mteb_cache::clear_tables(&roots.tables)),
        (&roots.lists, "lists of files", KeptLists::clear(&roots.lists).map(|lists| lists.bytes)),
    ];
    let (all, mut removed) = (removals.len(), Vec::new());
    for (folder, what, removal) in removals {
        match removal {
            Ok(bytes) => removed.push((folder, bytes)),
            Err(error) => output::error(format!("{}: cannot remove the {what}: {error}", folder.display())),
        }
    }
    let answer = || {
        let bytes: u64 = removed.iter().map(|(_, bytes)| bytes).sum();
        json!({ "folder": roots.embeddings.to_string_lossy(), "removed_bytes": bytes })
    };
    let exit = format.print(answer, fields_grid).unwrap_or_else(|| {
        let line = |(folder, bytes): &(&PathBuf, u64)| {
            format!("{} removed from {}", ByteSize(*bytes), folder.display())
        };
        output::print(&removed.iter().map(line).collect::<Vec<_>>().join("\n"))
    });
    if removed.len() == all { exit } else { Exit::Failed }
}

fn verify(roots: &Roots, format: FormatArgs) -> Exit {
    let embeddings = mteb_cache::verify(&roots.embeddings);
    let tables = mteb_cache::verify_tables(&roots.tables);
    let faults = |of: fn(&Verified) -> &Vec<(PathBuf, String)>| {
        of(&embeddings).iter().chain(of(&tables)).cloned().collect::<Vec<_>>()
    };
    let (damaged, unreadable) = (faults(|found| &found.damaged), faults(|found| &found.unreadable));
    for (path, reason) in &damaged {
        output::error(format!("{}: removed because it is damaged: {reason}", path.display()));
    }
    for (path, reason) in &unreadable {
        output::error(format!("{}: {reason}", path.display()));
    }
    let answer = || {
        let files = |faults: &[(PathBuf, String)]| -> Vec<Value> {
            let file = |(path, reason): &(PathBuf, String)| json!({ "file": path.to_string_lossy(), "reason": reason });
            faults.iter().map(file).collect()
        };
        json!({
            "folder": roots.embeddings.to_string_lossy(),
            "sound_segments": embeddings.sound,
            "rows": embeddings.rows,
            "sound_tables": tables.sound,
            "table_rows": tables.rows,
            "damaged": files(&damaged),
            "unreadable": files(&unreadable),
        })
    };
    let printed = format.print(answer, fields_grid).unwrap_or_else(|| {
        let (sound, rows) = (embeddings.sound, embeddings.rows);
        output::print(&format!(
            "{} with {} and {} with {} are intact, {} were damaged",
            output::count(sound, "segment"),
            output::count(rows, "row"),
            output::count(tables.sound, "parsed data file"),
            output::count(tables.rows, "row"),
            damaged.len()
        ))
    });
    if damaged.is_empty() && unreadable.is_empty() { printed } else { Exit::Failed }
}

fn model_line(cached: &Cached) -> String {
    let text = |key: &str| cached.model[key].as_str().unwrap_or("?").to_owned();
    let dtype = Some(text("dtype")).filter(|dtype| !dtype.is_empty());
    let dtype = dtype.map_or(String::new(), |dtype| format!(" ({dtype})"));
    let age = cached.last_used.map_or_else(|| "?".to_owned(), write_age);
    format!(
        "{} {}{dtype}: {} in {}, last used {age}",
        text("name"),
        text("revision"),
        ByteSize(cached.bytes),
        output::count(cached.segments, "segment")
    )
}

fn model_json(cached: &Cached) -> Value {
    json!({
        "folder": cached.folder.to_string_lossy(),
        "model": cached.model,
        "segments": cached.segments,
        "bytes": cached.bytes,
        "last_used": to_seconds(cached.last_used),
    })
}

fn to_seconds(time: Option<SystemTime>) -> Option<u64> {
    Some(time?.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs())
}

fn write_age(used: SystemTime) -> String {
    match calendar::since(used).as_secs() / 3600 {
        0 => "within the hour".to_owned(),
        hours @ 1..48 => format!("{hours} hours ago"),
        hours => format!("{} days ago", hours / 24),
    }
}
