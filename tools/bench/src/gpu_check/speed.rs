//! Texts a second beside sentence-transformers in the same number format, how busy the device is, and how long a start takes.

use std::fs;

use serde_json::{Value, json};

use super::equality::{ALIKE, SAME, figures_of, is_as_good};
use super::findings::{Findings, GpuFault, Verdict};
use super::ground::Ground;
use super::rows::{Answer, Job, OURS, Rows, THEIRS};
use super::shapes::{REAL, SMALL, Shape, TEXTS, make, texts};
use crate::measure::middle;

/// Name of the part.
pub const PART: &str = "throughput";
/// Name of the part that looks at starts.
pub const START: &str = "start";
/// Times sentence-transformers in bf16 that are aimed at.
const AIM: f64 = 2.0;
/// Rounds of either side.
const ROUNDS: usize = 3;
/// Texts of which the rows are compared.
const COMPARED: usize = 32;

/// Times all shapes; each is made before and removed behind.
pub fn speed(ground: &Ground, findings: &mut Findings) {
    let shapes: &[Shape] = if ground.options.on_gpu() { &REAL } else { &SMALL };
    for shape in shapes {
        let looked = ground.clock.needs(shape.needs).and_then(|()| one(ground, shape, findings));
        if let Err(fault) = looked {
            findings.add_fault(PART, shape.name, fault);
        }
        let _ = fs::remove_dir_all(shape.folder(ground));
    }
}

fn one(ground: &Ground, shape: &Shape, findings: &mut Findings) -> Result<(), GpuFault> {
    make(ground, &[*shape], false)?;
    let jobs = jobs(ground, shape);
    let sampler = if ground.options.on_gpu() {
        Some(ground.clock.start(ground.python().args(["sample", ground.options.number()]))?)
    } else {
        None
    };
    let (ours, _) = ground.ours(&jobs, 150)?;
    let samples = sampler.map(|sampler| ground.clock.finish(sampler, 10)).transpose()?;
    let samples = samples.map(|ended| ended.output).unwrap_or_default();
    let (theirs, _) = ground.theirs(&jobs, 240)?;
    for (job, (ours, theirs)) in jobs.iter().zip(ours.iter().zip(&theirs)) {
        if job.times > 0 {
            time_job(shape, job, ours, theirs, &samples, findings);
        }
    }
    compare_rows(shape, &jobs, &ours, &theirs, findings);
    let [ours, theirs] =
        [&ours, &theirs].map(|answers| answers.first().map_or(0.0, |first| first.since_start));
    if ours > 0.0 && theirs > 0.0 {
        let figures = json!({"mteb-host": ours, "sentence-transformers": theirs, "ratio": theirs / ours});
        let found = format!("{:.1} times: {ours:.2} s, sentence-transformers {theirs:.2} s", theirs / ours);
        findings.add(
            START,
            format!("{}: from the start to the first row", shape.name),
            ("sooner than sentence-transformers", found),
            figures,
            Verdict::of_aim(ours < theirs),
        );
    }
    Ok(())
}

/// The rows come first: the first job of all is the start.
fn jobs(ground: &Ground, shape: &Shape) -> Vec<Job> {
    let mut jobs = Vec::new();
    let formats: &[&str] = if shape.formats == ["bf16"] { &["bf16", "f32"] } else { shape.formats };
    for format in formats {
        let folder = shape.folder(ground);
        let job = |kind: usize, what: &str| Job {
            device: ground.options.device.clone(),
            dtype: (*format).to_owned(),
            rows: None,
            ..Job::of_rows(format!("{what} {format} {kind}"), &folder, &texts(ground, kind), &folder)
        };
        let rows = ground.work.join(format!("{}-{format}", shape.name));
        jobs.push(Job { rows: Some(rows), count: COMPARED, ..job(1, "rows") });
        if shape.formats.contains(format) {
            let batches = if ground.options.on_gpu() { vec![32, 256] } else { vec![32] };
            jobs.extend([0, 1].map(|kind| Job {
                times: ROUNDS,
                count: shape.texts[kind],
                batches: batches.clone(),
                ..job(kind, "time")
            }));
        }
    }
    jobs
}

