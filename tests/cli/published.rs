//! The public results as a leaderboard: the reference's own tables, by the command that people run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mteb_host_tests::{Run, absent, host};

/// Room for the order of additions.
const ROUNDING: f64 = 1e-9;

/// Facts in which the cards of this project are not those of the reference, and why.
const OTHERS: [(&str, &str, &str); 4] = [
    (
        "Cohere/Cohere-embed-multilingual-v3.0",
        "Embedding Dimensions",
        "its maker says 1,024, the reference 512",
    ),
    ("Cohere/Cohere-embed-multilingual-v3.0", "Max Tokens", "its maker says 512, the reference nothing"),
    ("Querit/Querit", "Embedding Dimensions", "a cross-encoder has none"),
    ("Querit/Querit-4B", "Embedding Dimensions", "a cross-encoder has none"),
];

type Rows = BTreeMap<String, BTreeMap<String, String>>;

#[test]
fn the_leaderboard_like_the_reference_is_the_reference_s() {
    let Some((shared, results)) = published() else { return };
    for (benchmark, golden, models) in
        [("MTEB(eng, v1)", "golden_mteb_eng_v1.csv", 308), ("MTEB(kor, v1)", "golden_mteb_kor_v1.csv", 165)]
    {
        let folder = tempfile::tempdir().unwrap();
        let arguments =
            ["leaderboard", "--like-reference", "--format", "csv", "--benchmark", benchmark, "--results"];
        let run = Run::of(host(folder.path()).args(arguments).arg(&results)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let found = rows(run.stdout.as_bytes());
        let expected = rows(&fs::read(shared.join(golden)).unwrap());
        assert_eq!((expected.len(), found.len()), (models, models));
        let differences: Vec<String> =
            expected.iter().flat_map(|(model, row)| differences(model, row, found.get(model))).collect();
        assert_eq!(differences, Vec::<String>::new(), "{benchmark}");
    }
}

fn differences(
    model: &str,
    expected: &BTreeMap<String, String>,
    found: Option<&BTreeMap<String, String>>,
) -> Vec<String> {
    let Some(found) = found else { return vec![format!("{model}: expected a row, found none")] };
    let is_other = |title: &str| OTHERS.iter().any(|other| (other.0, other.1) == (model, title));
    let columns = expected.iter().filter(|(title, _)| *title != "_experiment_id" && !is_other(title));
    columns
        .filter(|(title, expected)| {
            !is_equal(expected, found.get(*title).map_or("no column", String::as_str))
        })
        .map(|(title, expected)| {
            format!("{model}, {title}: expected {expected}, found {:?}", found.get(title))
        })
        .collect()
}

fn is_equal(expected: &str, found: &str) -> bool {
    match (expected.parse::<f64>(), found.parse::<f64>()) {
        (Ok(expected), Ok(found)) => (expected - found).abs() <= ROUNDING,
        _ => expected == found,
    }
}

/// Rows by their model.
fn rows(table: &[u8]) -> Rows {
    let mut reader = csv::Reader::from_reader(table);
    let titles = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        let row: BTreeMap<String, String> =
            titles.iter().map(str::to_owned).zip(record.iter().map(str::to_owned)).collect();
        (row["Model"].clone(), row)
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// The folder of the developers' published results, and these unpacked into the folder of the build. `None`, after a line that
/// says so, where they are absent; a failure where they are absent and `CI` is `true`.
fn published() -> Option<(PathBuf, PathBuf)> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/published");
    let archive = shared.join("published.tar.xz");
    if !archive.is_file() {
        absent(format!("no {}", archive.display()));
        return None;
    }
    // Where the tests of tables unpack them too.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("published");
    if !folder.join("whole").exists() {
        fs::create_dir_all(&folder).unwrap();
        let unpacked = Command::new("tar").arg("xJf").arg(archive).arg("-C").arg(&folder).status();
        assert!(unpacked.unwrap().success());
        fs::write(folder.join("whole"), "").unwrap();
    }
    Some((shared, folder))
}
