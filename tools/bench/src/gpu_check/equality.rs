//! Every architecture: this device beside the processor, and beside transformers on the same device.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::findings::{Finding, Findings, GpuFault, Verdict};
use super::ground::Ground;
use super::pack::copy_all;
use super::rows::{Answer, Distance, Job, OURS, Rows, THEIRS};

/// Name of the part.
pub const PART: &str = "equality";
/// Largest difference in float32, in proportion to the row's largest number where that is more than 1.
pub const SAME: f64 = 1e-5;
/// Smallest cosine of rows in bf16 to those in float32.
pub const ALIKE: f64 = 0.9995;
/// Tokens of a pair for cross-encoders, as the script that made them has it.
const PAIR: usize = 40;
/// Models that transformers only runs with code or packages of others; the rows that these gave lie beside them.
const WITH_CODE_OF_OTHERS: [&str; 6] =
    ["gte-own", "laser", "nomic-bert", "qwen3-reranker", "t5-pieces", "xlm-roberta-pieces"];
/// By how much more than transformers a network may lose in bf16: additions in another order are rounded in other places.
const TWICE: f64 = 2.0;
/// What is no model of its own.
const NO_MODELS: [&str; 1] = ["sgpt"];

/// The runs of which the rows are compared: on which side, on which device, in which number format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Run {
    Ours,
    OursOnProcessor,
    OursInBf16,
    Theirs,
    TheirsInBf16,
}

/// Compares all tiny models.
pub fn equality(ground: &Ground, findings: &mut Findings) -> Result<(), GpuFault> {
    let names = names(ground)?;
    let mut found = BTreeMap::new();
    let mut runs = vec![Run::Ours];
    if ground.options.on_gpu() {
        runs.push(Run::OursOnProcessor);
    }
    runs.extend([Run::Theirs, Run::OursInBf16, Run::TheirsInBf16]);
    for (ours, limit) in [(true, 120), (false, 180)] {
        let runs: Vec<Run> = runs.iter().filter(|run| run.is_ours() == ours).copied().collect();
        let jobs: Vec<Job> =
            runs.iter().flat_map(|run| names.iter().map(move |name| job(ground, name, *run))).collect();
        let (answers, _) = if ours { ground.ours(&jobs, limit)? } else { ground.theirs(&jobs, limit)? };
        let keys = runs.iter().flat_map(|run| names.iter().map(move |name| (name.clone(), *run)));
        found.extend(keys.zip(jobs.into_iter().zip(answers)));
    }
    findings.0.push(blindness(ground)?);
    for name in &names {
        let rows = |run: Run| found.get(&(name.clone(), run)).map(|(job, answer)| read(job, run, answer));
        findings.0.push(finding(ground, name, &rows));
        if let Some(finding) = findings.0.last() {
            eprintln!("{}: {PART}, {name}: {}", finding.verdict.word(), finding.found);
        }
    }
    Ok(())
}

/// A model with other numbers must not pass for the one that it was made from: a comparison that sees nothing is found out.
fn blindness(ground: &Ground) -> Result<Finding, GpuFault> {
    let (source, changed) = (ground.golden.join("models/bert"), ground.work.join("changed"));
    copy_all(&source, &changed).map_err(|error| format!("{}: {error}", changed.display()))?;
    let weights = changed.join("model.safetensors");
    let fault = |error: std::io::Error| format!("{}: {error}", weights.display());
    let mut bytes = fs::read(&weights).map_err(fault)?;
    // The highest byte of every sixteenth number: another sign, another size.
    let begin = bytes.len() / 2;
    bytes[begin..].iter_mut().skip(63 - begin % 64).step_by(64).for_each(|byte| *byte ^= 0x81);
    fs::write(&weights, bytes).map_err(fault)?;
    let rows = ground.work.join("changed.f32");
    let job = Job {
        device: ground.options.device.clone(),
        ..Job::of_rows("changed", &changed, &ground.golden.join("texts.json"), &rows)
    };
    let (answers, _) = ground.ours(std::slice::from_ref(&job), 60)?;
    let found = answers
        .first()
        .map_or_else(|| Err("no answer".to_owned()), |answer| read(&job, Run::Ours, answer))?;
    let expected = Rows::of_safetensors(&source.join("expected.safetensors"), "rows")?;
    let Distance { difference, .. } = found.distance(&expected)?;
    Ok(Finding {
        part: PART,
        what: "bert with other numbers".to_owned(),
        expected: format!("other rows, > {SAME:.0e}"),
        found: format!("{difference:.1e} apart"),
        figures: json!({ "difference": difference }),
        verdict: Verdict::of(difference > SAME),
    })
}

impl Run {
    fn is_ours(self) -> bool {
        matches!(self, Self::Ours | Self::OursOnProcessor | Self::OursInBf16)
    }
}

fn names(ground: &Ground) -> Result<Vec<String>, String> {
    let folder = ground.golden.join("models");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !NO_MODELS.contains(&name.as_str())).collect();
    names.sort();
    Ok(names)
}

