//! Which tasks a command takes: nothing that was asked for is left out without a word.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

fn card(name: &str, language: &str) -> String {
    format!(
        "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"{language}\"]\n\
         [dataset]\npath = \"pairs.csv\"\n"
    )
}

/// A registry `mine` of cards in folders within `cards`, each beside its data, with `more` at its end.
fn write_registry(folder: &Path, tasks: &[(&str, &str, &str)], more: &str) {
    for (place, name, language) in tasks {
        let place = folder.join("cards").join(place);
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join(format!("{name}.toml")), card(name, language)).unwrap();
        fs::write(place.join("pairs.csv"), "sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a c,3\n")
            .unwrap();
    }
    fs::write(folder.join("mine.toml"), format!("schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n{more}"))
        .unwrap();
}

fn list_tasks(folder: &Path, more: &[&str]) -> Run {
    Run::of(host(folder).args(["list", "tasks", "--registry", "mine.toml", "--json"]).args(more)).unwrap()
}

fn names(run: &Run) -> Vec<String> {
    let tasks = run.json().unwrap_or_else(|_| panic!("{}", run.stderr));
    tasks.as_array().unwrap().iter().map(|task| task["name"].as_str().unwrap().to_owned()).collect()
}

fn refuse(folder: &Path, arguments: &[&str]) -> String {
    let run = Run::of(host(folder).args(arguments)).unwrap();
    assert_eq!(run.code, Some(2), "{}{}", run.stdout, run.stderr);
    run.stderr
}

#[test]
fn cards_in_folders_of_a_folder_are_taken_in() {
    let folder = tempfile::tempdir().unwrap();
    write_registry(folder.path(), &[("", "A", "ind-Latn"), ("deep/er", "B", "jav-Latn")], "");
    assert_eq!(names(&list_tasks(folder.path(), &[])), ["A", "B"]);
    let named = "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\ntasks = [\"B\"]\n";
    fs::write(folder.path().join("mine.toml"), named).unwrap();
    assert_eq!(names(&list_tasks(folder.path(), &[])), ["B"]);
}

#[test]
fn a_registry_in_the_folder_of_its_cards_is_no_card_itself() {
    let folder = tempfile::tempdir().unwrap();
    write_registry(folder.path(), &[("", "A", "ind-Latn")], "");
    fs::create_dir(folder.path().join("models")).unwrap();
    fs::write(folder.path().join("models/a__b.toml"), "schema = 1\nname = \"a/b\"\n").unwrap();
    fs::write(folder.path().join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\".\"]\n").unwrap();
    assert_eq!(names(&list_tasks(folder.path(), &[])), ["A"]);
}

#[test]
fn a_run_without_a_filter_says_how_to_choose() {
    let folder = tempfile::tempdir().unwrap();
    write_registry(folder.path(), &[("", "A", "ind-Latn")], "");
    for arguments in [&["run"][..], &["run", "--json", "--model", "random"], &["fetch"]] {
        let said = refuse(folder.path(), arguments);
        assert!(
            said.contains("found no filter, which would mean ") && said.contains("or pass `--all`"),
            "{said}"
        );
        assert!(said.contains("--registry indonesia"), "{said}");
    }
    let run = Run::of(host(folder.path()).args(["run", "--registry", "mine.toml", "--quiet"])).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_filter_that_leaves_nothing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    write_registry(folder.path(), &[("", "A", "ind-Latn"), ("", "B", "jav-Latn")], "");
    let run = |more: &[&str]| refuse(folder.path(), &[&["run", "--registry", "mine.toml"], more].concat());
    insta::assert_snapshot!(run(&["--language", "vie"]), @"error: no task matches: `--language vie` leaves none of 2 tasks, which have: ind-Latn, jav-Latn");
    insta::assert_snapshot!(run(&["--task-type", "Retrieval"]), @"error: no task matches: `--task-type Retrieval` leaves none of 2 tasks, which have: STS");
    insta::assert_snapshot!(run(&["--task", "A", "--task", "B", "--language", "jav"]), @"error: task A: expected one that matches `--language jav`, found: ind-Latn; leave out the task or the option");
}

