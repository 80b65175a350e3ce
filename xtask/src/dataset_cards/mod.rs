//! The dataset cards of the Indonesian pack: metadata that the hub reads, provenance, facts and reference, made from the task cards, from `mteb-host stats`
//! and from the gate of data.

mod facts;
mod front;
mod words;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use rayon::prelude::*;
use serde_json::Value;

use crate::build::WITHOUT_TORCH;
use crate::command::{root, run_cargo, target_folder};
use facts::Facts;
use words::{ENGLISH, INDONESIAN, Words};

/// The registries whose tasks are those of the pack, and whether their data has to be without faults: readers who gave grades gave
/// some queries no document that is relevant.
const REGISTRIES: [(&str, bool); 2] = [("indonesia", true), ("indonesia-graded", false)];

/// Writes metadata, provenance, facts and reference into every dataset card.
pub fn write() -> Result<ExitCode, String> {
    for (path, text) in cards()? {
        fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails if a dataset card does not hold the facts of its task card and data.
pub fn check() -> Result<(), String> {
    for (path, text) in cards()? {
        if fs::read_to_string(&path).unwrap_or_default() != text {
            return Err(format!("{} does not match its data; run `cargo xtask cards`", path.display()));
        }
    }
    Ok(())
}

/// Path and text of every dataset card, its facts made again and its prose as it is.
fn cards() -> Result<Vec<(PathBuf, String)>, String> {
    build()?;
    let mut cards = Vec::new();
    for (registry, is_held) in REGISTRIES {
        cards.extend(cards_of(registry, is_held)?);
    }
    Ok(cards)
}

fn cards_of(registry: &str, is_held: bool) -> Result<Vec<(PathBuf, String)>, String> {
    let tasks = host_json(&["list", "tasks", "--registry", registry, "--json"])?;
    let gate = ["validate", "--data", registry, "--json"];
    let gate = if is_held { host_json(&gate)? } else { host_json_with(&[0, 1], &gate)? };
    // Each of them waits for the host more than for anything here.
    let cards: Vec<_> = tasks
        .as_array()
        .into_par_iter()
        .flatten()
        .map(|task| cards_of_task(registry, task, &gate))
        .collect::<Result<_, _>>()?;
    Ok(cards.into_iter().flatten().collect())
}

/// The cards of one task, of each language one.
fn cards_of_task(registry: &str, task: &Value, gate: &Value) -> Result<Vec<(PathBuf, String)>, String> {
    let name = task["name"].as_str().unwrap_or_default();
    let shown = host_json(&["show", "task", name, "--registry", registry, "--json"])?;
    let stats = host_json(&["stats", name, "--registry", registry, "--json"])?;
    let artefacts = facts::of(gate, name);
    let facts = Facts { task, card: &shown["card"], stats: &stats, artefacts: &artefacts };
    let card = |words: &Words, ending: &str| {
        let path = root().join("indonesia/datasets").join(format!("{name}.{ending}"));
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let own = [
            facts::paragraph(task, facts.card, words),
            facts.markdown(words),
            format!("\n{}", front::bibtex(&facts)),
        ];
        let text = replace_block(front::without(&text), &own.concat())
            .ok_or_else(|| format!("{}: expected a title in the first line", path.display()))?;
        Ok((path, front::matter(&facts) + &text))
    };
    [(&ENGLISH, "md"), (&INDONESIAN, "id.md")]
        .map(|(words, ending)| card(words, ending))
        .into_iter()
        .collect()
}

/// Builds what the tests build too, with the features that their examples ask for, so that nothing is built twice.
fn build() -> Result<(), String> {
    run_cargo(&[&["build", "--quiet"], &WITHOUT_TORCH[..], &["--lib", "--bins", "--examples"]].concat())
}

/// Runs the host with the pack beside it, and reads what it prints.
fn host_json(args: &[&str]) -> Result<Value, String> {
    host_json_with(&[0], args)
}

/// The same, where the host may end with any of `codes`.
fn host_json_with(codes: &[i32], args: &[&str]) -> Result<Value, String> {
    let folder = target_folder().join("debug");
    let mut command = Command::new(folder.join("mteb-host"));
    command.args(args);
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if !output.status.code().is_some_and(|code| codes.contains(&code)) {
        return Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("{command:?}: no JSON: {error}"))
}

const START: &str = "<!-- facts, written by `cargo xtask cards` -->";
const END: &str = "<!-- end of facts -->";

/// `text` with `facts` between the marks, which are put below the title if they are not there; `None` without a title.
fn replace_block(text: &str, facts: &str) -> Option<String> {
    let block = format!("{START}\n{}\n{END}\n", facts.trim_end());
    if let (Some(start), Some(end)) = (text.find(START), text.find(END)) {
        let rest = text[end + END.len()..].trim_start_matches('\n');
        return Some(format!("{}{block}\n{rest}", text.get(..start)?));
    }
    let (title, rest) = text.split_once('\n')?;
    title.starts_with("# ").then(|| format!("{title}\n\n{block}\n{}", rest.trim_start_matches('\n')))
}
