//! Start-up and footprint: seconds and memory of commands that do little work, and sizes of files, beside the reference's.

use std::fs::{self, File};
use std::io::{self, IoSliceMut};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use rustix::fs::{Advice, fadvise};
use rustix::io::{Errno, ReadWriteFlags, preadv2};
use xtask::document::{machine, put_table};
use xtask_start::build::release;
use xtask_start::command::{root, target_folder};

use crate::bench::datasets::{self, empty};
use crate::bench::environment::{hub_folder, variable};
use crate::bench::growth::registry;
use crate::bench::sides::{host_command as host, reference_command};
use crate::measure::{Cost, measure, often};

/// Runs of the host, of which the middle one counts.
const RUNS: usize = 11;

/// Runs of the reference.
const REFERENCE_RUNS: usize = 3;

/// No further run of a row starts after this time.
const PATIENCE: Duration = Duration::from_secs(20);

/// Tasks of the hub folder that both sides score, with their subsets where the folder does not hold all.
const TASKS: [&str; 4] = ["STSBenchmark", "NusaXBitextMining", "SemRel24STS:ind,eng", "SciFact"];

const BUNDLED: [&str; 7] = ["run", "--registry", "indonesia", "--model", "random", "--quiet", "--offline"];

/// Where the size of the package's folder is asked for, without what Python has compiled of it.
const PACKAGE_SIZE: &str = "import importlib.util as u, pathlib as p; f = p.Path(u.find_spec('mteb').origin).parent; \
     print(sum(x.stat().st_size for x in f.rglob('*') if x.is_file() and '__pycache__' not in x.parts))";

/// The two sides, and the folders that they use.
struct Sides {
    folder: PathBuf,
    /// That of the datasets, shared by benchmarks.
    shared: PathBuf,
    python: PathBuf,
}

/// Runs the benchmark and writes its tables.
pub fn start() -> Result<ExitCode, String> {
    release()?;
    let given = hub_folder();
    let shared = target_folder().join("bench");
    let python = variable("MTEB_PYTHON").unwrap_or_else(|| "python3".into());
    let sides = Sides { folder: shared.join("start"), shared, python };
    let fault = |error: io::Error| format!("{}: cannot write the data: {error}", sides.folder.display());
    empty(&sides.folder).map_err(fault)?;
    datasets::link_hub(&sides.shared, &given).map_err(fault)?;
    let mut rows = sides.listing()?;
    rows.extend(sides.measure_bundled()?);
    rows.extend(sides.hub()?);
    let text = markdown(&rows, &sides.sizes()?);
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "start", &text)?;
    Ok(ExitCode::SUCCESS)
}

impl Sides {
    /// The commands that only say what there is.
    fn listing(&self) -> Result<Vec<Row>, String> {
        let import = self.theirs(|| self.python("import mteb"))?;
        let theirs = self.theirs(|| {
            let mut command = self.python("");
            command.args(["-m", "mteb", "available-tasks"]);
            command
        })?;
        let every = self.theirs(|| self.python("import mteb; mteb.get_tasks()"))?;
        let count = number(&mut self.python("import mteb; print(len(mteb.get_tasks()))"))?;
        let cards = self.folder.join("cards");
        registry::write(&cards, count as usize).map_err(|error| format!("{}: {error}", cards.display()))?;
        let cards = cards.join("registry.toml").to_string_lossy().into_owned();
        let first = || {
            empty(&self.folder.join("cache"))?;
            Ok(self.host(&["list", "tasks"]))
        };
        let mut rows = vec![
            row("start alone", self.ours(|| Ok(self.host(&["--version"])))?, Some(import)),
            row("list all tasks, for the first time", self.ours(first)?, None),
            row("list all tasks", self.ours(|| Ok(self.host(&["list", "tasks"])))?, Some(theirs)),
        ];
        if let Some(cold) = self.cold()? {
            rows.push(row("list all tasks, files not in the system's cache", cold, None));
        }
        let ours = self.ours(|| Ok(self.host(&["list", "tasks", "--registry", &cards])))?;
        rows.push(row(&format!("know {count} tasks, ours from files"), ours, Some(every)));
        rows.push(row(
            "validate the registry `indonesia`",
            self.ours(|| Ok(self.host(&["validate", "indonesia"])))?,
            None,
        ));
        Ok(rows)
    }