#[test]
fn a_language_is_found_by_every_name_that_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = [("", "A", "vie-Latn"), ("", "B", "swh-Latn"), ("", "C", "swa-Latn"), ("", "D", "zho-Hant")];
    write_registry(folder.path(), &tasks, "");
    for (language, found) in [
        ("vi", &["A"][..]),
        ("vie", &["A"]),
        ("vie-Latn", &["A"]),
        ("vietnamese", &["A"]),
        ("swa", &["B", "C"]),
        ("swh", &["B", "C"]),
        ("sw", &["B", "C"]),
        ("cmn", &["D"]),
        ("zh-Hant", &["D"]),
    ] {
        assert_eq!(names(&list_tasks(folder.path(), &["--language", language])), found, "{language}");
    }
    insta::assert_snapshot!(refuse(folder.path(), &["list", "tasks", "--registry", "mine.toml", "--language", "Vietnamees"]), @"error: expected a language such as `ind`, `ind-Latn`, `id` or `Indonesian` (ISO 639, ISO 15924), found: Vietnamees (near it: Vietnamese)");
}

#[test]
fn a_benchmark_names_tasks_and_subsets_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = [("", "Alpha", "ind-Latn")];
    let mut all = String::new();
    for (members, more) in [
        ("\"Alfa\"", ""),
        ("\"Alpha:ind\"", ""),
        ("\"type:ST\"", ""),
        ("\"*\"", "languages = [\"ind\", \"xx1\"]\n"),
    ] {
        let benchmark = format!("[[benchmark]]\nname = \"Mine(all)\"\ntasks = [{members}]\n{more}");
        write_registry(folder.path(), &tasks, &benchmark);
        let said = refuse(folder.path(), &["run", "--registry", "mine.toml", "--task", "Alpha"]);
        let validated = refuse(folder.path(), &["validate", "mine.toml"]);
        assert_eq!(validated, format!("{said}error: 1 fault in 2 files\n"));
        all += &said;
    }
    insta::assert_snapshot!(all, @r"
    error: mine.toml:6:10: benchmark Mine(all): registry mine has no task that matches: Alfa
    error: mine.toml:6:10: benchmark Mine(all): task Alpha: expected subsets among default; found: ind
    error: mine.toml:6:10: benchmark Mine(all): registry mine has no task of the type ST (near it: STS)
    error: mine.toml:7:21: benchmark Mine(all): expected a language such as `ind`, `ind-Latn`, `id` or `Indonesian` (ISO 639, ISO 15924), found: xx1 (`mteb-host list tasks` shows those of each task)
    ");
}

#[test]
fn a_subset_of_a_benchmark_in_another_language_is_told_from_one_that_nobody_named() {
    let folder = tempfile::tempdir().unwrap();
    let card = "schema = 1\nname = \"Multi\"\ntype = \"STS\"\ndescription = \"d\"\n[dataset]\npath = \"data\"\n[subsets]\n\
                vie = { languages = [\"vie-Latn\"] }\nzho = { languages = [\"zho-Hans\"] }\n";
    fs::write(folder.path().join("multi.toml"), card).unwrap();
    fs::create_dir(folder.path().join("data")).unwrap();
    let registry = "schema = 1\nname = \"mine\"\ncards = [\"multi.toml\"]\n[[benchmark]]\nname = \"B\"\n\
                    tasks = [\"Multi:zho\"]\nlanguages = [\"vi\"]\n";
    fs::write(folder.path().join("mine.toml"), registry).unwrap();
    let said = refuse(folder.path(), &["list", "tasks", "--registry", "mine.toml", "--benchmark", "B"]);
    insta::assert_snapshot!(said, @"error: mine.toml:6:10: benchmark B: expected subsets in vi, the `languages` of the benchmark, found: Multi:zho, whose languages are zho-Hans; add them to `languages`, or leave it out");
}

