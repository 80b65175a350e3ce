//! `validate`: every fault with its file, line and column, and what is allowed.

use std::fs;

use mteb_host_tests::{Run, host};

use super::new_task::Task;

#[test]
fn every_registry_of_the_project_is_valid() {
    let folder = tempfile::tempdir().unwrap();
    let registries = ["indonesia", "indonesia-hub", "indonesia-full", "mteb-eng-v1", "graded"];
    let run = Run::of(host(folder.path()).arg("validate").args(registries)).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_name_of_a_registry_goes_before_a_folder_of_that_name() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("indonesia")).unwrap();
    fs::write(folder.path().join("indonesia/broken.toml"), "type = \"STS\"").unwrap();
    let run = |what: &str| Run::of(host(folder.path()).args(["validate", what])).unwrap();
    assert_eq!(run("indonesia").code, Some(0));
    let broken = run("./indonesia");
    assert!(broken.code == Some(2) && broken.stderr.contains("broken.toml:1:1"), "{}", broken.stderr);
}

#[test]
fn cards_of_judges_are_checked_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("reader.toml");
    let card = "schema = 1\nname = \"reader\"\ntitle = \"A reader\"\nthreshold = 6.0\n\n[endpoint]\nstyle = \"import\"\nmodel = \"m\"\n\n\
                [prompt]\nlanguage = \"en\"\nversion = 1\n";
    let validate = |text: &str, what: &str| {
        fs::write(&file, text).unwrap();
        Run::of(host(folder.path()).args(["validate", what])).unwrap()
    };
    for what in ["reader.toml", "."] {
        let sound = validate(card, what);
        assert_eq!((sound.code, sound.stderr.as_str()), (Some(0), ""), "{what}");
    }
    let unknown = validate(&card.replace("threshold", "treshold"), "reader.toml");
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("reader.toml:4:1: unknown key `treshold`"), "{}", unknown.stderr);
    let address = validate(&card.replace("model =", "url = \"https://a\"\nmodel ="), ".");
    assert_eq!(address.code, Some(2));
    assert!(
        address.stderr.contains("expected no `endpoint.url` with the style `import`"),
        "{}",
        address.stderr
    );
}

