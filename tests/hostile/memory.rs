//! Small files that unpack to more than the memory holds. The host runs with a limit of memory and of time, so
//! that a failure takes neither the machine nor the test run along.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use mteb_host_tests::{Run, host, host_binary, write_pair_card, write_pairs};
use parquet::basic::{Compression as Packing, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use tempfile::TempDir;

const RUN: [&str; 6] = ["run", "--registry", "task.toml", "--model", "random", "--json"];

/// What a file that takes too much memory is told.
const MEMORY: &str = "GB of memory to read, found one that takes more; if this is intended, split it";

/// A file, how it is written, and what is said of it.
type Bomb = (&'static str, fn(&Path), &'static str);

const BOMBS: [Bomb; 9] = [
    ("test.parquet", one_text_in_many_rows, MEMORY),
    ("test.parquet", nothing_in_many_rows, MEMORY),
    ("test.jsonl.gz", |path| write_packed(path, &lists()), MEMORY),
    ("test.jsonl.gz", |path| write_packed(path, &objects()), MEMORY),
    ("test.jsonl.zst", |path| packed_as_zstd(path, &lists()), MEMORY),
    ("test.jsonl", other_keys_in_each_row, "expected rows with about the same keys, found "),
    ("test.jsonl", |path| wide(path, 20_000), "expected at most 10000 columns, found more"),
    ("test.csv", |path| many_columns(path, 100_000), "line 1: expected at most 10000 columns, found more"),
    (
        "test.csv",
        |path| fs::write(path, "a,".repeat(50_000)).unwrap(),
        "expected at most 10000 columns, found more",
    ),
];

#[test]
fn a_small_file_that_becomes_large_costs_its_unit() {
    for (number, (name, write, expected)) in BOMBS.iter().enumerate() {
        let folder = task();
        let subset = folder.path().join("data/jav");
        fs::remove_file(subset.join("test.jsonl")).unwrap();
        write(&subset.join(name));
        let bytes = fs::metadata(subset.join(name)).unwrap().len();
        let run = run(folder.path(), RUN);
        assert_eq!(
            states(&run),
            ["scored", "failed", "scored"],
            "{number}: {name} of {bytes} bytes: {}",
            run.stderr
        );
        assert!(run.stdout.contains(expected), "{number}: {name} of {bytes} bytes: {}", run.stdout);
        assert!(run.stdout.contains(&format!("data/jav/{name}")), "{number}: {}", run.stdout);
        assert_eq!(run.code, Some(1), "{number}");
    }
}

#[test]
fn every_command_that_reads_data_outlives_it() {
    let folder = task();
    let subset = folder.path().join("data/jav");
    fs::remove_file(subset.join("test.jsonl")).unwrap();
    one_text_in_many_rows(&subset.join("test.parquet"));
    let commands: [&[&str]; 3] = [
        &["stats", "Pairs", "--registry", "task.toml"],
        &["validate", "--data", "task.toml"],
        &["run", "--registry", "task.toml", "--model", "random", "--no-cache"],
    ];
    for command in commands {
        let run = run(folder.path(), command);
        assert!(run.stderr.contains(MEMORY), "{command:?}: {:?} {}", run.code, run.stderr);
        assert!(matches!(run.code, Some(1 | 2)), "{command:?}: {:?}", run.code);
    }
}

#[test]
fn what_is_parsed_in_the_host_itself_stays_small() {
    // Just below the size from which on a file is parsed in a process of its own.
    let most = 255 << 10;
    let row =
        |cell: &str| format!("{{\"sentence1\": \"a\", \"sentence2\": \"b\", \"score\": 1, \"x\": {cell}}}\n");
    let filled = |cell: &str| row(&format!("[{}0]", cell.repeat((most - 100) / cell.len())));
    let deep = row(&format!("{}{}", "[".repeat(100), "]".repeat(100)));
    let cases = [
        filled("[],"),
        filled("{\"\":0},"),
        row("0").repeat(most / row("0").len()),
        deep.repeat(most / deep.len()),
    ];
    for (number, text) in cases.iter().enumerate() {
        assert!(text.len() > 240 << 10 && text.len() <= 256 << 10, "{number}: {}", text.len());
        let folder = task();
        fs::write(folder.path().join("data/jav/test.jsonl"), text).unwrap();
        let script = format!("ulimit -d {}; exec \"$@\"", 100 << 10);
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh"]).arg(host_binary()).args([
            "stats",
            "Pairs:jav",
            "--registry",
            "task.toml",
        ]);
        // The stack of each thread counts.
        command.current_dir(folder.path()).env("RAYON_NUM_THREADS", "2");
        command
            .env("MTEB_HOST_CACHE", folder.path().join("cache"))
            .env("MTEB_HOST_DATA", folder.path().join("own"));
        let run = Run::of(&mut command).unwrap();
        assert_eq!(run.code, Some(0), "{number}: {}", run.stderr);
    }
}