#[test]
fn every_mistyped_name_is_answered_with_one_near_it() {
    let folder = tempfile::tempdir().unwrap();
    let said = |arguments: &[&str]| refuse(folder.path(), arguments);
    insta::assert_snapshot!(said(&["run", "--task", "SciFakt"]), @"error: expected the name of a task, found: SciFakt (near it: SciFact); name a card of your own with `--registry FILE`");
    insta::assert_snapshot!(said(&["show", "task", "scifact2"]), @"error: expected the name of a task, found: scifact2 (near it: SciFact); name a card of your own with `--registry FILE`");
    insta::assert_snapshot!(said(&["run", "--registry", "indonesai"]), @"error: indonesai: expected the name of a registry or a file, found neither (near it: indonesia, indonesia@1, indonesia@2); known are: graded, indonesia, indonesia-full, indonesia-graded, indonesia-hub, indonesia@1, indonesia@2, indonesia@judged-1, mteb, mteb-eng-v1");
    insta::assert_snapshot!(said(&["list", "tasks", "--task-type", "retreival"]), @"error: expected a task type among BitextMining, Classification, MultilabelClassification, Clustering, PairClassification, Reranking, Retrieval, STS, Summarization, InstructionRetrieval, InstructionReranking, Regression; found: retreival (near it: Retrieval)");
    insta::assert_snapshot!(said(&["run", "--task", "NusaX-senti:inx"]), @"error: task NusaX-senti: expected subsets among ace, ban, bjn, bug, eng, ind, jav, mad, min, nij, sun, bbc; found: inx (near it: ind)");
    insta::assert_snapshot!(said(&["show", "model", "intfloat/multilingual-e5-smal"]), @"error: expected a model with a card or from a plugin, found: intfloat/multilingual-e5-smal (near it: intfloat/multilingual-e5-small, intfloat/multilingual-e5-base) (models without a card run too)");
    let model = said(&["run", "--registry", "indonesia", "--model", "hasing"]);
    assert!(model.contains("found: hasing (near it: hashing)"), "{model}");
    let benchmark = said(&["list", "tasks", "--benchmark", "Indonesia-MTEB(cor)"]);
    assert!(benchmark.contains("found: Indonesia-MTEB(cor) (near it: Indonesia-MTEB(core)"), "{benchmark}");
    fs::write(folder.path().join("p.toml"), "schema = 1\nname = \"p\"\npacks = [\"indonesa\"]\n").unwrap();
    let pack = said(&["validate", "p.toml"]);
    assert!(pack.contains("p.toml:3:10: expected the task pack `indonesa` among the plugins, found none (near it: indonesia)"), "{pack}");
}

#[test]
fn a_card_with_the_name_of_a_task_of_the_host_is_warned_about() {
    let folder = tempfile::tempdir().unwrap();
    write_registry(folder.path(), &[("", "STS12", "ind-Latn")], "");
    let warning = "warning: cards/STS12.toml:2:8: task STS12: this card is used, but a task that comes with \
                   mteb-host has the same name; its scores are not those of that task, so give it a name of its own\n";
    for arguments in [
        &["run", "--quiet", "--registry", "mine.toml"][..],
        &["list", "tasks", "--registry", "mine.toml"],
        &["validate", "mine.toml"],
    ] {
        let run = Run::of(host(folder.path()).args(arguments)).unwrap();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), warning), "{arguments:?}");
    }
    let names = |run: Run| -> Value { run.json().unwrap() };
    let shown = Run::of(host(folder.path()).args(["validate", "mine.toml", "--json"])).unwrap();
    assert_eq!(names(shown)["warnings"][0]["file"], "cards/STS12.toml");
}

#[test]
fn cards_that_say_the_same_and_lead_to_other_data_are_two_tasks() {
    let folder = tempfile::tempdir().unwrap();
    for (place, score) in [("a", 3), ("b", 1)] {
        let place = folder.path().join(place);
        fs::create_dir(&place).unwrap();
        fs::write(place.join("t.toml"), card("T", "ind-Latn")).unwrap();
        let rows = format!("sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a c,{score}\n");
        fs::write(place.join("pairs.csv"), rows).unwrap();
    }
    let registries = ["--registry", "a/t.toml", "--registry", "b/t.toml"];
    let run = Run::of(host(folder.path()).args(["run", "--json"]).args(registries)).unwrap();
    assert_eq!(run.code, Some(0));
    insta::assert_snapshot!(run.stderr, @"warning: b/t.toml:2:8: task T: this card is ignored, that of a/t.toml is used");
    let twice = ["list", "tasks", "--json", "--registry", "a/t.toml", "--registry", "./a/t.toml"];
    let twice = Run::of(host(folder.path()).args(twice)).unwrap();
    assert_eq!((names(&twice), twice.stderr.as_str()), (vec!["T".to_owned()], ""), "one card is one task");
    fs::write(folder.path().join("b/in.toml"), "schema = 1\nname = \"b\"\ncards = [\"t.toml\"]\n").unwrap();
    let including = "schema = 1\nname = \"mine\"\ncards = [\"a/t.toml\"]\ninclude = [\"b/in.toml\"]\n";
    fs::write(folder.path().join("mine.toml"), including).unwrap();
    let included = list_tasks(folder.path(), &[]);
    assert!(included.stderr.contains("b/t.toml:2:8: task T: this card is ignored"), "{}", included.stderr);
}