#[test]
fn a_fault_of_the_schema_is_pointed_at() {
    insta::assert_snapshot!(faults("type = \"STS\"", "type = \"Clasification\""), @r#"
    error: card.toml:3:8: type: expected one of BitextMining, Classification, MultilabelClassification, Clustering, PairClassification, Reranking, Retrieval, STS, Summarization, InstructionRetrieval, InstructionReranking, Regression; found: "Clasification" (near it: Classification)
    error: 1 fault in 1 file
    "#);
    insta::assert_snapshot!(faults("description = \"d\"", "descripton = \"d\""), @r"
    error: card.toml:4:1: unknown key `descripton` (near it: description)
    error: 1 fault in 1 file
    ");
}

#[test]
fn a_fault_of_the_meaning_is_pointed_at() {
    insta::assert_snapshot!(faults("\"ind-Latn\"", "\"indonesian\""), @r#"
    error: card.toml:5:14: expected a language and a script such as `ind-Latn` (ISO 639-3, ISO 15924), found: indonesian; did you mean `ind-Latn`, or `ind` with another script?
    error: 1 fault in 1 file
    "#);
    insta::assert_snapshot!(faults("name = \"T\"", "name = \"T\"\ndate = [\"2026-01-01\", \"2026-02-30\"]"), @r"
    error: card.toml:3:23: expected a day from 01 to 28 in 2026-02, found: 2026-02-30
    error: 1 fault in 1 file
    ");
    insta::assert_snapshot!(faults("path = \"x.csv\"", "hub = \"a/b\"\nrevision = \"main\""), @r#"
    error: card.toml:9:12: expected a `revision`, a commit of 40 hex digits, found: "main"
    error: 1 fault in 1 file
    "#);
    insta::assert_snapshot!(faults("path = \"x.csv\"", "path = \"x.csv\"\nmerge_splits = { test = [\"dev\", \"test\", \"dev\"] }"), @"
    error: card.toml:9:25: expected each split once, found `dev` twice: its rows would count twice
    error: 1 fault in 1 file
    ");
    insta::assert_snapshot!(faults("path = \"x.csv\"", "path = \"x.csv\"\n[protocol]\nsamples_per_label = 8"), @r"
    error: card.toml:10:21: a task of type STS has no option `samples_per_label`; it has: min_score, max_score, roles
    error: 1 fault in 1 file
    ");
}

#[test]
fn a_word_of_a_list_is_answered_with_the_list() {
    insta::assert_snapshot!(faults("path = \"x.csv\"", "path = \"x.csv\"\nlayout = \"lang_column\""), @r#"
    error: card.toml:9:10: dataset.layout: expected one of config-per-subset, lang-column, parallel-columns, part-suffix, belebele; found: "lang_column" (near it: lang-column)
    error: 1 fault in 1 file
    "#);
}

#[test]
fn a_language_is_one_of_the_standards() {
    insta::assert_snapshot!(faults("\"ind-Latn\"", "\"idn-Latx\""), @r#"
    error: card.toml:5:14: expected codes of ISO 639-3 and ISO 15924 as in `ind-Latn`, found: idn-Latx (near it: Latf, Latg, Latn)
    error: 1 fault in 1 file
    "#);
}

#[test]
fn a_fault_of_a_card_is_said_once() {
    insta::assert_snapshot!(faults("name = \"T\"", "name = \"model_meta\""), @r"
    error: card.toml:2:8: expected an unused name, because `model_meta.json` is the file that describes the model of the results, found: model_meta
    error: 1 fault in 1 file
    ");
    insta::assert_snapshot!(faults("path = \"x.csv\"", "hub = \"a/b\""), @r"
    error: card.toml:7:2: expected a `revision`, a commit of 40 hex digits, found none
    error: 1 fault in 1 file
    ");
}

#[test]
fn an_unknown_key_is_answered_with_those_that_fit_there() {
    let protocol = |line: &str| faults("path = \"x.csv\"", &format!("path = \"x.csv\"\n[protocol]\n{line}"));
    insta::assert_snapshot!(protocol("min_scor = 1"), @r"
    error: card.toml:10:1: protocol: unknown key `min_scor` (near it: min_score)
    error: 1 fault in 1 file
    ");
    insta::assert_snapshot!(protocol("wobble = 1"), @r"
    error: card.toml:10:1: protocol: unknown key `wobble`; expected one of min_score, max_score, roles
    error: 1 fault in 1 file
    ");
    insta::assert_snapshot!(faults("path = \"x.csv\"", "path = \"x.csv\"\n[quality]\nscore_bin = 5"), @r"
    error: card.toml:10:1: quality: unknown key `score_bin` (near it: score_bins)
    error: 1 fault in 1 file
    ");
    insta::assert_snapshot!(faults("path = \"x.csv\"", "pth = \"x.csv\""), @r"
    error: card.toml:8:1: dataset: unknown key `pth` (near it: path)
    error: 1 fault in 1 file
    ");
}

#[test]
fn a_key_that_stands_in_another_table_than_its_own_is_sent_there() {
    let moved = faults("path = \"x.csv\"", "path = \"x.csv\"\n[protocol]\nmain_score = \"pearson\"");
    insta::assert_snapshot!(moved, @r"
    error: card.toml:10:1: protocol: unknown key `main_score`, which belongs at the top of the file, before the first table
    error: 1 fault in 1 file
    ");
    insta::assert_snapshot!(faults("description = \"d\"", "description = \"d\"\nmax_score = 4"), @r"
    error: card.toml:5:1: unknown key `max_score`, which belongs under `[protocol]`
    error: 1 fault in 1 file
    ");
}

#[test]
fn a_value_of_another_type_is_called_what_it_is() {
    insta::assert_snapshot!(faults("\"d\"", "12"), @r"
    error: card.toml:4:15: description: expected a string, found an integer: 12
    error: 1 fault in 1 file
    ");
    insta::assert_snapshot!(faults("[\"ind-Latn\"]", "\"ind-Latn\""), @r#"
    error: card.toml:5:13: languages: expected a list, found a string: "ind-Latn"
    error: 1 fault in 1 file
    "#);
    insta::assert_snapshot!(faults("path = \"x.csv\"", "path = \"x.csv\"\nfirst_rows = \"ten\""), @r#"
    error: card.toml:9:14: dataset.first_rows: expected an integer, found a string: "ten"
    error: 1 fault in 1 file
    "#);
}

#[test]
fn what_a_card_changes_in_a_part_fits_the_part() {
    let rest = "path = \".\"\n[dataset.parts.corpus]\ngrade = 1\nunfold = true\njoin = { text = [] }\n\
                [dataset.parts.qrels]\nsplit = \"{subset}{x}\"";
    let card = CARD.replace("STS", "Retrieval").replace("path = \"x.csv\"", rest);
    insta::assert_snapshot!(faults_of(&card), @r"
    error: card.toml:10:9: only `qrels` has grades, not `corpus`
    error: card.toml:11:10: expected `columns` with the lists, found none
    error: card.toml:12:17: expected at least one column, found none
    error: card.toml:14:9: expected `{subset}`, `{split}` or none, found: {subset}{x}
    error: card.toml:14:9: expected subsets for `{subset}`, found none
    error: 5 faults in 1 file
    ");
}

#[test]
fn an_option_has_bounds() {
    let ranking = |line: &str| {
        let rest = format!("path = \".\"\n[protocol]\n{line}");
        faults_of(&CARD.replace("STS", "Retrieval").replace("path = \"x.csv\"", &rest))
    };
    insta::assert_snapshot!(ranking("k_values = [1, 10, 4000000000]"), @r"
    error: card.toml:10:20: protocol.k_values.2: expected a number of at most 10000, found: 4000000000
    error: 1 fault in 1 file
    ");
    insta::assert_snapshot!(ranking("k_values = [0, 10]"), @r"
    error: card.toml:10:13: protocol.k_values.0: expected a number of at least 1, found: 0
    error: 1 fault in 1 file
    ");
    insta::assert_snapshot!(ranking("k_values = [3, 10]"), @r"
    error: card.toml:10:12: expected cut-offs that include 1, which the accuracy needs, found: 3, 10
    error: 1 fault in 1 file
    ");
    insta::assert_snapshot!(ranking("k_values = [1, 3]"), @r"
    error: card.toml:10:12: expected a cut-off of `k_values` (1, 3) at the end of the main score, found 10: ndcg_at_10
    error: 1 fault in 1 file
    ");
    insta::assert_snapshot!(faults_of(&(CARD.replace("STS", "Clustering").replace("x.csv", ".") + "[protocol]\nrounds = 4000000000\n")), @r"
    error: card.toml:10:10: protocol.rounds: expected a number of at most 1000, found: 4000000000
    error: 1 fault in 1 file
    ");
    insta::assert_snapshot!(
        faults_of(&(CARD.replace("STS", "Classification").replace("x.csv", ".") + "[protocol]\nexperiments = 4000000000\n")),
        @r"
    error: card.toml:10:15: protocol.experiments: expected a number of at most 1000, found: 4000000000
    error: 1 fault in 1 file
    "
    );
}

#[test]
fn a_main_score_is_measured_at_a_cut_of_the_card() {
    let card = CARD
        .replace("type = \"STS\"", "type = \"Retrieval\"\nmain_score = \"ndcg_at_7\"")
        .replace("x.csv", ".");
    insta::assert_snapshot!(faults_of(&card), @r"
    error: card.toml:4:14: expected a cut-off of `k_values` (1, 3, 5, 10, 20, 100, 1000) at the end of the main score, found 7: ndcg_at_7
    error: 1 fault in 1 file
    ");
}

#[test]
fn a_path_where_no_data_is_is_pointed_at_and_a_run_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("outside.csv"), PAIRS).unwrap();
    let absolute = folder.path().canonicalize().unwrap().join("outside.csv").display().to_string();
    for (path, code, expected) in [
        (
            "absent.csv",
            1,
            "expected the dataset at mine/absent.csv, found nothing there; `path` is relative to the card",
        ),
        ("../outside.csv", 1, "expected data below the folder of the registry ("),
        (absolute.as_str(), 2, "expected a path relative to the card's folder, found an absolute one: "),
    ] {
        fs::write(folder.path().join("mine/card.toml"), CARD.replace("x.csv", path)).unwrap();
        let said = |arguments: &[&str]| {
            let run = Run::of(host(folder.path()).args(arguments)).unwrap();
            assert_eq!(run.code, Some(code), "{path}: {arguments:?}");
            run.stderr
        };
        let line = format!("mine/card.toml:8:8: {expected}");
        let validated = said(&["validate", "mine/card.toml"]);
        assert!(validated.starts_with(&format!("error: {line}")), "{validated}");
        let fault = validated.lines().next().unwrap().strip_prefix("error: ").unwrap();
        let run = said(&["run", "--registry", "mine/card.toml", "--quiet"]);
        assert!(run.contains(fault), "{run}\n{fault}");
    }
}

#[test]
fn a_run_says_of_a_card_what_validate_says() {
    for (from, to) in [
        ("description = \"d\"", "descripton = \"d\""),
        ("type = \"STS\"", "type = \"Clasification\""),
        ("\"ind-Latn\"", "\"indonesian\""),
        ("schema = 1", "schema = = 1"),
        ("path = \"x.csv\"", "path = 7"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("card.toml"), CARD.replace(from, to)).unwrap();
        let said = |arguments: &[&str]| Run::of(host(folder.path()).args(arguments)).unwrap();
        let (validated, run) = (said(&["validate", "card.toml"]), said(&["run", "--registry", "card.toml"]));
        assert_eq!((validated.code, run.code), (Some(2), Some(2)));
        assert_eq!(validated.stderr, format!("{}error: 1 fault in 1 file\n", run.stderr));
    }
}

#[test]
fn a_name_that_is_no_file_name_is_refused() {
    let long = "a".repeat(201);
    for name in ["../../out", "a/b", "a\\u0007b", ".hidden", "model_meta", long.as_str()] {
        let said = faults("name = \"T\"", &format!("name = \"{name}\""));
        assert!(said.starts_with("error: card.toml:2:8: expected a"), "{said}");
    }
}

#[test]
fn the_folders_of_a_folder_are_looked_into() {
    let folder = tempfile::tempdir().unwrap();
    let (cards, data) = (folder.path().join("all/in/cards"), folder.path().join("all/pairs.csv"));
    fs::create_dir_all(&cards).unwrap();
    fs::write(data, PAIRS).unwrap();
    fs::write(cards.join("T.toml"), CARD.replace("x.csv", "../../pairs.csv")).unwrap();
    fs::write(folder.path().join("all/mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"in\"]\n")
        .unwrap();
    fs::write(folder.path().join("all/settings.toml"), "[package]\nname = \"a\"\n").unwrap();
    let run = Run::of(host(folder.path()).args(["validate", "all"])).unwrap();
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "2 files checked, no faults\n"), "{}", run.stderr);
    assert!(run.stderr.starts_with("warning: all/settings.toml: left out"), "{}", run.stderr);
    fs::write(cards.join("T.toml"), CARD.replace("x.csv", "../../absent.csv")).unwrap();
    let run = Run::of(host(folder.path()).args(["validate", "all"])).unwrap();
    assert_eq!(run.code, Some(1), "the card is sound");
    assert!(
        run.stderr.contains("error: all/in/cards/T.toml:8:8: expected the dataset at "),
        "{}",
        run.stderr
    );
}

#[test]
fn a_folder_without_a_card_is_a_fault_and_never_stands_for_all_tasks() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    for arguments in [&["validate", "empty"][..], &["validate", "--data", "empty"]] {
        let run = Run::of(host(folder.path()).args(arguments).arg("--offline")).unwrap();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
        assert!(
            run.stderr.contains("empty: expected a card or a registry in the folder or below, found n"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_text_that_is_no_toml_is_pointed_at() {
    insta::assert_snapshot!(faults("schema = 1", "schema = = 1"), @r#"
    error: card.toml:1:10: extra `=`, expected nothing
    error: 1 fault in 1 file
    "#);
}

const CARD: &str = "schema = 1\nname = \"T\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\n[dataset]\npath = \"x.csv\"\n";

const PAIRS: &str = "sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a c,3\n";

/// What `validate` says of a sound card in which `from` is replaced by `to`.
fn faults(from: &str, to: &str) -> String {
    assert!(CARD.contains(from));
    faults_of(&CARD.replace(from, to))
}

/// What `validate` says of a card beside its data.
fn faults_of(card: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("card.toml"), card).unwrap();
    fs::write(folder.path().join("x.csv"), PAIRS).unwrap();
    let run = Run::of(host(folder.path()).args(["validate", "card.toml"])).unwrap();
    assert_eq!(run.code, Some(2), "{card}");
    run.stderr
}

#[test]
fn a_scale_that_cannot_be_is_pointed_at() {
    let said = |lines: &str| {
        let task = Task::pairs("sentence1,sentence2,score\na b,b,5\nc d,d e,3\n")
            .with(&format!("[protocol]\n{lines}"));
        let validate = Run::of(host(task.folder()).args(["validate", "card.toml"])).unwrap();
        let run = task.run(&[]);
        assert_eq!((validate.code, run.code), (Some(2), Some(2)), "{lines}: {}", run.stderr);
        assert!(
            validate.stderr.starts_with(run.stderr.trim_end()),
            "{lines}: {}\n{}",
            validate.stderr,
            run.stderr
        );
        run.stderr.trim_end().to_owned()
    };
    insta::assert_snapshot!(said("max_score = 0"), @"error: card.toml:9:13: expected more than `min_score`, which is 0, found: 0");
    insta::assert_snapshot!(said("min_score = 9"), @"error: card.toml:9:13: expected less than `max_score`, which is 5, found: 9");
    insta::assert_snapshot!(said("min_score = -1.7e308\nmax_score = 1.7e308"), @"error: card.toml:10:13: expected a scale that can be measured, found one from -1.7e308 to 1.7e308");
}

#[test]
fn what_a_registry_says_of_languages_and_names_means_something() {
    let said = |lines: &str| {
        let task = Task::pairs("sentence1,sentence2,score\na b,b,5\nc d,d e,3\n");
        let card = fs::read_to_string(task.folder().join("card.toml")).unwrap();
        task.write("T.toml", card);
        task.write("mine.toml", format!("schema = 1\nname = \"mine\"\ncards = [\"T.toml\"]\n{lines}\n"));
        let validate = Run::of(host(task.folder()).args(["validate", "mine.toml"])).unwrap();
        assert_eq!(validate.code, Some(2), "{lines}");
        validate.stderr.lines().next().unwrap().to_owned()
    };
    insta::assert_snapshot!(said("tasks = [\"T\"]\nlanguages = [\"xxx\"]"), @"error: mine.toml:5:14: expected a language of ISO 639-3 such as `ind` or `ind-Latn`, found: xxx");
    insta::assert_snapshot!(said("languages = [\"ind\"]"), @"error: mine.toml:4:13: expected `tasks` with `languages`, which restricts the tasks named there, found none; the languages of a benchmark are those of its `[[benchmark]]`");
    let benchmarks = "[[benchmark]]\nname = \"A\"\ntitle = \"a\"\ntasks = [\"*\"]\naliases = [\"B\"]\n[[benchmark]]\nname = \"B\"\ntitle = \"b\"\ntasks = [\"*\"]";
    insta::assert_snapshot!(said(benchmarks), @"error: mine.toml:8:12: benchmark A: expected an alias that no other benchmark of the registry has, found: B");
}
