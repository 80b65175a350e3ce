//! Loading a big model, and long texts, beside sentence-transformers: a model of the shape of Qwen3-Embedding-0.6B with random
//! weights, in bf16 on the disk, its files in the system's cache.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use mteb_system::machine::computes;

use crate::bench::environment::largest;
use crate::gpu_check::{Answer, Ground, Job, QWEN_600M, make_long_texts, make_shape, options};
use crate::measure::middle;
use xtask::document::{machine, put_table};
use xtask::torch;
use xtask_start::build::TORCH;
use xtask_start::command::{root, target_folder};

/// Runs of each side, in turns; the middle one counts.
const ROUNDS: usize = 3;
/// Seconds that one run may take.
const LIMIT: u64 = 600;
/// Tokens of a long text.
const LONG: usize = 8192;
/// Bytes of a number.
const WIDTHS: [(&str, f64); 2] = [("f32", 4.0), ("bf16", 2.0)];

/// Runs the benchmark and writes its table; a trial (`MTEB_LARGEST`) leaves the long texts out and prints its table alone.
pub fn load() -> Result<ExitCode, String> {
    let is_trial = largest()?.is_some();
    torch::run(&["build", "--release", "--package", TORCH])?;
    let folder = target_folder().join("bench/load");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let ground = Ground::lay_with_plugin(options(&folder, Duration::from_secs(24 * 3600))?)?;
    let made = make_shape(&ground, &QWEN_600M).map_err(|fault| format!("{fault:?}"))?;
    let texts = make_long_texts(&ground, LONG)?;
    let mut text = format!(
        "Machine: {}. {:.2} thousand million numbers, {:.2} GB on the disk. {ROUNDS} runs of each, in turns; the middle one.\n\n\
         | number format | what | times as fast | mteb-host, s (lowest – highest) | sentence-transformers, s (lowest – highest) | mteb-host, most memory: bytes of the weights | sentence-transformers |\n\
         |---|---|---:|---:|---:|---:|---:|\n",
        machine(),
        made.parameters / 1e9,
        made.bytes / 1e9
    );
    let formats = if computes("bf16") { &WIDTHS[..] } else { &WIDTHS[..1] };
    for (format, width) in formats {
        let kinds =
            [("load, one short text", &texts[0], 1), ("load, one text of 8,192 tokens", &texts[1], 1)];
        for (what, texts, count) in kinds.into_iter().take(if is_trial { 1 } else { 2 }) {
            let mut sides = [Vec::new(), Vec::new()];
            for _ in 0..ROUNDS {
                for (side, answers) in sides.iter_mut().enumerate() {
                    answers.push(run(&ground, side, texts, (format, count))?);
                }
            }
            text += &row((format, what), &sides, made.parameters * width);
        }
    }
    println!("{text}");
    let _ = fs::remove_dir_all(&ground.work);
    if is_trial {
        return Ok(ExitCode::SUCCESS);
    }
    put_table(&root().join("docs/benchmarks.md"), "load", &text)?;
    Ok(ExitCode::SUCCESS)
}

fn run(ground: &Ground, side: usize, texts: &Path, (format, count): (&str, usize)) -> Result<Answer, String> {
    let job = Job {
        dtype: format.to_owned(),
        rows: None,
        count,
        ..Job::of_rows("load", &QWEN_600M.folder(ground), texts, texts)
    };
    let jobs = std::slice::from_ref(&job);
    let answers = if side == 0 { ground.ours(jobs, LIMIT) } else { ground.theirs(jobs, LIMIT) };
    let (answers, _) = answers.map_err(|fault| format!("{fault:?}"))?;
    match answers.into_iter().next() {
        Some(answer) => answer.error.clone().map_or(Ok(answer), Err),
        None => Err("expected an answer, found none".to_owned()),
    }
}

/// Seconds to open the model and to encode the first text, and the most memory in proportion to that of the weights.
fn row((format, what): (&str, &str), sides: &[Vec<Answer>; 2], bytes: f64) -> String {
    let seconds =
        |answers: &[Answer]| answers.iter().map(|answer| answer.open + answer.first).collect::<Vec<_>>();
    let [ours, theirs] = sides.each_ref().map(|answers| seconds(answers));
    let shown = |seconds: &[f64]| {
        let (low, high) =
            seconds.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), one| (low.min(*one), high.max(*one)));
        format!("{:.2} ({low:.2} – {high:.2})", middle(seconds.iter().copied()))
    };
    let memory = |answers: &[Answer]| {
        let peaks = answers.iter().filter_map(|answer| answer.peak).map(|peak| peak as f64 / bytes);
        format!("{:.2}", middle(peaks))
    };
    let ratio = middle(theirs.iter().copied()) / middle(ours.iter().copied());
    format!(
        "| {format} | {what} | {ratio:.1} | {} | {} | {} | {} |\n",
        shown(&ours),
        shown(&theirs),
        memory(&sides[0]),
        memory(&sides[1])
    )
}
