//! Devices that are not there, that are shared, that are kept apart, and whose memory really runs out in the
//! middle of a batch.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::findings::{Findings, GpuFault, Verdict};
use super::ground::{Ground, HOST, PLUGIN};
use super::rows::{Answer, Distance, Job, OURS, Rows};
use super::runs::{HostRun, command, device_of, report, score, with_run};
use super::shapes::{WIDE, make, texts};

/// No device is visible, or libtorch has no CUDA.
pub const ABSENT: &str = "no device";

/// Two workers on one device.
pub const SHARED: &str = "two workers";

/// Identity and cache.
pub const APART: &str = "identity and cache";

/// Largest difference of the scores of the same rows: two runs may batch texts in another order.
const SAME_SCORE: f64 = 1e-5;

/// Seconds that a run of the host may take.
const LIMIT: u64 = 90;

/// Asks for a GPU where none is visible, and of a libtorch that has no CUDA.
pub fn check_absent(ground: &Ground, model: &Path, findings: &mut Findings) -> Result<(), GpuFault> {
    let run = HostRun { model, device: "cuda", results: "results-absent", cache: "cache-absent", more: &[] };
    let ended = ground.clock.run(command(ground, &run).env("CUDA_VISIBLE_DEVICES", ""), LIMIT)?;
    let wanted = ["expected a CUDA device", "expected a libtorch with CUDA"];
    let holds = !ended.status.success() && wanted.iter().any(|begin| ended.errors.contains(begin));
    let holds = holds && ended.errors.contains("run with `--device cpu`");
    findings.add(
        ABSENT,
        "`--device cuda` where `CUDA_VISIBLE_DEVICES` hides all",
        ("refused with what to do", ended.last_words()),
        json!({"seconds": ended.seconds}),
        Verdict::of(holds),
    );
    let run = HostRun { device: "auto", ..run };
    let ended = ground.clock.run(command(ground, &run).env("CUDA_VISIBLE_DEVICES", ""), LIMIT)?;
    let device = report(&ended).map(|report| device_of(&report));
    let found = device.as_ref().map_or_else(
        |_| ended.last_words(),
        |device| format!("computed on {}", device.as_deref().unwrap_or("no device")),
    );
    findings.add(
        ABSENT,
        "`--device auto` where `CUDA_VISIBLE_DEVICES` hides all",
        ("computed on the processor", found),
        json!({"seconds": ended.seconds}),
        Verdict::of(device.is_ok_and(|device| device.as_deref() == Some("cpu"))),
    );
    check_without_cuda(ground, model, findings)
}

/// The same libtorch less its part for GPUs.
fn check_without_cuda(ground: &Ground, model: &Path, findings: &mut Findings) -> Result<(), GpuFault> {
    let packages = Path::new(ground.machine["packages"].as_str().unwrap_or_default());
    let folder = ground.work.join("without-cuda");
    let libraries = folder.join("libtorch/torch/lib");
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&libraries).map_err(fault)?;
    for entry in fs::read_dir(packages.join("torch/lib")).map_err(fault)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let wanted =
            ["libtorch.", "libtorch_cpu.", "libc10.", "libgomp"].iter().any(|begin| name.starts_with(begin));
        if wanted && entry.path().is_file() {
            // A link to the file would lead back to the folder that has CUDA.
            let target = libraries.join(&name);
            fs::hard_link(entry.path(), &target)
                .or_else(|_| fs::copy(entry.path(), &target).map(|_| ()))
                .map_err(fault)?;
        }
    }
    if packages.join("nvidia").is_dir() {
        std::os::unix::fs::symlink(packages.join("nvidia"), folder.join("libtorch/nvidia")).map_err(fault)?;
    }
    for name in [HOST, PLUGIN] {
        fs::copy(ground.built.join(name), folder.join(name)).map_err(fault)?;
    }
    let run = HostRun { model, device: "cuda", results: "results-absent", cache: "cache-absent", more: &[] };
    let mut host = ground.host_at(&folder);
    with_run(&mut host, ground, &run);
    let ended = ground.clock.run(&mut host, LIMIT)?;
    let holds = !ended.status.success()
        && ended.errors.contains("expected a libtorch with CUDA for `--device cuda`, found one without in ");
    findings.add(
        ABSENT,
        "`--device cuda` of a libtorch without CUDA",
        ("refused with what to do", ended.last_words()),
        json!({"seconds": ended.seconds}),
        Verdict::of(holds),
    );
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}

