//! Cards and registries that would stop the host or fill its memory.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};

const CARD: &str =
    "schema = 1\nname = \"T\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n";

fn run_host(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

fn registry(folder: &Path, name: &str, include: &[String]) {
    let include: Vec<String> = include.iter().map(|name| format!("\"{name}\"")).collect();
    let text = format!("schema = 1\nname = \"{name}\"\ninclude = [{}]\n", include.join(", "));
    fs::write(folder.join(format!("{name}.toml")), text).unwrap();
}

#[test]
fn a_name_of_a_task_that_is_a_path_leads_to_no_card_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("inner/cards")).unwrap();
    fs::write(folder.path().join("T.toml"), format!("{CARD}[dataset]\npath = \"t.csv\"\n")).unwrap();
    fs::write(folder.path().join("t.csv"), "sentence1,sentence2,score\na,b,1\nb,c d,2\nc,c,3\n").unwrap();
    let outside = folder.path().join("T").display().to_string();
    for name in ["../../T", outside.as_str()] {
        let text = format!("schema = 1\nname = \"r\"\ncards = [\"cards\"]\ntasks = [\"{name}\"]\n");
        fs::write(folder.path().join("inner/r.toml"), text).unwrap();
        for arguments in [&["run", "--registry", "inner/r.toml", "--all"][..], &["validate", "inner/r.toml"]]
        {
            let run = run_host(folder.path(), arguments);
            assert_eq!(run.code, Some(2), "{name}: {}", run.stderr);
            let expected = format!("inner/r.toml:4:10: expected the name of a task, found a path: {name}");
            assert!(run.stderr.contains(&expected), "{name}: {}", run.stderr);
        }
    }
}

#[test]
fn a_link_to_a_card_leads_out_of_no_registry() {
    let folder = tempfile::tempdir().unwrap();
    let card = |name: &str, rest: &str| CARD.replacen("\"T\"", &format!("\"{name}\""), 1) + rest;
    let cards = folder.path().join("inner/cards");
    fs::create_dir_all(&cards).unwrap();
    fs::create_dir(folder.path().join("far")).unwrap();
    for place in ["far", "inner/cards"] {
        let rows = "sentence1,sentence2,score\na,b,1\nb,c d,2\nc,c,3\n";
        fs::write(folder.path().join(place).join("t.csv"), rows).unwrap();
    }
    fs::write(folder.path().join("far/T.toml"), card("T", "[dataset]\npath = \"cards/t.csv\"\n")).unwrap();
    fs::write(cards.join("U.toml"), card("U", "[dataset]\npath = \"cards/t.csv\"\n")).unwrap();
    let refused = |what: &str, cards: &str, tasks: &str| {
        let text = format!("schema = 1\nname = \"r\"\ncards = [\"{cards}\"]\n{tasks}");
        fs::write(folder.path().join("inner/r.toml"), text).unwrap();
        for arguments in [&["run", "--registry", "inner/r.toml", "--all"][..], &["validate", "inner/r.toml"]]
        {
            let run = run_host(folder.path(), arguments);
            assert_eq!(run.code, Some(2), "{what} {tasks}: {}", run.stderr);
            assert!(
                run.stderr.contains("found a link that leads out of it"),
                "{what} {tasks}: {}",
                run.stderr
            );
        }
    };
    for (what, link, target, named) in [
        ("a card", "inner/cards/T.toml", "../../far/T.toml", "cards"),
        ("a folder below", "inner/cards/far", "../../far", "cards"),
        ("a folder", "inner/linked", "../far", "linked"),
    ] {
        let link = folder.path().join(link);
        std::os::unix::fs::symlink(target, &link).unwrap();
        for tasks in ["", "tasks = [\"T\"]\n"] {
            refused(what, named, tasks);
        }
        fs::remove_file(link).unwrap();
    }
    std::os::unix::fs::symlink("../../far/T.toml", cards.join("T.toml")).unwrap();
    fs::write(cards.join("G.toml"), card("G", "members = [\"T\", \"U\"]\n")).unwrap();
    refused("a member", "cards", "tasks = [\"G\"]\n");
    fs::remove_file(cards.join("T.toml")).unwrap();
    std::os::unix::fs::symlink("U.toml", cards.join("T.toml")).unwrap();
    let run = run_host(folder.path(), &["list", "tasks", "--registry", "inner/r.toml"]);
    assert!(!run.stderr.contains("found a link"), "within the registry: {}", run.stderr);
}

