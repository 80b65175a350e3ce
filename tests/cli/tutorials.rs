//! The tutorials of docs/tutorials work as they are printed: their files are written, their commands run, one after the other.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host_binary, root};

#[test]
fn the_first_run_does_what_its_page_says() {
    let folder = followed("first-run");
    assert!(folder.path().join("report/report.html").is_file());
}

#[test]
fn a_task_of_ones_own_takes_one_card() {
    let folder = followed("own-task");
    assert!(folder.path().join("results/mteb-host__hashing/1/MessageTopics.json").is_file());
}

#[test]
fn a_model_of_ones_own_takes_six_lines_of_python() {
    let folder = followed("own-model");
    assert!(folder.path().join("results/example__letters/1/IndonesianGeneralSTS.json").is_file());
}

#[test]
fn a_graded_benchmark_needs_no_network_and_no_key() {
    let folder = followed("graded");
    assert!(folder.path().join("graded/judgements/words.jsonl").is_file());
    assert!(folder.path().join("graded/pools/IndonesianLawRetrieval/test/default.jsonl").is_file());
}

#[test]
fn a_benchmark_of_ones_own_region_is_one_folder() {
    let folder = followed("own-region");
    assert!(folder.path().join("report/desa.html").is_file());
    assert!(
        fs::read_dir(folder.path().join("desa"))
            .unwrap()
            .flatten()
            .any(|file| { file.file_name().to_string_lossy().contains("lock") })
    );
}

#[test]
fn a_run_in_shards_ends_in_one_folder() {
    let folder = followed("cluster");
    assert!(folder.path().join("plan-shards/0/shard.json").is_file());
    assert!(folder.path().join("results/mteb-host__hashing/1/IndonesianLawRetrieval.json").is_file());
}

/// The folder in which the page `name` was followed.
fn followed(name: &str) -> tempfile::TempDir {
    let page = fs::read_to_string(root().join("docs/tutorials").join(name).with_extension("md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for block in page.split("\n```").skip(1).step_by(2) {
        let (head, body) = block.split_once('\n').unwrap();
        match head.split_once(" title=\"") {
            Some((_, file)) => write(&folder.path().join(file.trim_end_matches('"')), body),
            // Shown, not run: it needs what a page says.
            None if head == "text" => {}
            None if head == "sh" => body.lines().for_each(|line| run(folder.path(), line)),
            None => panic!("{name}: a block of {head} is neither a file nor commands"),
        }
    }
    folder
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text.to_owned() + "\n").unwrap();
}

/// Runs a line of a shell in which `mteb-host` is the built host.
fn run(folder: &Path, line: &str) {
    assert!(["mteb-host ", "python3 "].iter().any(|program| line.starts_with(program)), "{line}");
    let path =
        std::env::join_paths([host_binary().parent().unwrap(), Path::new("/usr/bin"), Path::new("/bin")]);
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).env("PATH", path.unwrap());
    shell.env("MTEB_HOST_CACHE", folder.join("cache")).env("MTEB_HOST_DATA", folder.join("data"));
    let run = Run::of(&mut shell).unwrap();
    assert_eq!(run.code, Some(0), "{line}\n{}{}", run.stdout, run.stderr);
}
