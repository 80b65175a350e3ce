//! Makes graded tasks of the pool and the judgements under `graded/`, which is a folder as `mteb-host graded` leaves it.
//!
//! `graded/cards/<Task>Graded.toml` is the card of a task that has the corpus of `<Task>`, those of its queries that were pooled, and of each
//! reader, in a subset called by the reader, the scores. What a reader did not judge is not there. A query of which a reader calls no document
//! even slightly relevant is left out for that reader: no ranking of its documents would be better than another.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::{Value, json};

use crate::files::{Outcome, read, sorted, stem};
use crate::pack::Pack;

/// What the name of a graded task has behind that of the task whose texts it has.
const ENDING: &str = "Graded";

/// Adds every graded task.
pub fn put(pack: &mut Pack, root: &Path) -> Outcome<()> {
    let folder = root.join("graded");
    let readers = readers(&folder.join("judgements"))?;
    for card in sorted(&folder.join("cards"))? {
        let name = stem(&card);
        let fault = |expected: &str| format!("{}: expected {expected}", card.display());
        let task = name.strip_suffix(ENDING).ok_or_else(|| fault("a name that ends in `Graded`"))?;
        let text = read(&card)?;
        let revision = revision(&text).ok_or_else(|| fault("a `revision`"))?;
        let pool = lines(&folder.join("pools").join(task).join("test/default.jsonl"))?;
        let data = root.join("data").join(task);
        let queries = pooled(&data.join("queries.jsonl"), &pool)?;
        let mut files =
            vec![("corpus".to_owned(), read(&data.join("corpus.jsonl"))?), ("queries".to_owned(), queries)];
        for (reader, scores) in &readers {
            files.push((format!("qrels@{reader}"), judgements(&pool, scores)));
        }
        pack.add(&format!("{name}@{revision}"), text, files)?;
    }
    Ok(())
}

/// The readers by name, each with its scores by pair.
fn readers(folder: &Path) -> Outcome<Vec<(String, HashMap<String, f64>)>> {
    let stores = sorted(folder)?;
    let stores = stores.iter().filter(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    stores.map(|file| Ok((stem(file), scores(&lines(file)?)))).collect()
}

/// The first score of each pair.
fn scores(store: &[Value]) -> HashMap<String, f64> {
    let mut scores = HashMap::new();
    for line in store {
        if let (Some(pair), Some(score)) = (line["pair"].as_str(), line["score"].as_f64()) {
            scores.entry(pair.to_owned()).or_insert(score);
        }
    }
    scores
}

/// The lines of `file` whose query is in the pool, as they stand.
fn pooled(file: &Path, pool: &[Value]) -> Outcome<Vec<u8>> {
    let wanted: HashSet<&str> = pool.iter().filter_map(|line| line["query"].as_str()).collect();
    let text = String::from_utf8(read(file)?)?;
    let mut kept = String::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line)?;
        if row["_id"].as_str().is_some_and(|id| wanted.contains(id)) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    Ok(kept.into_bytes())
}

/// The judgements of a reader, in the order of the pool.
fn judgements(pool: &[Value], scores: &HashMap<String, f64>) -> Vec<u8> {
    let score = |line: &Value| scores.get(line["pair"].as_str()?).copied();
    let has_gain: HashSet<&str> = pool
        .iter()
        .filter(|line| score(line).is_some_and(|score| score > 0.0))
        .filter_map(|line| line["query"].as_str())
        .collect();
    let row = |line: &Value| {
        let query = line["query"].as_str().filter(|query| has_gain.contains(query))?;
        let row = json!({"query-id": query, "corpus-id": line["document"], "score": score(line)?});
        Some(format!("{row}\n"))
    };
    pool.iter().filter_map(row).collect::<String>().into_bytes()
}

fn lines(file: &Path) -> Outcome<Vec<Value>> {
    let text = String::from_utf8(read(file)?)?;
    let line = |(number, line): (usize, &str)| {
        let fault = |error| format!("{}, line {}: expected JSON: {error}", file.display(), number + 1);
        Ok(serde_json::from_str(line).map_err(fault)?)
    };
    text.lines().enumerate().map(line).collect()
}

fn revision(card: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(card).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix("revision = "))?;
    Some(value.trim_matches('"').to_owned())
}
