//! The page about types of tasks of one's own: what it prints of a type in Python works as it stands there.

use std::fs;

use mteb_host_tests::{Run, host, python, root};

use super::python_types::{asked, unit};

/// The indented block of a page that begins with `head`.
fn block(page: &str, head: &str) -> String {
    let begin = page.find(&format!("\n    {head}")).unwrap_or_else(|| panic!("no block with {head}")) + 1;
    let lines = page[begin..].lines().take_while(|line| line.is_empty() || line.starts_with("    "));
    lines.map(|line| line.strip_prefix("    ").unwrap_or_default().to_owned() + "\n").collect()
}

#[test]
fn the_type_of_the_page_is_written_checked_and_run_as_it_is_printed() {
    let Some(python) = python() else { return };
    let page = fs::read_to_string(root().join("docs/task-types.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("data")).unwrap();
    fs::write(folder.join("readability.py"), block(&page, "import numpy\n")).unwrap();
    let card = block(&page, "schema = 1");
    fs::write(folder.join("my-readability.toml"), &card).unwrap();
    let rows =
        (1..=6).map(|grade| format!("{{\"text\": \"{}\", \"grade\": {grade}}}\n", "word ".repeat(grade)));
    let rows = block(&page, "{\"text\"").trim().to_owned() + "\n" + &rows.collect::<String>();
    fs::write(folder.join("data/test.jsonl"), rows).unwrap();
    let first = Run::of(host(folder).args(["validate", "--data", "my-readability.toml"])).unwrap();
    let said = first.stdout + &first.stderr;
    assert!(first.code == Some(1) && said.contains("--trust-plugin "), "{said}");
    let run = |card: &str, more: &[&str]| {
        let mut command = host(folder);
        command.args(["run", "--json", "--model", "hashing", "--registry", card]).args(more);
        Run::of(command.arg("--python").arg(&python)).unwrap()
    };
    let sha256 = asked(&run("my-readability.toml", &[]));
    let validated = Run::of(
        host(folder)
            .args(["validate", "--data", "my-readability.toml", "--trust-plugin", &sha256, "--python"])
            .arg(&python),
    );
    let validated = validated.unwrap();
    assert_eq!(validated.code, Some(0), "{}{}", validated.stdout, validated.stderr);
    let scored = run("my-readability.toml", &[]);
    assert_eq!(unit(&scored)["state"], "scored", "{}{}", scored.stdout, scored.stderr);

    // Another task of the type, beside the first one, and an option that a card sets.
    let second = card.replacen("MyReadability", "SecondReadability", 1);
    fs::write(folder.join("second.toml"), second).unwrap();
    let both = run("my-readability.toml", &["--registry", "second.toml"]);
    assert_eq!(both.json().unwrap()["tasks"].as_array().unwrap().len(), 2, "{}{}", both.stdout, both.stderr);
    assert_eq!(both.code, Some(0), "{}{}", both.stdout, both.stderr);
    fs::write(folder.join("graded.toml"), card.clone() + "\n" + &block(&page, "[task_type.options]"))
        .unwrap();
    let plain = fs::read_to_string(folder.join("readability.py")).unwrap();
    let with_options = "rng, options):\n        assert options['highest'] == 5\n";
    fs::write(folder.join("readability.py"), plain.replacen("rng):\n", with_options, 1)).unwrap();
    let sha256 = asked(&run("graded.toml", &[]));
    let scored = run("graded.toml", &["--trust-plugin", &sha256]);
    assert_eq!(unit(&scored)["state"], "scored", "{}{}", scored.stdout, scored.stderr);
    fs::write(folder.join("readability.py"), plain).unwrap();

    // Its lines about files beside it, too.
    let line = "evaluator = \"python:readability.py:Readability\"\n";
    let with_files = format!("{line}{}", block(&page, "evaluator_files = "));
    fs::write(folder.join("with-files.toml"), card.replacen(line, &with_files, 1)).unwrap();
    fs::create_dir(folder.join("words")).unwrap();
    fs::write(folder.join("syllables.py"), "VOWELS = 'aeiou'\n").unwrap();
    fs::write(folder.join("words/easy.txt"), "a\n").unwrap();
    let class = fs::read_to_string(folder.join("readability.py")).unwrap();
    fs::write(folder.join("readability.py"), format!("import syllables\n{class}")).unwrap();
    let sha256 = asked(&run("with-files.toml", &[]));
    let scored = run("with-files.toml", &["--trust-plugin", &sha256]);
    assert_eq!(unit(&scored)["state"], "scored", "{}{}", scored.stdout, scored.stderr);
}
