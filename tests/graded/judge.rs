//! A judge of the tests, and what it leaves.

use std::fs;
use std::path::Path;

use mteb_host_tests::Run;
use serde_json::Value;

use super::provider::{Provider, score};
use super::{LAW, done, graded, lines};

pub const STORE: &str = "graded/judgements/reader.jsonl";

/// A folder with a pool of depth `depth`, and the card of a judge at `provider`.
pub fn prepared(provider: &Provider, depth: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["rank", "hashing", "bm25", "--task", LAW, "--quiet"]);
    done(folder.path(), &["pool", "--task", LAW, "--depth", &depth.to_string()]);
    card(folder.path(), &provider.address, 3);
    folder
}

/// The card `reader.toml` of a judge that is asked so often before a pair counts as failed.
pub fn card(folder: &Path, address: &str, attempts: u32) {
    let text = format!(
        "schema = 1\nname = \"reader\"\ntitle = \"a judge of the tests\"\nthreshold = 6.0\n\
         [endpoint]\nstyle = \"openai\"\nurl = \"{address}/v1\"\nmodel = \"m-1\"\n\
         [prompt]\nlanguage = \"en\"\nversion = 1\n\
         [prices]\ncurrency = \"USD\"\ninput = 10.0\ncached = 1.0\noutput = 100.0\n\
         [limits]\nconcurrency = 8\nattempts = {attempts}\nseconds = 1\n"
    );
    fs::write(folder.join("reader.toml"), text).unwrap();
}

pub fn judge(folder: &Path, arguments: &[&str]) -> Run {
    graded(folder, &[&["judge", "--judge", "reader.toml", "--quiet"], arguments].concat())
}

/// The judgements of the store, without its head.
pub fn judgements(folder: &Path) -> Vec<Value> {
    lines(&folder.join(STORE)).split_off(1)
}

/// The names of the pairs of the pool.
pub fn pairs(folder: &Path) -> Vec<String> {
    let pool = lines(&folder.join(format!("graded/pools/{LAW}/test/default.jsonl")));
    let mut pairs: Vec<String> =
        pool.iter().filter_map(|line| Some(line["pair"].as_str()?.to_owned())).collect();
    pairs.sort_unstable();
    pairs
}

/// Every pair of the pool stands in the store once, with the score that the provider gave.
pub fn assert_all_judged(folder: &Path, provider: &Provider) {
    let judged = judgements(folder);
    let mut found: Vec<String> =
        judged.iter().map(|line| line["pair"].as_str().unwrap().to_owned()).collect();
    found.sort_unstable();
    assert_eq!(found, pairs(folder));
    let mut scores: Vec<f64> = judged.iter().map(|line| line["score"].as_f64().unwrap()).collect();
    let mut expected: Vec<f64> = provider.answers().keys().map(|question| score(question)).collect();
    scores.sort_unstable_by(f64::total_cmp);
    expected.sort_unstable_by(f64::total_cmp);
    assert_eq!(scores, expected);
}