#[test]
fn what_is_asked_for_and_not_there_is_answered_with_what_is() {
    let folder = tempfile::tempdir().unwrap();
    write_registry(folder.path(), &[("a", "MyTask", "ind-Latn")], "");
    let benchmark = refuse(folder.path(), &["run", "--registry", "mine.toml", "--benchmark", "X"]);
    insta::assert_snapshot!(benchmark, @"error: expected a benchmark, found: X; no registry that was read has any: mine.toml");
    let task = refuse(folder.path(), &["stats", "MyTask"]);
    assert!(task.ends_with("; name a card of your own with `--registry FILE`\n"), "{task}");
    let revision =
        Run::of(host(folder.path()).args(["run", "--registry", "mine.toml", "--revision", "none"])).unwrap();
    assert_ne!(revision.code, Some(0));
    insta::assert_snapshot!(revision.stderr, @"error: model hashing: expected revision none, found only 1");
}

/// Writes a folder of registries with one, `name`, whose only card is called as a task of the host is.
fn write_own_tatoeba(folder: &Path, name: &str) {
    fs::create_dir_all(folder.join("cards")).unwrap();
    let card = "schema = 1\nname = \"Tatoeba\"\ntype = \"BitextMining\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
                [dataset]\npath = \"rows.csv\"\n";
    fs::write(folder.join("cards/Tatoeba.toml"), card).unwrap();
    fs::write(folder.join("cards/rows.csv"), "sentence1,sentence2\na b,a b\nc d,c d\n").unwrap();
    let benchmark = "[[benchmark]]\nname = \"Own\"\ntasks = [\"Tatoeba\"]\n";
    let registry = format!("schema = 1\nname = \"{name}\"\ncards = [\"cards\"]\n{benchmark}");
    fs::write(folder.join(format!("{name}.toml")), registry).unwrap();
}

#[test]
fn a_folder_of_registries_takes_precedence_over_the_host_however_its_registry_is_called() {
    for name in ["aa", "zz"] {
        let folder = tempfile::tempdir().unwrap();
        write_own_tatoeba(&folder.path().join("own"), name);
        for arguments in [["--task", "Tatoeba"], ["--benchmark", "Own"]] {
            let mut command = host(folder.path());
            command.env("MTEB_HOST_REGISTRIES", folder.path().join("own"));
            let run = Run::of(command.args(["list", "tasks", "--json"]).args(arguments)).unwrap();
            let tasks = run.json().unwrap();
            assert_eq!(tasks[0]["registry"], name, "{}", run.stderr);
            let counts =
                "task Tatoeba: this card is used, but a task that comes with mteb-host has the same name";
            assert!(run.stderr.contains(counts), "{}", run.stderr);
            assert!(!run.stderr.contains("left out"), "{}", run.stderr);
        }
    }
}

#[test]
fn a_card_that_is_left_out_is_named_where_its_name_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one", "two"] {
        write_own_tatoeba(&folder.path().join(name), name);
    }
    let list = |arguments: &[&str]| {
        let mut command = host(folder.path());
        command.args(["list", "tasks", "--registry", "one/one.toml", "--registry", "two/two.toml"]);
        Run::of(command.args(arguments)).unwrap().stderr
    };
    let left_out = "two/cards/Tatoeba.toml:2:8: task Tatoeba: this card is ignored, that of \
                    one/cards/Tatoeba.toml is used";
    assert!(list(&[]).contains(left_out), "{}", list(&[]));
    let benchmark = "two/two.toml:5:8: benchmark Own: this one is ignored, that of one/one.toml is used";
    assert!(list(&["--benchmark", "Own"]).contains(benchmark), "{}", list(&["--benchmark", "Own"]));
}

#[test]
fn a_copy_of_a_card_of_the_host_is_the_same_task() {
    let folder = tempfile::tempdir().unwrap();
    let card = mteb_host_tests::root().join("registries/cards/Tatoeba.toml");
    fs::copy(card, folder.path().join("Tatoeba.toml")).unwrap();
    let list = Run::of(host(folder.path()).args(["list", "tasks", "--registry", "Tatoeba.toml"])).unwrap();
    assert_eq!((list.code, list.stderr.as_str()), (Some(0), ""));
}

