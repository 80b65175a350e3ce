//! What a click on the page of a thousand models takes, from the click to the page as it is laid out, in a real browser.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::{Value, json};

use crate::measure::middle;
use xtask::document::{machine, put_table};
use xtask_start::command::{root, run_cargo, target_folder};

const MODELS: usize = 1_000;
/// Tasks of as many types as MTEB(eng, v1) has.
const TASKS: usize = 56;
const TYPES: [&str; 7] =
    ["Retrieval", "Classification", "Clustering", "STS", "Reranking", "PairClassification", "Summarization"];

const BROWSER: &str = "/usr/bin/chromium";
const CLICKS: &str = include_str!("page/clicks.js");
/// What the measured milliseconds stand between in the page when it is read back.
const MARKS: [&str; 2] = ["<pre id=\"measured\">", "</pre>"];

/// Runs the benchmark and writes its table.
pub fn page() -> Result<ExitCode, String> {
    // Only its page is measured: the program need not be fast.
    run_cargo(&["build", "--quiet", "--package", "mteb-host"])?;
    let folder = target_folder().join("bench/page");
    let page = made_page(&folder)?;
    let measured = measure_clicks(&page)?;
    let text = markdown(&measured)?;
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "page", &text)?;
    Ok(ExitCode::SUCCESS)
}

/// A page of made results, which measures itself when it is opened.
fn made_page(folder: &Path) -> Result<PathBuf, String> {
    let fault = |error: io::Error| format!("{}: {error}", folder.display());
    let _ = fs::remove_dir_all(folder);
    write_cards(folder).map_err(fault)?;
    (0..MODELS).try_for_each(|model| write_results(folder, model)).map_err(fault)?;
    let mut host = Command::new(target_folder().join("debug/mteb-host"));
    host.current_dir(folder).args([
        "report",
        "--registry",
        "made.toml",
        "--samples",
        "0",
        "--output",
        "page.html",
    ]);
    let run = host.output().map_err(fault)?;
    if !run.status.success() {
        return Err(String::from_utf8_lossy(&run.stderr).into_owned());
    }
    let path = folder.join("page.html");
    let html = fs::read_to_string(&path).map_err(fault)?;
    // The policy of the page allows no script but its own.
    let (before, policy) = html.split_once("<meta http-equiv=").ok_or("expected a policy on the page")?;
    let (_, after) = policy.split_once('>').ok_or("expected an end of the policy")?;
    fs::write(&path, format!("{before}{after}<script>{CLICKS}</script>")).map_err(fault)?;
    Ok(path)
}

fn task(number: usize) -> String {
    format!("TaskWithAnOrdinaryName{number}")
}

fn write_cards(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder.join("cards"))?;
    for number in 0..TASKS {
        let (name, kind) = (task(number), TYPES[number % TYPES.len()]);
        let card = format!(
            "schema = 1\nname = \"{name}\"\ntype = \"{kind}\"\ndescription = \"Made for a benchmark.\"\nlanguages = [\"eng-Latn\"]\n\
             [dataset]\npath = \"rows.jsonl\"\n"
        );
        fs::write(folder.join(format!("cards/{name}.toml")), card)?;
    }
    fs::write(folder.join("made.toml"), "schema = 1\nname = \"made\"\ncards = [\"cards\"]\n")
}

fn write_results(folder: &Path, model: usize) -> io::Result<()> {
    let own = folder.join(format!("results/m{model}/1"));
    fs::create_dir_all(&own)?;
    let name = format!("organisation-{}/a-model-of-usual-length-{model}-v2", model % 40);
    let meta = json!({ "name": name, "revision": "1", "n_parameters": 1e6 * (model + 1) as f64, "embed_dim": 256 << (model % 4) });
    fs::write(own.join("model_meta.json"), meta.to_string())?;
    for number in 0..TASKS {
        let score = 0.2 + ((model * 31 + number * 17) % 6_007) as f64 / 10_007.0;
        let entry = json!({ "hf_subset": "default", "languages": ["eng-Latn"], "main_score": score });
        let file = json!({
            "task_name": task(number), "dataset_revision": "r", "mteb_version": "2.0.0", "evaluation_time": 10.0,
            "scores": { "test": [entry] }
        });
        fs::write(own.join(format!("{}.json", task(number))), file.to_string())?;
    }
    Ok(())
}

/// The milliseconds of each click, by what is clicked.
fn measure_clicks(page: &Path) -> Result<Value, String> {
    let mut browser = Command::new(BROWSER);
    browser.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--window-size=1400,900",
    ]);
    browser.args(["--dump-dom", &format!("file://{}", page.display())]);
    let run = browser.output().map_err(|error| format!("{BROWSER}: {error}; `apt-get install chromium`"))?;
    let dom = String::from_utf8_lossy(&run.stdout);
    let [begin, end] = MARKS;
    let found = dom.rsplit_once(begin).and_then(|(_, rest)| rest.split_once(end));
    let (text, _) = found.ok_or_else(|| {
        format!("expected what was measured in the page, found: {}", String::from_utf8_lossy(&run.stderr))
    })?;
    serde_json::from_str(text).map_err(|error| format!("{text}: {error}"))
}

fn markdown(measured: &Value) -> Result<String, String> {
    let rows = measured.as_array().ok_or("expected a list of what was measured")?;
    let row = |row: &Value| {
        let times: Vec<f64> = row[1].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        let first = times.first().ok_or("expected milliseconds")?;
        let (middle, longest) = (middle(times.iter().copied()), times.iter().copied().fold(0.0, f64::max));
        let what = row[0].as_str().unwrap_or_default();
        Ok(format!("| {what} | {} | {first:.1} | {middle:.1} | {longest:.1} |\n", times.len()))
    };
    let rows: Result<String, String> = rows.iter().map(row).collect();
    Ok(format!(
        "Machine: {}. {MODELS} models, {TASKS} tasks of {} types, window of 1,400 × 900.\n\n\
         | click | times | first, ms | middle, ms | longest, ms |\n|---|---:|---:|---:|---:|\n{}",
        machine(),
        TYPES.len(),
        rows?
    ))
}