/// Runs two hosts at the same time, and one alone.
pub fn check_shared(ground: &Ground, model: &Path, findings: &mut Findings) -> Result<(), GpuFault> {
    let device = ground.options.device.as_str();
    let names =
        [("results-alone", "cache-alone"), ("results-left", "cache-left"), ("results-right", "cache-right")];
    let runs = names.map(|(results, cache)| HostRun { model, device, results, cache, more: &[] });
    let alone = report(&ground.clock.run(&mut command(ground, &runs[0]), LIMIT)?)?;
    let left = ground.clock.start(&mut command(ground, &runs[1]))?;
    let right = ground.clock.start(&mut command(ground, &runs[2]))?;
    let (left, right) = (ground.clock.finish(left, LIMIT)?, ground.clock.finish(right, LIMIT)?);
    let scores = [
        Some(score(&alone)),
        report(&left).ok().map(|left| score(&left)),
        report(&right).ok().map(|right| score(&right)),
    ];
    let scores: Vec<Option<f64>> = scores.into_iter().map(Option::flatten).collect();
    let known: Vec<f64> = scores.iter().flatten().copied().collect();
    let spread = known.iter().fold(0.0_f64, |spread, score| spread.max((score - known[0]).abs()));
    let failed = [&left, &right].into_iter().find(|ended| !ended.status.success());
    let found = failed.map_or_else(|| format!("scores {spread:.1e} apart"), super::clock::Ended::last_words);
    findings.add(
        SHARED,
        format!("two runs at once on {device}"),
        (format!("the score of a run alone, ≤ {SAME_SCORE:.0e}"), found),
        json!({"scores": scores, "seconds": [left.seconds, right.seconds]}),
        Verdict::of(known.len() == 3 && spread <= SAME_SCORE),
    );
    Ok(())
}

/// Runs on two devices, or, where there is one, in two number formats, with one cache and one folder of results.
pub fn check_apart(ground: &Ground, model: &Path, findings: &mut Findings) -> Result<(), GpuFault> {
    let device = ground.options.device.as_str();
    let run = |device: &str, more: &[&str]| -> Result<Value, GpuFault> {
        let run = HostRun { model, device, results: "results-apart", cache: "cache-apart", more };
        report(&ground.clock.run(&mut command(ground, &run), LIMIT)?)
    };
    let encoded = |report: &Value| report["texts"]["encoded"].as_u64().unwrap_or(0);
    let state =
        |report: &Value| report["tasks"][0]["units"][0]["state"].as_str().unwrap_or("none").to_owned();
    let first = run(device, &[])?;
    let kind = device.split(':').next().unwrap_or(device);
    let named = device_of(&first);
    findings.add(
        APART,
        "the result names the device",
        (kind, named.clone().unwrap_or_else(|| "none".to_owned())),
        Value::Null,
        Verdict::of(named.as_deref() == Some(kind)),
    );
    let again = run(device, &["--overwrite", "always"])?;
    findings.add(
        APART,
        "the same device again",
        ("no text encoded", format!("{} texts encoded, {} before", encoded(&again), encoded(&first))),
        json!({"first": encoded(&first), "again": encoded(&again)}),
        Verdict::of(encoded(&first) > 0 && encoded(&again) == 0),
    );
    if !ground.options.on_gpu() {
        let what = "another device with the cache and results of this one";
        findings.add(APART, what, ("encoded anew", "there is one device"), Value::Null, Verdict::LeftOut);
        return Ok(());
    }
    let other = run("cpu", &[])?;
    findings.add(
        APART,
        "the processor with the cache and results of the GPU",
        ("scored anew, all texts encoded", format!("{}, {} texts encoded", state(&other), encoded(&other))),
        json!({"first": encoded(&first), "other": encoded(&other)}),
        Verdict::of(encoded(&other) == encoded(&first) && state(&other) == "scored"),
    );
    Ok(())
}

