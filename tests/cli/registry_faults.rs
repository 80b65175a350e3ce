//! What `validate` says of a registry at fault and of the cards beside it: all faults of a card at once, each
//! with its place, and successors that nobody knows.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};

/// A registry whose cards lie in a folder of their own, and whose data lie beside that folder.
fn registry(root: &Path, lines: &str) {
    for folder in ["cards/sts", "data", "models"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    for name in ["One", "Two"] {
        card(root, name, "");
        let rows = "sentence1,sentence2,score\na b,b c,1\nd e f,d e,4\nb c,b,2\n";
        fs::write(root.join(format!("data/{name}.csv")), rows).unwrap();
    }
    fs::write(root.join("mine.toml"), format!("schema = 1\nname = \"mine\"\n{lines}")).unwrap();
}

fn card(root: &Path, name: &str, line: &str) {
    let head = format!(
        "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"vie-Latn\"]\n{line}"
    );
    let card = format!("{head}[dataset]\npath = \"../../data/{name}.csv\"\n");
    fs::write(root.join(format!("cards/sts/{name}.toml")), card).unwrap();
}

/// The first lines of what is said of the folder, without the line that counts faults.
fn validate_registry(root: &Path, code: i32) -> String {
    let run = Run::of(host(root).args(["validate", "."]).env("TERM", "dumb")).unwrap();
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    let lines = run.stderr.lines().filter(|line| !line.contains("fault in ") && !line.contains("faults in "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_registry_at_fault_makes_no_card_beside_it_faulty() {
    let root = tempfile::tempdir().unwrap();
    let said = |lines: &str| {
        registry(root.path(), lines);
        validate_registry(root.path(), 2)
    };
    insta::assert_snapshot!(said("cards = [\"cards\"]\ntasks = [\"One\", \"Tow\"]\n"), @"error: ./mine.toml:4:17: expected the card Tow.toml in `cards` (cards), found none (near it: Two)");
    insta::assert_snapshot!(said("card = [\"cards\"]\n"), @"error: ./mine.toml:3:1: unknown key `card` (near it: cards)");
    insta::assert_snapshot!(said("cards = [\"card\"]\n"), @"error: ./mine.toml:3:10: ./card: expected a card file or a folder of cards, found nothing there (near it: cards)");
    insta::assert_snapshot!(said("cards = [\"card\"]\ntasks = [\"One\", \"Two\"]\n"), @"error: ./mine.toml:3:10: ./card: expected a card file or a folder of cards, found nothing there (near it: cards)");
    registry(root.path(), "cards = [\"cards\"]\n");
    assert_eq!(validate_registry(root.path(), 0), "");
}

#[test]
fn a_card_whose_data_lies_above_it_is_still_told_of_without_a_registry() {
    let root = tempfile::tempdir().unwrap();
    registry(root.path(), "");
    fs::remove_file(root.path().join("mine.toml")).unwrap();
    let said = validate_registry(root.path(), 1);
    assert_eq!(said.matches("expected data below the folder of the registry").count(), 2, "{said}");
}

#[test]
fn a_successor_that_nobody_knows_is_warned_about() {
    let root = tempfile::tempdir().unwrap();
    let benchmark = |name: &str, newer: &str| {
        format!("[[benchmark]]\nname = \"{name}\"\ntasks = [\"One\"]\nsuperseded_by = [\"{newer}\"]\n")
    };
    let benchmarks = benchmark("Old", "New") + &benchmark("New", "BEIR") + &benchmark("Newer", "Newr");
    registry(root.path(), &format!("cards = [\"cards\"]\n{benchmarks}"));
    card(root.path(), "One", "superseded_by = \"Twoo\"\n");
    card(root.path(), "Two", "superseded_by = \"STS12\"\n");
    let model = |name: &str, newer: &str| {
        let text = format!("schema = 1\nname = \"my/{name}\"\nsuperseded_by = \"{newer}\"\n");
        fs::write(root.path().join(format!("models/my__{name}.toml")), text).unwrap();
    };
    model("old", "my/nwe");
    model("new", "intfloat/multilingual-e5-small");
    insta::assert_snapshot!(validate_registry(root.path(), 0), @r"
    warning: ./mine.toml:15:18: benchmark Newer: expected the name of a known benchmark, found: Newr (near it: New, Newer)
    warning: ./cards/sts/One.toml:6:17: expected the name of a known task, found: Twoo (near it: Two)
    warning: ./models/my__old.toml:3:17: expected the name of a known model, found: my/nwe (near it: my/new)
    ");
}

/// What a command says of the registry `mine.toml`.
fn list_warnings(root: &Path, arguments: &[&str]) -> String {
    let run = Run::of(host(root).args(arguments)).unwrap();
    assert!(run.code == Some(0) || run.stderr.contains("found none"), "{}", run.stderr);
    run.stderr
        .lines()
        .filter(|line| line.starts_with("warning: "))
        .fold(String::new(), |all, line| all + line + "\n")
}

#[test]
fn what_is_odd_about_names_is_said_by_whoever_reads_the_registry() {
    let root = tempfile::tempdir().unwrap();
    let benchmark = |name: &str, newer: &str| {
        format!("[[benchmark]]\nname = \"{name}\"\ntasks = [\"One\"]\nsuperseded_by = [\"{newer}\"]\n")
    };
    registry(root.path(), &format!("cards = [\"cards\"]\n{}{}", benchmark("V", "Nope"), benchmark("W", "W")));
    let file = root.path().join("mine.toml");
    let text = fs::read_to_string(&file).unwrap().replace("name = \"mine\"", "name = \"mteb\"");
    fs::write(&file, text).unwrap();
    card(root.path(), "One", "superseded_by = \"One\"\n");
    let validated = list_warnings(root.path(), &["validate", "mine.toml"]);
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    insta::assert_snapshot!(sorted(&validated).join("\n"), @r"
    warning: cards/sts/One.toml:6:17: expected another task, found its own name: One; leave it out, or name what replaces it
    warning: mine.toml: registry mteb: this has the name of one that comes with mteb-host; its means are not those of that one, so give it a name of its own
    warning: mine.toml:11:18: benchmark W: expected another benchmark, found its own name: W; leave it out, or name what replaces it
    warning: mine.toml:7:18: benchmark V: expected the name of a known benchmark, found: Nope
    ");
    for command in [&["run", "--quiet"][..], &["leaderboard"], &["leaderboard", "--benchmark", "V"]] {
        let arguments = [command, &["--registry", "mine.toml"]].concat();
        let mut lines = sorted(&list_warnings(root.path(), &arguments));
        lines.retain(|line| !line.starts_with("warning: the means are over all 2 tasks of mine"));
        assert_eq!(lines, sorted(&validated), "{command:?}");
    }
}

#[test]
fn tasks_of_one_name_in_two_registries_that_are_validated_together_are_told_of() {
    let root = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        registry(&root.path().join(name), "cards = [\"cards\"]\n");
    }
    let files = ["a/mine.toml", "b/mine.toml"];
    let validated = list_warnings(root.path(), &[&["validate"], &files[..]].concat());
    let expected = "warning: b/cards/sts/One.toml:2:8: task One: this card is ignored, that of \
                    a/cards/sts/One.toml is used\n";
    assert!(validated.contains(expected) && validated.lines().count() == 2, "{validated}");
    assert_eq!(
        list_warnings(root.path(), &["run", "--quiet", "--registry", files[0], "--registry", files[1]]),
        validated
    );
}

#[test]
fn faults_of_a_registry_are_told_in_the_order_of_its_lines() {
    let root = tempfile::tempdir().unwrap();
    registry(root.path(), "include = [\"Nope\"]\npacks = [\"nopack\"]\ncards = [\"cards\"]\n");
    let of = |arguments: &[&str]| Run::of(host(root.path()).args(arguments)).unwrap().stderr;
    let run = of(&["run", "--registry", "mine.toml"]);
    assert!(run.starts_with("error: mine.toml:3:12: ") && run.contains("\nerror: mine.toml:4:10: "), "{run}");
    assert!(of(&["validate", "mine.toml"]).starts_with(&run), "{run}");
}

#[test]
fn a_registry_that_is_not_there_is_told_of_with_what_is_near_it() {
    let root = tempfile::tempdir().unwrap();
    registry(root.path(), "cards = [\"cards\"]\n");
    fs::rename(root.path().join("mine.toml"), root.path().join("vietnam.toml")).unwrap();
    let of = |name: &str| Run::of(host(root.path()).args(["run", "--registry", name])).unwrap().stderr;
    for name in ["vietnm", "vietnam"] {
        let expected = format!(
            "error: {name}: expected the name of a registry or a file, found neither (near it: vietnam.toml); known are: "
        );
        assert!(of(name).starts_with(&expected), "{}", of(name));
    }
    assert!(of("indonesai").contains("(near it: indonesia"), "{}", of("indonesai"));
    assert_eq!(
        of("vietnm.toml"),
        "error: vietnm.toml: expected a registry or card file, found no such file (near it: vietnam.toml)\n"
    );
}

/// What `validate` says of a card, or of another file.
fn validate_file(name: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("c.toml"), "schema = 1\n").unwrap();
    fs::write(folder.path().join("d.csv"), "sentence1,sentence2,score\na,b,1\nc,d,2\n").unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let run = Run::of(host(folder.path()).args(["validate", name])).unwrap();
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    run.stderr
}

#[test]
fn each_unknown_key_is_a_fault_at_its_own_place() {
    insta::assert_snapshot!(validate_file("c.toml", "schema = 1\nnmae = \"K\"\ntype = \"STS\"\ndescripton = \"x\"\nlanguages = [\"ind-Latn\"]\n[datset]\npath = \"d.csv\"\n"), @r"
    error: c.toml:2:1: unknown key `nmae` (near it: name)
    error: c.toml:4:1: unknown key `descripton` (near it: description)
    error: c.toml:6:2: unknown key `datset` (near it: dataset, date)
    error: 3 faults in 1 file
    ");
}

#[test]
fn a_fault_of_the_form_hides_no_fault_that_does_not_follow_from_it() {
    let head = "schema = 1\nname = \"K\"\ntype = \"STS\"\ndescription = \"x\"\nlanguages = [\"xxx-Latn\"]\n\
                main_score = \"cosine_sperman\"\n[dataset]\npath = \"d.csv\"\n";
    let protocol = "columns = { sentense1 = \"a\" }\n[protocol]\nmax_score = \"5\"\nmin_score = 6\nsamples_per_label = 4\n";
    insta::assert_snapshot!(validate_file("c.toml", &format!("{head}{protocol}")), @r#"
    error: c.toml:5:14: expected a language of ISO 639-3 as in `ind-Latn`, found: xxx-Latn
    error: c.toml:6:14: expected a score of STS, such as cosine_spearman, found: cosine_sperman
    error: c.toml:9:25: expected a column of a task of type STS (sentence1, sentence2, score) before `=`, and after it the file's name for it, found: sentense1 (near it: sentence1, sentence2)
    error: c.toml:11:13: protocol.max_score: expected a number, found a string: "5"
    error: c.toml:13:21: a task of type STS has no option `samples_per_label`; it has: min_score, max_score, roles
    error: 5 faults in 1 file
    "#);
    // Nobody knows what the type should be: what depends on it is not told.
    let typeless = validate_file("c.toml", &format!("{head}{protocol}").replace("\"STS\"", "\"Sst\""));
    let lines: Vec<&str> = typeless.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(lines, ["c.toml:3:8", "c.toml:5:14", "c.toml:11:13", "3 faults in 1 file"]);
}

#[test]
fn a_text_without_quotes_is_shown_with_them() {
    let card = "schema = 1\nname = \"K\"\ntype = \"STS\"\ndescription = \"x\"\nlanguages = ind-Latn\n";
    insta::assert_snapshot!(validate_file("c.toml", card), @r#"
    error: c.toml:5:13: expected a string in quotes, `"ind-Latn"`, found one without: ind-Latn
    error: 1 fault in 1 file
    "#);
}

#[test]
fn a_file_of_data_is_not_read_as_a_card() {
    insta::assert_snapshot!(validate_file("d.csv", "text,label\na,b\n"), @r"
    error: d.csv: expected a card or a registry (TOML), found a data file by its suffix; name the card whose `path` leads to it (next to it: c.toml)
    error: 1 fault in 1 file
    ");
}