fn time_job(
    shape: &Shape,
    job: &Job,
    ours: &Answer,
    theirs: &Answer,
    samples: &str,
    findings: &mut Findings,
) {
    let kind = if job.id.ends_with('0') { TEXTS[0] } else { TEXTS[1] };
    let what = format!("{}, {} {kind} texts, {}", shape.name, job.count, job.dtype);
    if let Some(error) = ours.error.as_ref().or(theirs.error.as_ref()) {
        findings.add_fault(PART, &what, GpuFault::Failed(error.clone()));
        return;
    }
    let rate = |answer: &Answer| job.count as f64 / middle(answer.seconds.iter().copied());
    let (our_rate, their_rate) = (rate(ours), rate(theirs));
    let ratio = our_rate / their_rate;
    let spread = |answer: &Answer| {
        let rates = || answer.seconds.iter().map(|seconds| job.count as f64 / seconds);
        [rates().fold(f64::INFINITY, f64::min), rates().fold(0.0, f64::max)]
    };
    let busy = ours.rounds.and_then(|rounds| mean_of_samples(samples, rounds)).or(ours.processor_share);
    let figures = json!({
        "ratio": ratio, "mteb-host": our_rate, "sentence-transformers": their_rate, "batch": theirs.batch,
        "spread": {"mteb-host": spread(ours), "sentence-transformers": spread(theirs)}, "busy": busy,
        "format": job.dtype, "texts": kind, "shape": shape.name, "count": job.count,
    });
    let busy = busy.map_or_else(String::new, |busy| format!("; busy {:.0} %", 100.0 * busy));
    let found =
        format!("{ratio:.1} times: {our_rate:.0} texts/s, sentence-transformers {their_rate:.0}{busy}");
    let aim = if job.dtype == "bf16" { AIM } else { 1.0 };
    findings.add(PART, what, (format!("≥ {aim} times"), found), figures, Verdict::of_aim(ratio >= aim));
}

/// Rows of either side, beside ours in float32 on the same device.
fn compare_rows(shape: &Shape, jobs: &[Job], ours: &[Answer], theirs: &[Answer], findings: &mut Findings) {
    let of = |answers: &[Answer], format: &str, side: &str| -> Result<Rows, String> {
        let place = jobs.iter().position(|job| job.rows.is_some() && job.dtype == format);
        let answer = place.and_then(|place| answers.get(place)).ok_or("not run")?;
        let path = place.and_then(|place| jobs[place].rows_of(side)).ok_or("no rows")?;
        match &answer.error {
            Some(error) => Err(error.clone()),
            None => Rows::read(&path, answer.width),
        }
    };
    let formats: Vec<&str> =
        jobs.iter().filter(|job| job.rows.is_some()).map(|job| job.dtype.as_str()).collect();
    for format in formats {
        let what = format!("{}, {format}", shape.name);
        let pair = of(ours, format, OURS)
            .and_then(|own| Ok((own, of(theirs, format, THEIRS)?, of(ours, "f32", OURS)?)));
        let distances = pair.and_then(|(own, theirs, exact)| {
            Ok((own.distance(&theirs)?, own.distance(&exact)?, theirs.distance(&exact)?))
        });
        match distances {
            Err(error) => findings.add_fault(super::equality::PART, &what, GpuFault::Failed(error)),
            Ok((apart, own, their)) => {
                let is_f32 = format == "f32";
                let holds = if is_f32 {
                    apart.difference <= SAME
                } else {
                    own.cosine >= ALIKE || is_as_good(own.cosine, their.cosine)
                };
                let expected = if is_f32 {
                    format!("transformers' rows, ≤ {SAME:.0e}")
                } else {
                    format!("cosine to float32 ≥ {ALIKE}, or at most twice as far as transformers")
                };
                let found = if is_f32 {
                    format!("transformers {:.1e}", apart.difference)
                } else {
                    format!("cosine {:.6}; of transformers {:.6}", own.cosine, their.cosine)
                };
                let figures = json!({"transformers": figures_of(apart), "to float32": figures_of(own)});
                findings.add(super::equality::PART, what, (expected, found), figures, Verdict::of(holds));
            }
        }
    }
}

/// Mean of the samples between two moments, as a share.
fn mean_of_samples(samples: &str, [begin, end]: [f64; 2]) -> Option<f64> {
    let values = samples.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let values = values.filter_map(|sample| Some((sample["at"].as_f64()?, sample["busy"].as_f64()?)));
    let within: Vec<f64> =
        values.filter(|(at, _)| (begin..=end).contains(at)).map(|(_, busy)| busy).collect();
    (!within.is_empty()).then(|| within.iter().sum::<f64>() / within.len() as f64 / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_samples_of_the_rounds_count() {
        let samples = "{\"at\": 1.0, \"busy\": 0}\n{\"at\": 2.0, \"busy\": 80}\nno sample\n{\"at\": 3.0, \"busy\": 100}\n";
        assert_eq!(mean_of_samples(samples, [1.5, 3.5]), Some(0.9));
        assert_eq!(mean_of_samples(samples, [5.0, 6.0]), None);
    }
}
