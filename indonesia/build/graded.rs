//! Makes graded tasks of the pool and the judgements under `graded/`, which is a folder as `mteb-host graded` leaves it.
//!
//! `graded/cards/<Task>Graded.toml` is the card of a task that has the corpus of `<Task>`, those of its queries that were pooled, and of each
//! reader, in a subset called by the reader, the scores. What a reader did not judge is not there. A query of which a reader calls no document
//! even slightly relevant is left out for that reader: no ranking of its documents would be better than another.
//!
//! What is searched is what was judged: a task of revision `graded-N` has the texts of the edition `judged-N` of the pack, or the present ones
//! where there is no such edition, and the build fails where a text of the pool is another one there.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::pack::{Outcome, Pack, list_files, read_data, read_file, stem};

/// What the name of a graded task has behind that of the task whose texts it has.
const ENDING: &str = "Graded";

/// Adds every graded task.
pub fn put(pack: &mut Pack, root: &Path) -> Outcome<()> {
    let folder = root.join("graded");
    let readers = readers(&folder.join("judgements"))?;
    for card in list_files(&folder.join("cards"))? {
        let name = stem(&card);
        let fault = |expected: &str| format!("{}: expected {expected}", card.display());
        let task = name.strip_suffix(ENDING).ok_or_else(|| fault("a name that ends in `Graded`"))?;
        let text = read_file(&card)?;
        let revision = revision(&text).ok_or_else(|| fault("a `revision`"))?;
        let pool = lines(&folder.join("pools").join(task).join("test"), "default")?;
        let data = texts(root, task, &revision);
        check_texts(&pool, &data)?;
        let queries = select_pooled(&data, &pool)?;
        let mut files =
            vec![("corpus".to_owned(), read_data(&data, "corpus")?), ("queries".to_owned(), queries)];
        for (reader, scores) in &readers {
            files.push((format!("qrels@{reader}"), judgements(&pool, scores)));
        }
        pack.add(&format!("{name}@{revision}"), text, files)?;
    }
    Ok(())
}

/// The folder with the texts of `task` that the judgements of `revision` are of.
fn texts(root: &Path, task: &str, revision: &str) -> PathBuf {
    let edition = root.join("editions").join(revision.replace("graded-", "judged-"));
    let judged = edition.join("data").join(task);
    if judged.is_dir() { judged } else { root.join("data").join(task) }
}

/// Fails where a query or a document has another text in `data` than its readers read.
fn check_texts(pool: &[Value], data: &Path) -> Outcome<()> {
    let of = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let mut texts = HashMap::new();
    for row in lines(data, "corpus")? {
        let text = format!("{} {}", of(&row, "title"), of(&row, "text"));
        texts.insert(("document", of(&row, "_id")), text.trim().to_owned());
    }
    for row in lines(data, "queries")? {
        texts.insert(("query", of(&row, "_id")), of(&row, "text"));
    }
    for line in pool.iter().filter(|line| line["text"].is_string()) {
        let kind = if line["document"].is_string() { "document" } else { "query" };
        let id = of(line, kind);
        if texts.get(&(kind, id.clone())) != Some(&of(line, "text")) {
            let message = format!("expected the {kind} {id} as its readers read it, found another text");
            let help = "keep the texts as they were in an edition `judged-N`";
            return Err(format!("{}: {message}; {help}", data.display()).into());
        }
    }
    Ok(())
}

/// The readers by name, each with its scores by pair.
fn readers(folder: &Path) -> Outcome<Vec<(String, HashMap<String, f64>)>> {
    let stores = list_files(folder)?;
    let stores = stores.iter().filter(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    stores.map(|file| Ok((stem(file), scores(&lines(folder, &stem(file))?)))).collect()
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

/// The lines of the queries in the folder `data` that are in the pool, as they stand.
fn select_pooled(data: &Path, pool: &[Value]) -> Outcome<Vec<u8>> {
    let wanted: HashSet<&str> = pool.iter().filter_map(|line| line["query"].as_str()).collect();
    let text = String::from_utf8(read_data(data, "queries")?)?;
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

/// The lines of the data file `name` in `folder`.
fn lines(folder: &Path, name: &str) -> Outcome<Vec<Value>> {
    let text = String::from_utf8(read_data(folder, name)?)?;
    let line = |(number, line): (usize, &str)| {
        let place = folder.join(name);
        let fault = |error| format!("{}, line {}: expected JSON: {error}", place.display(), number + 1);
        Ok(serde_json::from_str(line).map_err(fault)?)
    };
    text.lines().enumerate().map(line).collect()
}

fn revision(card: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(card).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix("revision = "))?;
    Some(value.trim_matches('"').to_owned())
}