#[test]
fn registries_that_include_each_other_are_named() {
    let folder = tempfile::tempdir().unwrap();
    registry(folder.path(), "a", &["./b.toml".to_owned()]);
    registry(folder.path(), "b", &["../here/a.toml".to_owned()]);
    std::os::unix::fs::symlink(folder.path(), folder.path().join("here")).unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    registry(folder.path(), "b", &["here/./here/a.toml".to_owned()]);
    for arguments in [
        &["list", "tasks", "--registry", "a.toml"][..],
        &["run", "--registry", "a.toml"],
        &["validate", "a.toml"],
        &["validate", "."],
    ] {
        let run = run_host(folder.path(), arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}: {}", run.stderr);
        assert!(
            run.stderr.contains("b.toml:3:12: expected another registry, found one that includes itself"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn registries_of_the_user_that_include_each_other_leave_the_others_usable() {
    let folder = tempfile::tempdir().unwrap();
    registry(folder.path(), "a", &["b".to_owned()]);
    registry(folder.path(), "b", &["a".to_owned()]);
    let mut command = host(folder.path());
    command.env("MTEB_HOST_REGISTRIES", folder.path()).args(["show", "task", "SciFact"]);
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("found one that includes itself"), "{}", run.stderr);
}

#[test]
fn a_diamond_of_registries_reads_each_file_once() {
    const LAYERS: usize = 30;
    let folder = tempfile::tempdir().unwrap();
    let name = |layer: usize, side: usize| format!("layer{layer}-{side}");
    for layer in 0..LAYERS {
        for side in 0..2 {
            let below = [name(layer + 1, 0) + ".toml", name(layer + 1, 1) + ".toml"];
            let below =
                if layer + 1 < LAYERS { below.map(|file| format!("./{file}")).to_vec() } else { Vec::new() };
            registry(folder.path(), &name(layer, side), &below);
        }
    }
    let run = run_host(folder.path(), &["validate", "layer0-0.toml"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "59 files checked, no faults\n"), "{}", run.stderr);
}

#[test]
fn a_chain_of_registries_has_an_end() {
    let folder = tempfile::tempdir().unwrap();
    for link in 0..2000 {
        registry(folder.path(), &format!("r{link}"), &[format!("./r{}.toml", link + 1)]);
    }
    let run = run_host(folder.path(), &["list", "tasks", "--registry", "r0.toml"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("expected registries nested at most 32 deep"), "{}", run.stderr);
}

#[test]
fn of_many_unknown_keys_the_first_are_named_and_the_others_counted() {
    let folder = tempfile::tempdir().unwrap();
    let keys: String = (0..1000).map(|number| format!("other{number} = 1\n")).collect();
    let card = CARD.to_owned() + &keys + "[dataset]\npath = \".\"\n";
    fs::write(folder.path().join("t.toml"), card).unwrap();
    let run = run_host(folder.path(), &["validate", "t.toml"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let named: Vec<&str> = run.stderr.lines().filter(|line| line.contains("unknown key `other")).collect();
    assert!(named.len() == 20 && named[19].ends_with("; and 980 more"), "{}", run.stderr);
}

#[test]
fn options_that_would_fill_the_memory_are_refused_by_validate_and_run() {
    let folder = tempfile::tempdir().unwrap();
    for (task_type, line) in [
        ("Retrieval", "k_values = [1, 10, 4000000000]"),
        ("Clustering", "rounds = 4000000000"),
        ("Clustering", "batch_size = 4000000000"),
        ("Clustering", "max_documents_per_cluster = 4000000000"),
        ("Clustering", "max_depth = 4000000000"),
        ("Classification", "experiments = 4000000000"),
        ("Classification", "samples_per_label = 4000000000"),
        ("Classification", "cross_validation = 4000000000"),
    ] {
        let card = CARD.replace("STS", task_type) + "[dataset]\npath = \".\"\n[protocol]\n" + line + "\n";
        fs::write(folder.path().join("t.toml"), card).unwrap();
        for arguments in
            [&["validate", "t.toml"][..], &["run", "--registry", "t.toml"], &["validate", "--data", "t.toml"]]
        {
            let run = run_host(folder.path(), arguments);
            assert_eq!(run.code, Some(2), "{line}: {}", run.stderr);
            assert!(
                run.stderr.contains("t.toml:9:") && run.stderr.contains("expected a number of at most 1"),
                "{}",
                run.stderr
            );
        }
    }
    let more = "[dataset]\npath = \".\"\n[quality]\nscore_bins = 4000000000\n";
    fs::write(folder.path().join("t.toml"), format!("{CARD}{more}")).unwrap();
    assert_eq!(run_host(folder.path(), &["validate", "--data", "t.toml"]).code, Some(2));
}

#[test]
fn cards_that_nest_without_end_or_are_too_large_are_refused() {
    const MANY: usize = 100_000;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.toml");
    for text in [
        format!("{CARD}[dataset]\npath = \".\"\nkeep = {}1{}\n", "{a = ".repeat(MANY), "}".repeat(MANY)),
        format!("{CARD}domains = {}{}\n", "[".repeat(MANY), "]".repeat(MANY)),
        format!("{CARD}{}a = 1\n", "a.".repeat(MANY)),
        format!("{CARD}[{}a]\n", "a.".repeat(MANY)),
        format!("{CARD}{}", "[[a]]\n".repeat(MANY)),
        format!("{CARD}# {}\n", "a".repeat(9 << 20)),
    ] {
        fs::write(&file, text).unwrap();
        for arguments in [&["validate", "t.toml"][..], &["list", "tasks", "--registry", "t.toml"]] {
            let run = run_host(folder.path(), arguments);
            assert_eq!(run.code, Some(2), "{}", run.stderr.chars().take(400).collect::<String>());
            assert!(
                run.stderr.starts_with("error: t.toml:"),
                "{}",
                run.stderr.chars().take(400).collect::<String>()
            );
            assert!(run.stderr.len() < 1000, "{}", run.stderr.len());
        }
    }
}

#[test]
fn folders_that_lead_into_themselves_are_read_once() {
    let folder = tempfile::tempdir().unwrap();
    let cards = folder.path().join("cards");
    fs::create_dir(&cards).unwrap();
    std::os::unix::fs::symlink(&cards, cards.join("again")).unwrap();
    fs::write(cards.join("T.toml"), format!("{CARD}[dataset]\npath = \"x.csv\"\n")).unwrap();
    fs::write(cards.join("x.csv"), "sentence1,sentence2,score\na,b,1\nc,d,2\n").unwrap();
    fs::write(folder.path().join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n").unwrap();
    let run = run_host(folder.path(), &["validate", "mine.toml"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "2 files checked, no faults\n"), "{}", run.stderr);
}

#[test]
fn a_name_of_a_megabyte_is_answered_in_a_short_line() {
    let folder = tempfile::tempdir().unwrap();
    let long = "a".repeat(100_000);
    let run = run_host(folder.path(), &["run", "--task", &long, "--registry", "mteb-eng-v1"]);
    assert_eq!(run.code, Some(2));
}

/// What `validate`, `validate --data` and `run` say of a card, which all refuse.
fn is_refused(folder: &Path, card: &str, expected: &str) {
    fs::write(folder.join("t.toml"), card).unwrap();
    for arguments in
        [&["validate", "t.toml"][..], &["validate", "--data", "t.toml"], &["run", "--registry", "t.toml"]]
    {
        let run = run_host(folder, arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}: {expected}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{arguments:?}: {expected}: {}", run.stderr);
    }
}

#[test]
fn a_subsample_of_splits_that_the_task_does_not_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let card = |splits: &str| {
        let subsample = format!("[dataset]\npath = \".\"\nsubsample = {{ rows = 9, splits = {splits} }}\n");
        CARD.replace("STS", "Classification") + &subsample
    };
    let named = "expected one of the splits test, train, found: tset (near it: test)";
    is_refused(folder.path(), &card("[\"train\", \"tset\"]"), named);
    is_refused(folder.path(), &card("[]"), "expected at least one split, found none");
    fs::write(folder.path().join("t.toml"), card("[\"train\", \"test\"]")).unwrap();
    for split in ["train", "test"] {
        fs::write(folder.path().join(format!("{split}.csv")), "text,label\na,x\nb,y\n").unwrap();
    }
    let run = run_host(folder.path(), &["validate", "t.toml"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn names_that_the_task_does_not_read_are_refused_where_rows_and_columns_are_changed() {
    let folder = tempfile::tempdir().unwrap();
    for (task_type, option, expected) in [
        (
            "Classification",
            "merge_splits = { tset = [\"dev\", \"test\"] }",
            "expected one of the splits test, train, found: tset (near it: test)",
        ),
        (
            "Retrieval",
            "[dataset.parts.corpus]\nwithout = [\"titel\"]",
            "expected one of the columns _id, id, text, title, found: titel (near it: title)",
        ),
    ] {
        let card = CARD.replace("STS", task_type) + &format!("[dataset]\npath = \".\"\n{option}\n");
        is_refused(folder.path(), &card, expected);
    }
}

#[test]
fn subsets_of_which_nothing_would_be_scored_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (subset, expected) in [
        (
            "default = { languages = [\"ind-Latn\"], eval_splits = [] }",
            "subset default: expected at least one split, found none",
        ),
        (
            "all = { pairs = [\"ind_Latn\"] }",
            "subset all: expected at least two languages in `pairs`, found one: ind_Latn",
        ),
        (
            "all = { pairs = [\"ind_Latn\", \"eng_Latn\", \"ind_Latn\"] }",
            "subset all: expected each language of `pairs` once, found again: ind_Latn",
        ),
    ] {
        let card = format!("{CARD}[dataset]\npath = \".\"\n[subsets]\n{subset}\n");
        is_refused(folder.path(), &card, expected);
    }
}
