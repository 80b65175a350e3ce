//! Judging at scale beside a plain load generator, against one endpoint on this machine that answers after a fixed time.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use mteb_graded::PairId;
use mteb_graded::judge::{Language, Question, body, parse_card, prompt};
use mteb_graded::pool::{Pool, PoolPair, Provenance, write_pool};
use mteb_graded::store::read_store;
use serde_json::json;

use super::endpoint::{SlowEndpoint, wide};
use super::sides::host_command;
use crate::measure::middle;
use xtask::document::{machine, put_table};
use xtask_start::command::{root, run_cargo, target_folder};

/// Queries, documents of each, calls at once, milliseconds of an answer.
const SIZE: [usize; 4] = [1000, 100, 1024, 50];

/// Times each side runs, in turns.
const ROUNDS: usize = 3;

/// Runs the benchmark and writes its table.
pub fn judge() -> Result<ExitCode, String> {
    run_cargo(&["build", "--release", "--package", "mteb-host"])?;
    let [queries, documents, at_once, pause] = SIZE;
    let folder = target_folder().join("bench/judge");
    let _ = fs::remove_dir_all(&folder);
    let file = |name: &str| folder.join(name);
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, error))?;
    let pool = made_pool(queries, documents);
    write_pool(&file("graded/pools/Made/test/default.jsonl"), &pool).map_err(|error| error.to_string())?;
    let reply = reply().to_string();
    fs::write(file("reply.json"), reply).map_err(|error| failed(&folder, error))?;
    let endpoint = SlowEndpoint::start(&file("reply.json"), pause)?;
    let card = card(&endpoint.address, at_once);
    fs::write(file("reader.toml"), &card).map_err(|error| failed(&folder, error))?;
    fs::write(file("body.json"), question(&card, &pool)?).map_err(|error| failed(&folder, error))?;
    let (mut ours, mut plain) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        plain.push(endpoint.load(queries * documents, at_once, &file("body.json"))?);
        ours.push(host(&folder, pool.pairs.len())?);
    }
    let (ours, plain) = (middle(ours.into_iter()), middle(plain.into_iter()));
    let text = markdown(ours, plain, pool.pairs.len());
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "judge", &text)?;
    Ok(ExitCode::SUCCESS)
}

fn markdown(ours: f64, plain: f64, pairs: usize) -> String {
    let [_, _, at_once, pause] = SIZE;
    let row = |side: &str, seconds: f64| {
        format!(
            "| {side} | {seconds:.2} | {:.0} | {:.0} % |\n",
            pairs as f64 / seconds,
            100.0 * plain / seconds
        )
    };
    format!(
        "Machine: {}, which the endpoint shares. {pairs} pairs, {at_once} calls at once, {pause} ms an answer; the middle one of {ROUNDS} runs \
         in turns.\n\n| side | seconds | answers a second | of the plain generator |\n|---|---:|---:|---:|\n{}{}",
        machine(),
        row("plain load generator", plain),
        row("mteb-host graded judge", ours)
    )
}

/// Seconds of the whole command, from the pool to a store that holds every pair.
fn host(folder: &Path, pairs: usize) -> Result<f64, String> {
    let store = folder.join("graded/judgements/reader.jsonl");
    let _ = fs::remove_file(&store);
    let mut command = wide(&host_command());
    command.args(["graded", "judge", "--judge", "reader.toml", "--quiet"]).current_dir(folder);
    let begin = Instant::now();
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let seconds = begin.elapsed().as_secs_f64();
    if !output.status.success() {
        return Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let found = read_store(&store).map_err(|error| error.to_string())?.judgements.len();
    if found == pairs { Ok(seconds) } else { Err(format!("expected {pairs} judgements, found {found}")) }
}

fn card(address: &str, at_once: usize) -> String {
    format!(
        "schema = 1\nname = \"reader\"\ntitle = \"an endpoint of the benchmark\"\nthreshold = 6.0\n\
         [endpoint]\nstyle = \"openai\"\nurl = \"{address}/v1\"\nmodel = \"m\"\n\
         [prompt]\nlanguage = \"en\"\nversion = 1\n[limits]\nconcurrency = {at_once}\n"
    )
}

/// A body as the host sends it, for the load generator to send too.
fn question(card: &str, pool: &Pool) -> Result<String, String> {
    let card = parse_card("reader.toml", card).map_err(|error| error.to_string())?;
    let prompt = prompt(Language::En, 1).ok_or("expected the first English prompt")?;
    let (query, document) = pool.texts(&pool.pairs[0]);
    let limit = card.endpoint.reply_limit();
    Ok(body(&card, &prompt, Question { query, document }, limit).to_string())
}

fn reply() -> serde_json::Value {
    let text =
        json!({"reasoning": "It answers a part of what was asked, and leaves out when.", "score": 6.5})
            .to_string();
    json!({
        "model": "m",
        "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 800, "completion_tokens": 30, "prompt_tokens_details": {"cached_tokens": 600}},
    })
}

/// Documents of about a hundred words, each of its own query.
fn made_pool(queries: usize, documents: usize) -> Pool {
    const WORDS: [&str; 12] = [
        "pasar", "hujan", "surat", "kapal", "guru", "sawah", "jalan", "dokter", "buku", "kota", "laut",
        "rumah",
    ];
    let text = |seed: usize| -> String {
        let words: Vec<&str> =
            (0..100).map(|word| WORDS[(seed * 7 + word * word + word * seed) % 12]).collect();
        words.join(" ")
    };
    let mut pool = Pool {
        provenance: Provenance {
            task: "Made".to_owned(),
            split: "test".to_owned(),
            depth: documents,
            ..Provenance::default()
        },
        queries: (0..queries).map(|query| (format!("q{query:05}"), format!("query {query}"))).collect(),
        documents: (0..documents * 10).map(|number| (format!("d{number:05}"), text(number))).collect(),
        pairs: Vec::new(),
    };
    pool.provenance.subset = "default".to_owned();
    for query in 0..queries {
        for document in 0..documents {
            let (query, document) =
                (format!("q{query:05}"), format!("d{:05}", (query * 3 + document) % (documents * 10)));
            let pair = PairId::new((&query, &pool.queries[&query]), (&document, &pool.documents[&document]));
            pool.pairs.push(PoolPair { pair, query, document });
        }
    }
    pool
}
