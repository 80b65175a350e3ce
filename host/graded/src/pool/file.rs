//! The file of a pool: JSON lines, of which the first says what it was taken from, then texts of
//! queries, texts of documents, and pairs; everything in it can be checked by it alone. And what a
//! pool has that an earlier one has not.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Pool, PoolPair, Provenance};
use crate::files::write;
use crate::{GradedError, PairId};

/// The schema that is written and read.
const SCHEMA: u32 = 1;

/// Most bytes of a pool.
const LARGEST: u64 = 8 << 30;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    /// Schema of a pool's file.
    pool: u32,
    version: String,
    pairs: usize,
    from: Provenance,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Pair(PoolPair),
    Query { query: String, text: String },
    Document { document: String, text: String },
}

/// Writes a pool.
///
/// # Errors
/// If it cannot be written; what was there before is then still there.
pub fn write_pool(path: &Path, pool: &Pool) -> Result<(), GradedError> {
    let from = pool.provenance.clone();
    let head = Head { pool: SCHEMA, version: pool.version(), pairs: pool.pairs.len(), from };
    let mut text = String::new();
    let mut failed = push(&mut text, &head).err();
    let owned = |(id, text): (&String, &String)| (id.clone(), text.clone());
    let queries = pool.queries.iter().map(owned).map(|(query, text)| Line::Query { query, text });
    let documents =
        pool.documents.iter().map(owned).map(|(document, text)| Line::Document { document, text });
    let pairs = pool.pairs.iter().cloned().map(Line::Pair);
    for line in queries.chain(documents).chain(pairs) {
        failed = failed.or(push(&mut text, &line).err());
    }
    match failed {
        Some(error) => Err(GradedError::file(path, "write", error.into())),
        None => write(path, text.as_bytes()),
    }
}

fn push(text: &mut String, line: &impl Serialize) -> serde_json::Result<()> {
    text.push_str(&serde_json::to_string(line)?);
    text.push('\n');
    Ok(())
}

/// Reads a pool, and checks that its version and the names of its pairs are those of its texts.
///
/// # Errors
/// If it cannot be read, or something in it is not what it must be.
pub fn read_pool(path: &Path) -> Result<Pool, GradedError> {
    let text = mteb_files::read_to_string(path, LARGEST);
    let text = text.map_err(|error| GradedError::file(path, "read", error))?;
    let name = path.display().to_string();
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default();
    let Ok(head) = serde_json::from_str::<Head>(head) else {
        return Err(fault(&name, 1, &format!("the head of a pool of schema {SCHEMA}"), head));
    };
    if head.pool != SCHEMA {
        return Err(fault(&name, 1, &format!("a pool of schema {SCHEMA}"), &head.pool.to_string()));
    }
    let mut pool = Pool {
        provenance: head.from,
        queries: BTreeMap::new(),
        documents: BTreeMap::new(),
        pairs: Vec::new(),
    };
    for (number, line) in (2..).zip(lines) {
        match serde_json::from_str(line) {
            Ok(Line::Query { query, text }) => drop(pool.queries.insert(query, text)),
            Ok(Line::Document { document, text }) => drop(pool.documents.insert(document, text)),
            Ok(Line::Pair(pair)) => {
                check(&pool, &pair).map_err(|(expected, found)| fault(&name, number, &expected, &found))?;
                pool.pairs.push(pair);
            }
            Err(_) => return Err(fault(&name, number, "a text or a pair as JSON", line)),
        }
    }
    if pool.pairs.len() != head.pairs {
        let found = pool.pairs.len();
        return Err(GradedError::fault(name, format!("{} pairs, as its head says", head.pairs), found));
    }
    let version = pool.version();
    if version != head.version {
        return Err(GradedError::fault(name, format!("pairs of version {}", head.version), version));
    }
    Ok(pool)
}

/// What was expected and found where a pair is not what its texts say.
fn check(pool: &Pool, pair: &PoolPair) -> Result<(), (String, String)> {
    let query = pool.queries.get(&pair.query);
    let query =
        query.ok_or_else(|| ("the text of a query before its pairs".to_owned(), pair.query.clone()))?;
    let document = pool.documents.get(&pair.document);
    let document = document
        .ok_or_else(|| ("the text of a document before its pairs".to_owned(), pair.document.clone()))?;
    let name = PairId::new((&pair.query, query), (&pair.document, document));
    if name == pair.pair {
        return Ok(());
    }
    Err((format!("pair {name}, as its texts have it"), pair.pair.to_string()))
}

fn fault(name: &str, line: usize, expected: &str, found: &str) -> GradedError {
    let found: String = found.chars().take(80).collect();
    GradedError::fault(format!("{name}, line {line}"), expected, found)
}

/// The pairs of `pool` that `earlier` lacks: what is left to be judged when an embedder comes in.
pub fn added<'a>(pool: &'a Pool, earlier: &Pool) -> Vec<&'a PoolPair> {
    let known: HashSet<PairId> = earlier.pairs.iter().map(|pair| pair.pair).collect();
    pool.pairs.iter().filter(|pair| !known.contains(&pair.pair)).collect()
}

/// Writes a list of pairs: JSON lines.
///
/// # Errors
/// If it cannot be written; what was there before is then still there.
pub fn write_pairs(path: &Path, pairs: &[PoolPair]) -> Result<(), GradedError> {
    let lines: Result<Vec<String>, _> = pairs.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|error| GradedError::file(path, "write", error.into()))?;
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    write(path, text.as_bytes())
}