    /// The bundled registry, which the reference does not have.
    fn measure_bundled(&self) -> Result<Vec<Row>, String> {
        let results = self.folder.join("results");
        let run = || {
            let mut command = self.host(&BUNDLED);
            command.arg("--output-folder").arg(&results);
            command
        };
        let fresh = || {
            empty(&results)?;
            Ok(run())
        };
        let table = || {
            let mut command = self.host(&["leaderboard", "--registry", "indonesia", "--results"]);
            command.arg(&results);
            command
        };
        Ok(vec![
            row("score the registry `indonesia`", self.ours(fresh)?, None),
            row("the same, results at hand", self.ours(|| Ok(run()))?, None),
            row("leaderboard of these results", self.ours(|| Ok(table()))?, None),
        ])
    }

    /// Tasks that both sides score.
    fn hub(&self) -> Result<Vec<Row>, String> {
        let [ours, theirs] = ["hub", "hub-reference"].map(|name| self.folder.join(name));
        let run = || {
            let mut command = self.host(&["run", "--model", "random", "--quiet", "--hub-dir"]);
            command.arg(datasets::hub(&self.shared)).arg("--output-folder").arg(&ours);
            command.args(["--registry", "indonesia-hub", "--registry", "mteb-eng-v1"]);
            command.args(TASKS.iter().flat_map(|task| ["--task", task]));
            command
        };
        let fresh = || {
            empty(&ours)?;
            Ok(run())
        };
        let reference = || {
            let mut command = reference_command(&self.python, &self.shared, &[]);
            command.args(TASKS).env("MTEB_RESULTS", &theirs);
            command
        };
        // Once before the clock starts, so that the library's own cache holds the datasets.
        measure(&mut reference())?;
        let fresh_reference = often(REFERENCE_RUNS, PATIENCE, || {
            empty(&theirs).map_err(|error| format!("{}: {error}", theirs.display()))?;
            measure(&mut reference())
        })?;
        Ok(vec![
            row("score four tasks of the hub", self.ours(fresh)?, Some(fresh_reference)),
            row("the same, results at hand", self.ours(|| Ok(run()))?, Some(self.theirs(reference)?)),
        ])
    }

    /// The list where the program has to be read from the disk; none if the system does not let go of its files.
    fn cold(&self) -> Result<Option<Cost>, String> {
        let program = target_folder().join("release/mteb-host");
        let mut all = true;
        let cost = self.ours(|| {
            all &= forget(&program)?;
            Ok(self.host(&["list", "tasks"]))
        })?;
        Ok(all.then_some(cost))
    }

    fn sizes(&self) -> Result<Vec<Size>, String> {
        let release = target_folder().join("release");
        let bytes = |path: &Path| {
            fs::metadata(path)
                .map(|facts| facts.len())
                .map_err(|error| format!("{}: {error}", path.display()))
        };
        let binary = release.join("mteb-host");
        let mut sizes = vec![Size { what: "`mteb-host` as it is built", bytes: bytes(&binary)? }];
        let stripped = self.folder.join("stripped");
        // Without `strip` at hand this line is left out.
        if Command::new("strip")
            .arg("-o")
            .arg(&stripped)
            .arg(&binary)
            .status()
            .is_ok_and(|status| status.success())
        {
            sizes.push(Size { what: "`mteb-host` without symbols", bytes: bytes(&stripped)? });
        }
        sizes.push(Size {
            what: "the package mteb without its dependencies",
            bytes: number(&mut self.python(PACKAGE_SIZE))?,
        });
        Ok(sizes)
    }