#[test]
fn a_worker_that_is_killed_costs_its_unit() {
    let folder = task();
    let subset = folder.path().join("data/jav");
    fs::remove_file(subset.join("test.jsonl")).unwrap();
    // Empty lines take no memory, but time.
    write_packed(&subset.join("test.jsonl.gz"), &format!("{}\n", " ".repeat(3 << 20)));
    let run = limit_memory(folder.path(), 1900)
        .args(RUN)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let worker = loop {
        if let Some(worker) = parsers(folder.path()).pop() {
            break worker;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    assert!(Command::new("kill").args(["-9", &worker]).status().unwrap().success());
    let output = run.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("test.jsonl.gz: the process that reads the file was killed by signal 9"), "{said}");
    assert_eq!(said.matches("\"scored\"").count(), 2, "{said}");
    assert!(parsers(folder.path()).is_empty());
}

#[test]
fn a_worker_that_dies_while_it_reads_another_file_than_its_first_is_replaced() {
    let folder = task();
    let rows = |subset: &str| {
        let plain = folder.path().join("data").join(subset).join("test.jsonl");
        let rows = fs::read_to_string(&plain).unwrap();
        fs::remove_file(&plain).unwrap();
        (plain.with_extension("jsonl.gz"), rows)
    };
    let zip = |text: &str| {
        let mut member = GzEncoder::new(Vec::new(), Compression::best());
        member.write_all(text.as_bytes()).unwrap();
        member.finish().unwrap()
    };
    let (first, text) = rows("ind");
    fs::write(first, zip(&text)).unwrap();
    let (second, text) = rows("jav");
    // Empty lines take no memory, but time.
    let lines = zip(&format!("{}\n", " ".repeat(3 << 20))).repeat(100);
    fs::write(&second, [lines, zip(&text)].concat()).unwrap();
    let run =
        limit_memory(folder.path(), 1900).args(RUN).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let run = run.unwrap();
    let second = second.canonicalize().unwrap();
    let reads = |process: &String| {
        let open = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
        open.into_iter().any(|file| fs::read_link(file.path()).is_ok_and(|path| path == second))
    };
    let until = Instant::now() + Duration::from_secs(60);
    let worker = loop {
        if let Some(worker) = parsers(folder.path()).into_iter().find(reads) {
            break worker;
        }
        assert!(Instant::now() < until, "the second file is read");
        std::thread::sleep(Duration::from_millis(1));
    };
    assert!(Command::new("kill").args(["-9", &worker]).status().unwrap().success());
    let output = run.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(said.matches("\"scored\"").count(), 3, "{said}");
}

/// Numbers of the processes that parse files for a host whose current folder is `folder`.
fn parsers(folder: &Path) -> Vec<String> {
    let folder = folder.canonicalize().unwrap();
    let mut found = Vec::new();
    for process in fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path()) {
        let is_parser = fs::read(process.join("cmdline"))
            .is_ok_and(|line| line.split(|&byte| byte == 0).nth(1) == Some(b"parser"));
        if is_parser && fs::read_link(process.join("cwd")).is_ok_and(|path| path == folder) {
            found.push(process.file_name().unwrap().to_str().unwrap().to_owned());
        }
    }
    found
}

/// A Parquet file of `rows` rows of one column with one dictionary entry of a megabyte.
fn one_text_in_many_rows(path: &Path) {
    let text = ByteArray::from(vec![b'a'; 1 << 20]);
    write_parquet(path, "required", &vec![text; 3000], None);
}