fn job(ground: &Ground, name: &str, run: Run) -> Job {
    let folder: PathBuf = ground.golden.join("models").join(name);
    let rows = ground.work.join(format!("{name}-{}.f32", run as u8));
    let on_processor = run == Run::OursOnProcessor;
    let in_bf16 = matches!(run, Run::OursInBf16 | Run::TheirsInBf16);
    Job {
        device: if on_processor { "cpu".to_owned() } else { ground.options.device.clone() },
        dtype: if in_bf16 { "bf16" } else { "f32" }.to_owned(),
        pairs: (name.starts_with("cross-") || name.ends_with("-reranker")).then_some(PAIR),
        batches: vec![8],
        ..Job::of_rows(name, &folder, &ground.golden.join("texts.json"), &rows)
    }
}

fn read(job: &Job, run: Run, answer: &Answer) -> Result<Rows, String> {
    match (&answer.error, job.rows_of(if run.is_ours() { OURS } else { THEIRS })) {
        (Some(error), _) => Err(error.clone()),
        (None, Some(path)) => Rows::read(&path, answer.width),
        (None, None) => Err("expected rows, found none".to_owned()),
    }
}

/// Rows of a model from a run, if it was run.
type RowsOf<'a> = &'a dyn Fn(Run) -> Option<Result<Rows, String>>;

fn finding(ground: &Ground, name: &str, rows: RowsOf<'_>) -> Finding {
    let (mut said, mut figures, mut faults) = (Vec::new(), BTreeMap::new(), Vec::new());
    let mut note = |key: &'static str, found: Result<Distance, String>, is_bf16: bool| match found {
        Ok(Distance { difference, cosine }) => {
            let (text, holds, value) = if is_bf16 {
                (format!("{key} {cosine:.6}"), cosine >= ALIKE, cosine)
            } else {
                (format!("{key} {difference:.1e}"), difference <= SAME, difference)
            };
            said.push(text);
            figures.insert(key, json!(value));
            holds
        }
        Err(error) => {
            faults.push(format!("{key}: {error}"));
            true
        }
    };
    let mut holds = true;
    let ours = rows(Run::Ours).unwrap_or_else(|| Err("not run".to_owned()));
    let distance = |other: Result<Rows, String>| ours.clone()?.distance(&other?);
    if let Some(processor) = rows(Run::OursOnProcessor) {
        holds &= note("processor", distance(processor), false);
    }
    let kept = if rows_are_scores(name) { "scores" } else { "rows" };
    let kept =
        Rows::of_safetensors(&ground.golden.join("models").join(name).join("expected.safetensors"), kept);
    holds &= note("kept rows", distance(kept), false);
    let with_others = WITH_CODE_OF_OTHERS.contains(&name);
    if !with_others {
        let theirs = rows(Run::Theirs).unwrap_or_else(|| Err("not run".to_owned()));
        holds &= note("transformers", distance(theirs), false);
    }
    // A processor that only emulates bf16 is refused, which is right.
    let in_bf16 = rows(Run::OursInBf16).filter(|found| !is_refused(found));
    if let Some(in_bf16) = in_bf16 {
        let of = |found: Result<Rows, String>| found?.distance(ours.as_ref().map_err(Clone::clone)?);
        let own = of(in_bf16);
        let theirs = rows(Run::TheirsInBf16).filter(|_| !with_others).map(of);
        // A tiny network may lose more in this format, whoever computes it.
        let format_loses =
            theirs.as_ref().and_then(|found| found.as_ref().ok()).map_or(1.0, |found| found.cosine);
        let as_good = own.as_ref().is_ok_and(|own| is_as_good(own.cosine, format_loses));
        holds &= note("bf16, cosine", own, true) || as_good;
        if let Some(Ok(theirs)) = theirs {
            note("of transformers in bf16", Ok(theirs), true);
        }
    }
    let verdict = Verdict::of(holds && faults.is_empty());
    said.extend(faults);
    Finding {
        part: PART,
        what: name.to_owned(),
        expected: format!(
            "float32 ≤ {SAME:.0e}; bf16 ≥ {ALIKE}, or at most {TWICE} times as far as transformers"
        ),
        found: said.join("; "),
        figures: json!(figures),
        verdict,
    }
}

fn rows_are_scores(name: &str) -> bool {
    name.starts_with("cross-") || name.ends_with("-reranker")
}

fn is_refused(found: &Result<Rows, String>) -> bool {
    found.as_ref().is_err_and(|error| error.contains("which it emulates"))
}

/// True if rows in bf16 lose at most twice as much as those of transformers, by their cosines to float32.
pub fn is_as_good(own: f64, theirs: f64) -> bool {
    1.0 - own <= TWICE * (1.0 - theirs)
}

/// How a part of the check says what a number format costs.
pub fn figures_of(distance: Distance) -> Value {
    json!({ "difference": distance.difference, "cosine": distance.cosine })
}