#[test]
fn two_benchmarks_of_a_registry_have_two_names() {
    let folder = tempfile::tempdir().unwrap();
    let benchmark = "[[benchmark]]\nname = \"Own\"\ntasks = [\"*\"]\n";
    write_registry(folder.path(), &[("", "MySTS", "ind-Latn")], &benchmark.repeat(2));
    let said = refuse(folder.path(), &["validate", "mine.toml"]);
    assert!(said.contains("mine.toml:8:8: expected benchmarks of different names, found two: Own"), "{said}");
}

#[test]
fn subsets_of_a_card_are_evaluated_in_the_order_in_which_it_names_them() {
    let folder = tempfile::tempdir().unwrap();
    mteb_host_tests::write_pair_card(folder.path(), "MySTS", &["jav", "ind", "sun"]).unwrap();
    let run =
        Run::of(host(folder.path()).args(["list", "tasks", "--registry", "task.toml", "--json"])).unwrap();
    assert_eq!(run.json().unwrap()[0]["subsets"], serde_json::json!(["jav", "ind", "sun"]));
}

#[test]
fn a_plugin_that_a_registry_needs_and_that_is_not_there_is_warned_about() {
    let folder = tempfile::tempdir().unwrap();
    write_registry(folder.path(), &[("", "MySTS", "ind-Latn")], "plugins = [\"hashing-encodr\"]\n");
    let expected = "warning: mine.toml:4:12: expected the plugin `hashing-encodr`, which the registry requires, \
                    found none (near it: hashing-encoder); `mteb-host doctor` lists the folders that were \
                    searched\n";
    for arguments in [&["run", "--quiet", "--registry", "mine.toml"][..], &["validate", "mine.toml"]] {
        let run = Run::of(host(folder.path()).args(arguments)).unwrap();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), expected), "{arguments:?}");
    }
}

#[test]
fn a_benchmark_that_names_a_task_without_its_languages_is_at_fault() {
    let folder = tempfile::tempdir().unwrap();
    let benchmark = "[[benchmark]]\nname = \"B\"\ntasks = [\"A\", \"B\"]\nlanguages = [\"ind\"]\n";
    write_registry(folder.path(), &[("", "A", "ind-Latn"), ("", "B", "jav-Latn")], benchmark);
    let run = Run::of(host(folder.path()).args(["validate", "mine.toml"])).unwrap();
    let expected = "benchmark B: expected a task with a subset in ind, found: B, of which the registry includes \
                    none; name its subsets here, as `B:SUBSET`, or leave it out";
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains(expected), "{}", run.stderr);
}

#[test]
fn a_registry_that_has_the_name_of_one_of_the_host_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    write_registry(folder.path(), &[("", "A", "ind-Latn")], "");
    fs::create_dir(folder.path().join("own")).unwrap();
    fs::rename(folder.path().join("cards"), folder.path().join("own/cards")).unwrap();
    fs::rename(folder.path().join("mine.toml"), folder.path().join("own/indonesia.toml")).unwrap();
    let listed = Run::of(host(folder.path()).env("MTEB_HOST_REGISTRIES", folder.path().join("own")).args([
        "list",
        "tasks",
        "--registry",
        "indonesia",
        "--json",
    ]))
    .unwrap();
    assert_eq!(names(&listed), ["A"]);
    let expected = "registry indonesia: this one is used, the one that comes with mteb-host is ignored";
    assert!(listed.stderr.contains(expected), "{}", listed.stderr);
}

#[test]
fn an_absolute_path_in_a_card_is_at_fault() {
    let folder = tempfile::tempdir().unwrap();
    write_registry(folder.path(), &[("", "A", "ind-Latn")], "");
    let file = folder.path().join("cards/A.toml");
    let absolute = folder.path().join("cards/pairs.csv").display().to_string();
    let text = fs::read_to_string(&file).unwrap().replace("pairs.csv", &absolute);
    fs::write(&file, text).unwrap();
    let run = Run::of(host(folder.path()).args(["validate", "cards/A.toml"])).unwrap();
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let expected =
        format!("expected a path relative to the card's folder, found an absolute one: {absolute}");
    assert!(run.stderr.contains(&expected), "{}", run.stderr);
}