/// A Parquet file with one column that is always null.
fn nothing_in_many_rows(path: &Path) {
    write_parquet(path, "optional", &[], Some(vec![0; 40_000_000]));
}

fn write_parquet(path: &Path, kind: &str, values: &[ByteArray], levels: Option<Vec<i16>>) {
    let schema = format!("message rows {{ {kind} binary sentence1 (UTF8); }}");
    let schema = parse_message_type(&schema).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(Packing::ZSTD(ZstdLevel::try_new(3).unwrap()))
        .set_dictionary_page_size_limit(1 << 30)
        .set_statistics_enabled(parquet::file::properties::EnabledStatistics::None)
        .build();
    let mut file =
        SerializedFileWriter::new(File::create(path).unwrap(), schema.into(), properties.into()).unwrap();
    let mut group = file.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<ByteArrayType>().write_batch(values, levels.as_deref(), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    file.close().unwrap();
}

/// 300 times the same megabyte, each packed on its own.
fn write_packed(path: &Path, megabyte: &str) {
    let mut member = GzEncoder::new(Vec::new(), Compression::best());
    member.write_all(megabyte.as_bytes()).unwrap();
    fs::write(path, member.finish().unwrap().repeat(300)).unwrap();
}

fn packed_as_zstd(path: &Path, megabyte: &str) {
    fs::write(path, zstd::encode_all(megabyte.as_bytes(), 3).unwrap().repeat(300)).unwrap();
}

fn lists() -> String {
    format!("{{\"sentence1\": [{}[]]}}\n", "[],".repeat(350_000))
}

fn objects() -> String {
    format!("{{\"sentence1\": [{}0]}}\n", "{\"\":0},".repeat(130_000))
}

fn other_keys_in_each_row(path: &Path) {
    let rows: String = (0..9_000).map(|row| format!("{{\"k{row}\": 1}}\n")).collect();
    fs::write(path, rows + &"{\"text\": \"\"}\n".repeat(70_000)).unwrap();
}

fn wide(path: &Path, keys: usize) {
    let keys: Vec<String> = (0..keys).map(|key| format!("\"k{key}\": 1")).collect();
    fs::write(path, format!("{{{}}}\n", keys.join(", "))).unwrap();
}

fn many_columns(path: &Path, columns: usize) {
    let names: Vec<String> = (0..columns).map(|column| format!("c{column}")).collect();
    let row = format!("{}1\n", "1,".repeat(columns - 1));
    fs::write(path, names.join(",") + "\n" + &row.repeat(50)).unwrap();
}

/// Seconds after which the host counts as one that never ends.
const SECONDS: &str = "60";

/// A command of the host in `folder` that may reserve `megabytes` of memory, workers likewise, and is killed after a minute.
pub fn limit_memory(folder: &Path, megabytes: u64) -> Command {
    let usual = host(folder);
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {}; exec timeout -k 1 {SECONDS} \"$@\"", megabytes << 10);
    command.current_dir(folder).args(["-c", &script, "sh"]).arg(host_binary());
    for (name, value) in usual.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

/// Runs the host in `folder` to its end, with less than two GB.
pub fn run<A: AsRef<OsStr>>(folder: &Path, args: impl IntoIterator<Item = A>) -> Run {
    Run::of(limit_memory(folder, 1900).args(args)).unwrap()
}

/// A folder with a task of three subsets, in `data/<subset>/test.jsonl`.
pub fn task() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let subsets = ["ind", "jav", "sun"];
    write_pair_card(folder.path(), "Pairs", &subsets).unwrap();
    for subset in subsets {
        let pairs = [("a", "b c", 1.0), ("d", "b c", 2.0), ("d e f", "b c", 4.0)];
        write_pairs(folder.path(), subset, pairs).unwrap();
    }
    folder
}

/// What became of the units of the task in a report as JSON.
pub fn states(run: &Run) -> Vec<String> {
    let report = run.json().unwrap_or_else(|_| panic!("{:?} {}", run.code, run.stderr));
    let units = report["tasks"][0]["units"].as_array().unwrap();
    units.iter().map(|unit| unit["state"].as_str().unwrap().to_owned()).collect()
}