    /// The host with a cache and data folder of its own.
    fn host(&self, arguments: &[&str]) -> Command {
        let mut command = host();
        command.args(arguments).current_dir(&self.folder);
        command.env("MTEB_HOST_CACHE", self.folder.join("cache"));
        command.env("MTEB_HOST_DATA", self.folder.join("data"));
        command
    }

    /// Python with a line of code, or without one if it is empty.
    fn python(&self, code: &str) -> Command {
        let mut command = Command::new(&self.python);
        command.env("HF_HUB_OFFLINE", "1").env("CUDA_VISIBLE_DEVICES", "");
        if !code.is_empty() {
            command.args(["-c", code]);
        }
        command
    }

    fn ours(&self, mut command: impl FnMut() -> io::Result<Command>) -> Result<Cost, String> {
        often(RUNS, PATIENCE, || {
            measure(&mut command().map_err(|error| format!("cannot prepare a run: {error}"))?)
        })
    }

    fn theirs(&self, command: impl Fn() -> Command) -> Result<Cost, String> {
        often(REFERENCE_RUNS, PATIENCE, || measure(&mut command()))
    }
}

fn row(work: &str, ours: Cost, theirs: Option<Cost>) -> Row {
    Row { work: work.to_owned(), ours, theirs }
}

/// The number that a program prints last.
fn number(command: &mut Command) -> Result<u64, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let number = text.split_whitespace().last().and_then(|word| word.parse().ok());
    number.ok_or_else(|| {
        format!("{command:?}: expected a number, found {text}{}", String::from_utf8_lossy(&output.stderr))
    })
}

/// Distance between the places that are looked at.
const STEP: u64 = 1 << 20;

/// Asks the system to forget a file's content; false if some of it is still there, as it is while a program uses it.
pub fn forget(path: &Path) -> io::Result<bool> {
    let file = File::open(path)?;
    // What is not on the disk yet cannot be forgotten.
    file.sync_all()?;
    fadvise(&file, 0, None, Advice::DontNeed)?;
    let length = file.metadata()?.len();
    let mut place = 0;
    while place < length {
        let mut byte = [0];
        let found = preadv2(&file, &mut [IoSliceMut::new(&mut byte)], place, ReadWriteFlags::NOWAIT);
        // What would have to be waited for is not in memory.
        if found != Err(Errno::AGAIN) {
            return Ok(false);
        }
        place += STEP;
    }
    Ok(true)
}

/// What a piece of work needs of either side, as far as that side can do it.
pub struct Row {
    pub work: String,
    pub ours: Cost,
    pub theirs: Option<Cost>,
}

/// The size of a file or folder.
pub struct Size {
    pub what: &'static str,
    pub bytes: u64,
}

/// Both tables, with the machine they were made on.
pub fn markdown(rows: &[Row], sizes: &[Size]) -> String {
    let mut text = format!(
        "Machine: {}.\n\n| work | times as fast | times less memory | mteb-host, s | mteb, s | mteb-host, MB | mteb, MB |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
        machine()
    );
    for Row { work, ours, theirs } in rows {
        let cells = match theirs {
            Some(theirs) => [
                format!("{:.0}", theirs.seconds / ours.seconds),
                format!("{:.0}", theirs.peak / ours.peak),
                format!("{:.2}", theirs.seconds),
                format!("{:.0}", theirs.peak / 1e6),
            ],
            None => Default::default(),
        };
        let [faster, smaller, seconds, peak] = cells;
        text += &format!(
            "| {work} | {faster} | {smaller} | {:.3} | {seconds} | {:.0} | {peak} |\n",
            ours.seconds,
            ours.peak / 1e6
        );
    }
    text += "\n| size | MB |\n|---|---:|\n";
    for Size { what, bytes } in sizes {
        text += &format!("| {what} | {:.1} |\n", *bytes as f64 / 1e6);
    }
    text
}
