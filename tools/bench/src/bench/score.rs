//! Scoring of a ranking that is there: 1,000 queries with 1,000 documents each, beside pytrec_eval on the same files.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{fs, io};

use crate::bench::environment::{largest, variable};
use crate::bench::sides::host_command as host;
use crate::measure::{Cost, measure};
use mteb_measures::random::SplitMix64;
use xtask::document::{machine, put_table};
use xtask_start::build::release;
use xtask_start::command::{root, target_folder};

const QUERIES: u64 = 1000;
const FOUND: u64 = 1000;
const DOCUMENTS: u64 = 20_000;

/// Runs of each side, in turns.
const RUNS: usize = 5;

const CARD: &str = "schema = 1\nname = \"MadeRanking\"\ntype = \"Retrieval\"\ndescription = \"Made for the benchmark.\"\n\
                    languages = [\"ind-Latn\"]\neval_splits = [\"test\"]\n\n[dataset]\npath = \"data\"\n";

/// Runs the benchmark and writes its table; a trial (`MTEB_LARGEST`, the number of runs) prints it alone.
pub fn score() -> Result<ExitCode, String> {
    release()?;
    let folder = target_folder().join("bench/score");
    write(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let trial = largest()?;
    for _ in 0..trial.unwrap_or(RUNS).clamp(1, RUNS) {
        let mut command = host();
        command.arg("score").arg("--rankings").arg(folder.join("run.trec")).args(["--task", "MadeRanking"]);
        ours.push(measure(command.arg("--registry").arg(folder.join("task.toml")).arg("--json"))?);
        let mut command = Command::new(variable("MTEB_PYTHON").unwrap_or_else(|| "python3".into()));
        theirs.push(measure(command.arg(root().join("tools/bench/scripts/score.py")).arg(&folder))?);
    }
    let text = markdown(&ours, &theirs);
    println!("{text}");
    if trial.is_none() {
        put_table(&root().join("docs/benchmarks.md"), "score", &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the task and its ranking: judgements of five documents a query, of which the ranking finds most.
fn write(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder.join("data/qrels"))?;
    fs::write(folder.join("task.toml"), CARD)?;
    let rows = |prefix: &str, count: u64| -> String {
        (0..count).map(|row| format!("{{\"_id\": \"{prefix}{row}\", \"text\": \"kata {row}\"}}\n")).collect()
    };
    fs::write(folder.join("data/corpus.jsonl"), rows("d", DOCUMENTS))?;
    fs::write(folder.join("data/queries.jsonl"), rows("q", QUERIES))?;
    let (mut qrels, mut run) = ("query-id\tcorpus-id\tscore\n".to_owned(), String::new());
    let mut random = SplitMix64::new(17);
    let mut below = |end: u64| random.below(end as usize) as u64;
    for query in 0..QUERIES {
        // A stride that has no common divisor with the number of documents meets each once.
        let (start, stride) = (below(DOCUMENTS), 7 + 10 * below(1000));
        let document = |place: u64| (start + place * stride) % DOCUMENTS;
        for block in 0..5 {
            let place = (5 * below(2 * FOUND / 5) + block) % (2 * FOUND);
            let _ = writeln!(qrels, "q{query}\td{}\t1", document(place));
        }
        for place in 0..FOUND {
            let score = (FOUND - place) as f64 + below(1000) as f64 / 1000.0;
            let _ = writeln!(run, "q{query} Q0 d{} {} {score} made", document(place), place + 1);
        }
    }
    fs::write(folder.join("data/qrels/test.tsv"), qrels)?;
    fs::write(folder.join("run.trec"), run)
}

fn markdown(ours: &[Cost], theirs: &[Cost]) -> String {
    let mut text = format!(
        "Machine: {}. {QUERIES} queries × {FOUND} documents, {} runs a side, in turns.\n\n\
         | side | seconds, the middle one (lowest – highest) | processor, s | times ours |\n|---|---:|---:|---:|\n",
        machine(),
        ours.len()
    );
    let own = Cost::middle(ours).seconds;
    for (name, costs) in [("mteb-host score", ours), ("pytrec_eval", theirs)] {
        let middle = Cost::middle(costs);
        let (low, high) = costs.iter().fold((f64::INFINITY, 0.0f64), |(low, high), cost| {
            (low.min(cost.seconds), high.max(cost.seconds))
        });
        let _ = writeln!(
            text,
            "| {name} | {:.2} ({low:.2} – {high:.2}) | {:.2} | {:.1} |",
            middle.seconds,
            middle.processor,
            middle.seconds / own
        );
    }
    text
}
