//! Parts of a benchmark: what is none is refused, and what is one is not taken for the whole.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};

/// Results of two models on a benchmark `B(v1)`, also called `V`: the subset `vie` of News, Pairs, and a task that is not there.
fn scored() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, subsets) in [("News", &["vie", "tyz"][..]), ("Pairs", &["vie"])] {
        let own = folder.path().join(name);
        fs::create_dir(&own).unwrap();
        write_pair_card(&own, name, subsets).unwrap();
        for subset in subsets {
            write_pairs(&own, subset, [("a b", "b c", 1.0), ("a b", "a b", 3.0), ("b c", "b", 2.0)]).unwrap();
        }
    }
    let registry = "schema = 1\nname = \"mine\"\ncards = [\"News\", \"Pairs\"]\n\
                    [[benchmark]]\nname = \"B(v1)\"\naliases = [\"V\"]\ntasks = [\"News:vie\", \"Pairs\"]\n\
                    [[benchmark]]\nname = \"Agg\"\ntasks = [\"News\", \"Pairs\"]\nabsent = [\"Gone\"]\n";
    fs::write(folder.path().join("mine.toml"), registry).unwrap();
    for model in ["hashing", "random"] {
        let run = of(folder.path(), &["run", "--quiet", "--model", model]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    folder
}

fn of(folder: &Path, args: &[&str]) -> Run {
    Run::of(host(folder).args(args).args(["--registry", "mine.toml"])).unwrap()
}

#[test]
fn a_subset_that_the_benchmark_does_not_take_is_refused_everywhere() {
    let folder = scored();
    let expected = "error: expected a part of the task that the benchmark V uses, found: News:tyz, whose subset \
                    tyz it does not use; leave out `--benchmark`\n";
    for command in [
        &["run"][..],
        &["leaderboard"],
        &["report"],
        &["figure", "table1"],
        &["list", "tasks"],
        &["fetch"],
        &["validate", "--data"],
        &["compare", "mteb-host/hashing", "mteb/baseline-random-encoder"],
        &["show", "results", "mteb-host/hashing"],
    ] {
        let run = of(folder.path(), &[command, &["--benchmark", "V", "--task", "News:tyz"]].concat());
        assert_eq!((run.code, run.stderr.as_str()), (Some(2), expected), "{command:?}");
        assert_eq!(run.stdout, "", "{command:?}");
    }
    let taken = of(folder.path(), &["list", "tasks", "--benchmark", "V", "--task", "News:vie"]);
    assert_eq!((taken.code, taken.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_part_of_a_benchmark_says_that_it_is_one() {
    let folder = scored();
    let part = "the means here are not those of the benchmark B(v1), of which this is a part: 1 of 2 tasks";
    for narrowed in [&["--task", "Pairs"][..], &["--task", "News"]] {
        let board = of(folder.path(), &[&["leaderboard", "--benchmark", "V"], narrowed].concat());
        assert_eq!((board.code, board.stderr.as_str()), (Some(0), format!("warning: {part}\n").as_str()));
        let sentence = part.replacen("the", "The", 1);
        assert!(board.stdout.contains(&sentence), "{}", board.stdout);
        let markdown = ["leaderboard", "--benchmark", "V", "--format", "markdown"];
        let markdown = of(folder.path(), &[&markdown, narrowed].concat()).stdout;
        assert!(markdown.contains("of which this is a part: 1 of 2 tasks."), "{markdown}");
        let json = of(folder.path(), &[&["leaderboard", "--benchmark", "V", "--json"], narrowed].concat());
        let rows = json.json().unwrap();
        assert_eq!(rows[0]["part_of"]["benchmark"], "B(v1)", "{rows}");
        assert_eq!(rows[0]["part_of"]["tasks"], serde_json::json!([1, 2]), "{rows}");
    }
    let whole = of(folder.path(), &["leaderboard", "--benchmark", "V"]);
    assert_eq!(whole.stderr, "");
    assert!(!whole.stdout.contains("part"), "{}", whole.stdout);
    let units =
        of(folder.path(), &["leaderboard", "--benchmark", "Agg", "--task", "News:vie", "--task", "Pairs"]);
    assert!(units.stdout.contains("2 of 3 units; this task of it is missing: Gone."), "{}", units.stdout);
    let absent = of(folder.path(), &["leaderboard", "--benchmark", "Agg"]);
    let expected =
        "The means here are not those of the benchmark Agg: 2 of 3 tasks; this task of it is missing: Gone.";
    assert!(absent.stdout.contains(expected), "{}", absent.stdout);
}

#[test]
fn the_page_of_a_part_is_called_so_and_leaves_that_of_the_whole() {
    let folder = scored();
    let report = |more: &[&str]| {
        let run = of(folder.path(), &[&["report"], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let page = fs::read_to_string(folder.path().join(run.stdout.trim())).unwrap();
        (run.stdout, page)
    };
    let (file, whole) = report(&["--benchmark", "B(v1)"]);
    assert_eq!(file, "report/B-v1.html\n");
    assert!(whole.contains("<title>B(v1)</title>") && !whole.contains("data-text=\"notePart\""));
    let (alias, _) = report(&["--benchmark", "V"]);
    assert_eq!(alias, file, "a benchmark has one page, by whichever of its names");
    let (file, part) = report(&["--benchmark", "B(v1)", "--task", "Pairs"]);
    assert_eq!(file, "report/B-v1-part.html\n");
    assert!(part.contains("<title>B(v1) (a part)</title>"));
    assert!(part.contains("The means here are not those of the whole benchmark."), "{part}");
    assert!(part.contains("<span data-text=\"tasks\">Tasks</span>: 1 / 2."), "{part}");
    assert_eq!(fs::read_to_string(folder.path().join("report/B-v1.html")).unwrap(), whole);
    let (file, absent) = report(&["--benchmark", "Agg"]);
    assert_eq!(file, "report/Agg.html\n");
    assert!(absent.contains("<title>Agg</title>"));
    assert!(absent.contains("<span data-text=\"absent\">Tasks that are missing</span>: Gone."), "{absent}");
}
