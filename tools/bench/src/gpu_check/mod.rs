//! `cargo xtask gpu-check`: what the plugin that links libtorch does on a GPU, beside transformers on the same one. It needs built files
//! and the PyTorch of the machine alone, ends within its budget, and rehearses itself on a processor.

mod clock;
mod devices;
mod encode;
mod equality;
mod findings;
mod ground;
mod options;
mod pack;
mod rows;
mod runs;
mod shapes;
mod speed;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};

use findings::{Findings, GpuFault, Verdict};
use ground::write;
use options::Options;
use shapes::{SMALL, make, texts};
use xtask::document::{machine, put_table};
use xtask_start::command::{root, target_folder};

pub use ground::Ground;
pub use rows::{Answer, Job};
pub use shapes::{make_long_texts, make_shape};

/// The shape of Qwen3-Embedding-0.6B.
pub const QWEN_600M: shapes::Shape = shapes::REAL[2];

/// Options of a check on the processor that writes into `folder`.
///
/// # Errors
/// Never: the arguments are right.
pub fn options(folder: &Path, budget: Duration) -> Result<Options, String> {
    let options = Options::parse(&["--device".to_owned(), "cpu".to_owned()], folder.to_owned())?;
    Ok(Options { budget, ..options })
}

const USAGE: &str = "\
usage: cargo xtask gpu-check [--device cuda|cuda:N|cpu] [--budget SECONDS] [--parts NAME,…] [--out DIR] [--python FILE]
                             [--binaries DIR] [--plugin FILE] [--golden DIR]
       cargo xtask gpu-check --pack [--out DIR] [--binaries DIR]
       cargo xtask gpu-check --table FILE.json

Looks at equality, memory, throughput, starts and devices; `--device cpu` rehearses it with small shapes. Writes gpu-check.json and
gpu-check.md into DIR (target/gpu-check). Ends with 1 if something is not as it must be, or nothing was looked at; an aim that is missed is said and no failure.
`--pack` puts what a machine without cargo needs into one file; `--table` takes the answer of another machine into docs/benchmarks.md.
Parts: no device, equality, two workers, identity and cache, memory, throughput (with start).";

/// The parts, in their order.
const PARTS: [&str; 6] =
    [devices::ABSENT, equality::PART, devices::SHARED, devices::APART, devices::SHORTAGE, speed::PART];

/// Seconds that must be left for a part to begin.
const LEAST: u64 = 20;

/// Checks, packs, or writes the table of a check.
pub fn gpu_check(arguments: &[String]) -> Result<ExitCode, String> {
    let out = target_folder().join("gpu-check");
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--help"] => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        ["encode", jobs] => encode::encode(jobs).map(|()| ExitCode::SUCCESS),
        ["--table", file] => put(Path::new(file)).map(|()| ExitCode::SUCCESS),
        ["--pack", ..] => pack::pack(&Options::parse(&arguments[1..], out)?).map(|()| ExitCode::SUCCESS),
        _ => {
            let options = Options::parse(arguments, out).and_then(of_known_parts);
            let options = options.map_err(|error| format!("{error}\n\n{USAGE}"))?;
            Ok(if check(options)?.hold() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
    }
}

/// The options, if all parts that they name are there.
fn of_known_parts(options: Options) -> Result<Options, String> {
    match options.parts.iter().find(|part| !PARTS.contains(&part.as_str())) {
        Some(part) => Err(format!("--parts: expected one of {}, found: {part}", PARTS.join(", "))),
        None => Ok(options),
    }
}

fn check(options: Options) -> Result<Findings, String> {
    fs::create_dir_all(&options.out).map_err(|error| format!("{}: {error}", options.out.display()))?;
    let ground = Ground::lay(options)?;
    let devices = ground.machine["devices"].as_array().map_or(0, Vec::len);
    if ground.options.on_gpu() && devices == 0 {
        return Err(format!(
            "expected a GPU that the PyTorch of {} sees, found none; `--device cpu` rehearses the check on the processor",
            ground.options.python.display()
        ));
    }
    let mut findings = Findings::default();
    look(&ground, &mut findings);
    let report = report(&ground, &findings);
    let out = &ground.options.out;
    write(&out.join("gpu-check.json"), &format!("{report:#}\n"))?;
    let page = findings::markdown(&report);
    write(&out.join("gpu-check.md"), &page)?;
    println!("{page}");
    let _ = fs::remove_dir_all(&ground.work);
    let count = |verdict| findings.count(verdict);
    println!(
        "{} passed, {} failed, {} aims missed, {} not reached, {} left out; {}",
        count(Verdict::Passed),
        count(Verdict::Failed),
        count(Verdict::Missed),
        count(Verdict::NotReached),
        count(Verdict::LeftOut),
        out.join("gpu-check.json").display()
    );
    Ok(findings)
}

/// Looks at all parts, what is quick and certain first.
fn look(ground: &Ground, findings: &mut Findings) {
    let shapes: &[shapes::Shape] = &SMALL;
    let model = shapes[0].folder(ground);
    let made = make(ground, shapes, true).and_then(|()| Ok(runs::make_task(ground, &texts(ground, 0))?));
    if let Err(fault) = made {
        findings.add_fault("models", "are made on the spot", fault);
        return;
    }
    type Part<'a> = (&'static str, &'a dyn Fn(&mut Findings) -> Result<(), GpuFault>);
    let parts: [Part<'_>; 5] = [
        (devices::ABSENT, &|findings| devices::check_absent(ground, &model, findings)),
        (equality::PART, &|findings| equality::equality(ground, findings)),
        (devices::SHARED, &|findings| devices::check_shared(ground, &model, findings)),
        (devices::APART, &|findings| devices::check_apart(ground, &model, findings)),
        (devices::SHORTAGE, &|findings| devices::check_shortage(ground, findings)),
    ];
    for (part, look) in parts.iter().filter(|(part, _)| ground.options.wants(part)) {
        if let Err(fault) = ground.clock.needs(LEAST).and_then(|()| look(findings)) {
            findings.add_fault(part, "as a whole", fault);
        }
    }
    if ground.options.wants(speed::PART) {
        speed::speed(ground, findings);
    }
}

fn report(ground: &Ground, findings: &Findings) -> Value {
    json!({
        "device": ground.options.device,
        "processor": machine(),
        "machine": ground.machine,
        "seconds": ground.clock.seconds(),
        "findings": findings.json(),
    })
}

fn put(file: &Path) -> Result<(), String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let report = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    put_table(&root().join("docs/benchmarks.md"), "gpu", &findings::markdown(&report))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_is_not_there_is_no_part() {
        let parts = |parts: &str| {
            let arguments = ["--parts", parts].map(str::to_owned);
            Options::parse(&arguments, "out".into())
                .and_then(of_known_parts)
                .map(|options| options.parts.len())
        };
        assert_eq!(parts("memory,two workers"), Ok(2));
        assert_eq!(
            parts("memory,identity").unwrap_err(),
            "--parts: expected one of no device, equality, two workers, identity and cache, memory, throughput, found: identity"
        );
    }
}