/// Name of the part.
pub const SHORTAGE: &str = "memory";

/// What the plugin says when it halves a batch.
const HALVED: &str = "memory ran out with ";

/// Bytes left on a GPU, from much to little, beside what the driver and the libraries take.
const LEFT_ON_GPU: [u64; 4] = [3 << 30, 2 << 30, 1400 << 20, 1 << 30];

/// Bytes that the process may have beside those that it holds, on a processor.
const LEFT_ON_PROCESSOR: [u64; 5] = [192 << 20, 128 << 20, 96 << 20, 64 << 20, 48 << 20];

/// Times that a process may begin with so little: what its allocator has taken by then differs from run to run, and with some of
/// it gone not even one text fits.
const TRIES_ON_PROCESSOR: usize = 3;

/// Largest difference of rows of length 1 from batches of another size.
const SAME: f64 = 1e-5;

/// Encodes with all memory, then with less and less until a batch has to be halved: the rows are the same.
pub fn check_shortage(ground: &Ground, findings: &mut Findings) -> Result<(), GpuFault> {
    make(ground, &[WIDE], false)?;
    let rows = ground.work.join("shortage");
    let job = Job {
        device: ground.options.device.clone(),
        count: if ground.options.on_gpu() { 0 } else { WIDE.texts[1] },
        ..Job::of_rows("shortage", &WIDE.folder(ground), &texts(ground, 1), &rows)
    };
    let read = |answer: Option<&Answer>| -> Result<Rows, String> {
        let answer = answer.ok_or("no answer")?;
        if let Some(error) = &answer.error {
            return Err(error.clone());
        }
        Rows::read(&job.rows_of(OURS).ok_or("no rows")?, answer.width)
    };
    let expected = read(ground.ours(std::slice::from_ref(&job), 60)?.0.first())?;
    let levels: &[u64] = if ground.options.on_gpu() { &LEFT_ON_GPU } else { &LEFT_ON_PROCESSOR };
    for &left in levels {
        let mut tries = 1;
        let (found, halved) = loop {
            let (answers, said) = with_little(ground, &job, left)?;
            let found = read(answers.first()).and_then(|rows| rows.distance(&expected));
            if found.is_ok() || ground.options.on_gpu() || tries == TRIES_ON_PROCESSOR {
                break (found, said.matches(HALVED).count());
            }
            tries += 1;
        };
        let what = format!("{} MB left", left >> 20);
        match found {
            Ok(_) if halved == 0 => {}
            Ok(Distance { difference, .. }) => {
                let found = format!("{halved} batches halved; rows {difference:.1e} apart");
                let figures = json!({"left": left, "halved": halved, "difference": difference});
                let expected = format!("batches are halved and the rows stay, ≤ {SAME:.0e}");
                findings.add(SHORTAGE, what, (expected, found), figures, Verdict::of(difference <= SAME));
                return Ok(());
            }
            Err(error) => return Err(GpuFault::Failed(format!("{what}: {error}"))),
        }
    }
    Err(GpuFault::Failed("expected memory to run out, but every batch fitted".to_owned()))
}

fn with_little(ground: &Ground, job: &Job, left: u64) -> Result<(Vec<Answer>, String), GpuFault> {
    if !ground.options.on_gpu() {
        let job = Job { spare_memory: Some(left), ..job.clone() };
        let (answers, ended) = ground.ours(&[job], 60)?;
        return Ok((answers, ended.errors));
    }
    let number = ground.options.number();
    let mut occupier = ground.clock.start(ground.python().args(["occupy", number, &left.to_string()]))?;
    ground.clock.first_line(&mut occupier, 60)?;
    let ran = ground.ours(std::slice::from_ref(job), 60);
    ground.clock.finish(occupier, 20)?;
    ran.map(|(answers, ended)| (answers, ended.errors))
}
