//! `report`: a page for each benchmark.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};

fn of(folder: &Path, args: &[&str]) -> Run {
    Run::of(host(folder).args(args).args(["--registry", "mine.toml"])).unwrap()
}

/// Results of two models, and a registry with three benchmarks, of which one has none.
fn scored() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["One", "Two", "Three"] {
        let own = folder.path().join(name);
        fs::create_dir(&own).unwrap();
        write_pair_card(&own, name, &["ind"]).unwrap();
        write_pairs(&own, "ind", [("a b", "b c", 1.0), ("a b", "a b", 3.0), ("b c", "b", 2.0)]).unwrap();
    }
    let benchmark =
        |name: &str, task: &str| format!("[[benchmark]]\nname = \"{name}\"\ntasks = [\"{task}\"]\n");
    let text = [
        "schema = 1\nname = \"mine\"\ncards = [\"One\", \"Two\", \"Three\"]\n".to_owned(),
        benchmark("B(a, v1)", "One"),
        benchmark("B(A v1)", "Two"),
        benchmark("None", "Three"),
    ];
    fs::write(folder.path().join("mine.toml"), text.concat()).unwrap();
    for model in ["hashing", "random"] {
        let run = of(folder.path(), &["run", "--quiet", "--model", model, "--task", "One", "--task", "Two"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    folder
}

#[test]
fn each_benchmark_has_a_page_of_its_own() {
    let folder = scored();
    let benchmarks = ["--benchmark", "B(a, v1)", "--benchmark", "B(A v1)", "--benchmark", "B(a, v1)"];
    let report = of(folder.path(), &[&["report", "--output", "out"][..], &benchmarks].concat());
    assert_eq!((report.code, report.stderr.as_str()), (Some(0), ""));
    // Names that some file systems take for one get a number.
    assert_eq!(report.stdout, "out/B-a-v1.html\nout/B-A-v1-2.html\n");
    let page = |name: &str| fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    let (one, two) = (page("B-a-v1.html"), page("B-A-v1-2.html"));
    assert!(
        one.contains("<title>B(a, v1)</title>")
            && one.contains("\"name\":\"One\"")
            && !one.contains("\"name\":\"Two\"")
    );
    assert!(
        two.contains("<title>B(A v1)</title>")
            && two.contains("\"name\":\"Two\"")
            && !two.contains("\"name\":\"One\"")
    );
    // Each leads to the others.
    assert!(
        one.contains("<a href=\"B-A-v1-2.html\"><bdi>B(A v1)</bdi></a>")
            && !one.contains("href=\"B-a-v1.html")
    );
    assert!(two.contains("<a href=\"B-a-v1.html\">"));
    let single = of(folder.path(), &["report", "--output", "one", "--benchmark", "B(A v1)"]);
    assert_eq!((single.code, single.stdout.as_str()), (Some(0), "one/B-A-v1.html\n"));
}

#[test]
fn a_benchmark_without_results_keeps_no_other_from_its_page() {
    let folder = scored();
    let benchmarks = ["--benchmark", "None", "--benchmark", "B(a, v1)", "--benchmark", "Nobody"];
    let report = of(folder.path(), &[&["report", "--output", "out"][..], &benchmarks].concat());
    assert_eq!((report.code, report.stdout.as_str()), (Some(2), "out/B-a-v1.html\n"));
    assert!(
        report.stderr.contains("expected results of the tasks of None in results, found none"),
        "{}",
        report.stderr
    );
    assert!(report.stderr.contains("Nobody"), "{}", report.stderr);
}

#[test]
fn the_output_may_be_the_file_of_one_page() {
    let folder = scored();
    let report = of(folder.path(), &["report", "--output", "site/index.html", "--benchmark", "B(A v1)"]);
    assert_eq!((report.code, report.stdout.as_str()), (Some(0), "site/index.html\n"), "{}", report.stderr);
    assert!(
        fs::read_to_string(folder.path().join("site/index.html")).unwrap().contains("<title>B(A v1)</title>")
    );
    let two = ["--benchmark", "B(A v1)", "--benchmark", "B(a, v1)"];
    let refused = of(folder.path(), &[&["report", "--output", "page.html"][..], &two].concat());
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("expected a folder for 2 pages"), "{}", refused.stderr);
}

#[test]
fn a_page_that_is_watched_is_written_anew_when_results_come() {
    let folder = scored();
    let two = folder.path().join("results");
    let moved = folder.path().join("later");
    fs::rename(two.join("mteb__baseline-random-encoder"), &moved).unwrap();
    let args =
        ["report", "--watch", "--output", "page.html", "--benchmark", "B(a, v1)", "--registry", "mine.toml"];
    let mut watch = host(folder.path()).args(args).stdout(std::process::Stdio::null()).spawn().unwrap();
    let page = folder.path().join("page.html");
    let has = |name: &str| {
        fs::read_to_string(&page).is_ok_and(|page| page.contains(&format!("\"name\":\"{name}\"")))
    };
    let until = |is_true: &dyn Fn() -> bool| {
        let start = std::time::Instant::now();
        while !is_true() && start.elapsed().as_secs() < 60 {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        is_true()
    };
    let first = until(&|| has("mteb-host/hashing")) && !has("mteb/baseline-random-encoder");
    fs::rename(moved, two.join("mteb__baseline-random-encoder")).unwrap();
    let second = until(&|| has("mteb/baseline-random-encoder"));
    watch.kill().unwrap();
    watch.wait().unwrap();
    assert!(first && second, "first {first}, second {second}");
}
