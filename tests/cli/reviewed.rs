//! `review`: annotators of known error rates, who see texts and never labels, and what their agreement is said to be.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use mteb_host_tests::{Run, host};
use mteb_measures::random::SplitMix64;
use serde_json::{Value, json};

const LABELS: [&str; 3] = ["cuaca", "jalan", "makan"];
const ROWS: usize = 600;

/// Seed of their errors.
const SEED: u64 = 15;

/// Error rates of three annotators.
const ERRORS: [(&str, f64); 3] = [("ani", 0.05), ("budi", 0.1), ("citra", 0.2)];

fn run_host(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

/// A task of rows whose texts do not hold their labels; gives the label of each text.
fn task(folder: &Path) -> Vec<(String, &'static str)> {
    let rows: Vec<(String, &str)> =
        (0..ROWS).map(|row| (format!("Pesan ke-{row} dari warga desa"), LABELS[row % 3])).collect();
    let lines: String = rows.iter().map(|(text, label)| format!("{text},{label}\n")).collect();
    fs::write(folder.join("pesan.csv"), format!("text,label\n{lines}")).unwrap();
    let begun = run_host(
        folder,
        &[
            "new",
            "task",
            "Pesan",
            "--data",
            "pesan.csv",
            "--type",
            "Clustering",
            "--column",
            "sentences=text",
            "--column",
            "labels=label",
            "--language",
            "ind-Latn",
            "--yes",
        ],
    );
    assert_eq!(begun.code, Some(0), "{}{}", begun.stdout, begun.stderr);
    rows
}

/// The rows of the page of an annotator, which holds no label of a row.
fn page(folder: &Path, annotator: &str) -> Vec<Value> {
    let file = format!("{annotator}.html");
    review(folder, annotator, ["--html", &file]);
    let text = fs::read_to_string(folder.join(&file)).unwrap();
    let data = text.split("const data = ").nth(1).unwrap().split(";\n").next().unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    for row in data["rows"].as_array().unwrap() {
        let keys: Vec<&String> = row.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["key", "texts"], "nothing but the key and the texts is shown");
        assert_eq!(row["texts"].as_array().unwrap().len(), 1);
    }
    data["rows"].as_array().unwrap().clone()
}

/// Numbers from 0 to 1, the same ones each time.
fn draws(seed: u64) -> impl FnMut() -> f64 {
    let mut random = SplitMix64::new(seed);
    move || random.below(1 << 53) as f64 / (1_u64 << 53) as f64
}

/// Reviews the rows of the task by `annotator`, with `more` options.
fn review(folder: &Path, annotator: &str, more: [&str; 2]) {
    let arguments =
        ["review", "Pesan", "--registry", "pesan.toml", "--rows", "600", "--annotator", annotator];
    let run = run_host(folder, &[&arguments[..], &more].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn annotators_of_known_error_rates_are_told_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let rows = task(folder);
    let mut made = Vec::new();
    for (number, (annotator, error)) in ERRORS.iter().enumerate() {
        let mut draw = draws(SEED * 100 + number as u64);
        let mut wrong = 0;
        let lines: String = page(folder, annotator)
            .iter()
            .map(|row| {
                let text = row["texts"][0][1].as_str().unwrap();
                let gold = LABELS
                    .iter()
                    .position(|label| *label == rows.iter().find(|(of, _)| of == text).unwrap().1)
                    .unwrap();
                let label = if draw() < *error {
                    wrong += 1;
                    (gold + 1 + usize::from(draw() < 0.5)) % 3
                } else {
                    gold
                };
                format!("{}\n", json!({"key": row["key"], "label": LABELS[label]}))
            })
            .collect();
        fs::write(folder.join("given.jsonl"), lines).unwrap();
        review(folder, annotator, ["--import", "given.jsonl"]);
        made.push(wrong as f64 / ROWS as f64);
    }
    let summary = run_host(
        folder,
        &[
            "review",
            "Pesan",
            "--registry",
            "pesan.toml",
            "--rows",
            "600",
            "--summary",
            "--json",
            "--corrections",
            "corrections.jsonl",
            "--write",
        ],
    );
    assert_eq!(summary.code, Some(0), "{}", summary.stderr);
    let summary = summary.json().unwrap();
    // The share that differs from the data is the share that was drawn, and its interval holds the rate.
    for ((reader, (name, error)), made) in
        summary["annotators"].as_array().unwrap().iter().zip(ERRORS).zip(&made)
    {
        assert_eq!((reader["name"].as_str(), reader["labelled"].as_u64()), (Some(name), Some(ROWS as u64)));
        assert!((reader["differs"].as_f64().unwrap() - made).abs() < 1e-12, "{reader}");
        assert!(
            reader["low"].as_f64().unwrap() <= error && error <= reader["high"].as_f64().unwrap(),
            "{reader}"
        );
    }
    // Of errors that fall on the two other labels alike, kappa follows from the rates.
    let coefficients = summary["coefficients"].as_array().unwrap();
    let mut kappas = Vec::new();
    for (left, right) in [(0, 1), (0, 2), (1, 2)] {
        let [(left, of_left), (right, of_right)] = [ERRORS[left], ERRORS[right]];
        let observed = (1.0 - of_left) * (1.0 - of_right) + of_left * of_right / 2.0;
        let expected = (observed - 1.0 / 3.0) / (2.0 / 3.0);
        kappas.push(expected);
        let name = format!("Cohen's kappa of {left} and {right}");
        let found = coefficients.iter().find(|one| one["name"] == name.as_str()).unwrap();
        assert!(
            found["low"].as_f64().unwrap() <= expected && expected <= found["high"].as_f64().unwrap(),
            "{expected}: {found}"
        );
    }
    let mean = kappas.iter().sum::<f64>() / 3.0;
    for name in ["Fleiss' kappa", "Krippendorff's alpha"] {
        let found = coefficients.iter().find(|one| one["name"] == name).unwrap();
        assert!(
            found["low"].as_f64().unwrap() <= mean && mean <= found["high"].as_f64().unwrap(),
            "{mean}: {found}"
        );
    }
    let confused: u64 = summary["confusion"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["data"] != row["annotator"])
        .map(|row| row["count"].as_u64().unwrap())
        .sum();
    assert_eq!(confused, made.iter().map(|share| (share * ROWS as f64).round() as u64).sum::<u64>());
    // Two readers at least erred alike where most contradict the data.
    let corrections = fs::read_to_string(folder.join("corrections.jsonl")).unwrap();
    for line in corrections.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        assert_ne!(row["data"], row["annotators"]);
        let same =
            row["labels"].as_object().unwrap().values().filter(|label| **label == row["annotators"]).count();
        assert!(same >= 2 && row["place"].as_str().unwrap().contains("pesan.csv"), "{row}");
    }
    let card = fs::read_to_string(folder.join("pesan.toml")).unwrap();
    assert!(
        card.contains("notes = \"Agreement of annotators: 3 annotators on 600 rows, blind; Fleiss' kappa 0."),
        "{card}"
    );
    assert_eq!(run_host(folder, &["validate", "pesan.toml"]).code, Some(0));
}

#[test]
fn a_session_in_the_terminal_shows_no_label_and_goes_on_where_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    task(folder);
    let session = |answers: &str| {
        fs::write(folder.join("answers"), answers).unwrap();
        let mut command = host(folder);
        command.args(["review", "Pesan", "--registry", "pesan.toml", "--rows", "4", "--annotator", "ani"]);
        command.stdin(Stdio::from(fs::File::open(folder.join("answers")).unwrap()));
        Run::of(&mut command).unwrap()
    };
    let first = session("1\nhujan\nmakan\nq\n");
    assert!(first.stdout.starts_with("2 rows labelled now, 2 of 4"), "{}{}", first.stdout, first.stderr);
    assert!(first.stderr.contains("expected one of the answers above, found: hujan"), "{}", first.stderr);
    let second = session("2\n3\n");
    assert!(second.stdout.starts_with("2 rows labelled now, 4 of 4"), "{}", second.stdout);
    assert!(second.stderr.contains("3 of 4") && !second.stderr.contains("1 of 4"), "{}", second.stderr);
    let labels = fs::read_to_string(folder.join("review/Pesan/ani.jsonl")).unwrap();
    let given: Vec<String> = labels
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["label"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(given, ["cuaca", "makan", "jalan", "makan"]);
}

#[test]
fn labels_of_other_rows_and_names_that_lead_elsewhere_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    task(folder);
    fs::write(folder.join("other.jsonl"), "{\"key\": \"00\", \"label\": \"cuaca\"}\n").unwrap();
    for (more, part) in [
        (
            ["--annotator", "ani", "--import", "other.jsonl"],
            "expected labels of the rows that `--rows` and `--seed` draw",
        ),
        (["--annotator", "../ani", "--html", "a.html"], "expected letters, digits, `-` and `_`"),
    ] {
        let run = run_host(folder, &[&["review", "Pesan", "--registry", "pesan.toml"], &more[..]].concat());
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    let none = run_host(folder, &["review", "Pesan", "--registry", "pesan.toml", "--summary"]);
    assert!(none.stderr.contains("expected labels in review/Pesan, found none"), "{}", none.stderr);
}

#[test]
fn the_labels_of_another_annotator_or_task_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    task(folder);
    let rows = page(folder, "ani");
    let line = |more: Value| {
        let mut label = json!({ "key": rows[0]["key"], "label": "cuaca" });
        label.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        format!("{label}\n")
    };
    let import = |file: &str, text: String| {
        fs::write(folder.join(file), text).unwrap();
        run_host(
            folder,
            &[
                "review",
                "Pesan",
                "--registry",
                "pesan.toml",
                "--rows",
                "600",
                "--annotator",
                "ani",
                "--import",
                file,
            ],
        )
    };
    let budi = import("labels.jsonl", line(json!({ "annotator": "budi", "task": "Pesan" })));
    assert_eq!(budi.code, Some(2));
    assert!(
        budi.stderr.contains("expected the labels of the annotator ani, found those of budi"),
        "{}",
        budi.stderr
    );
    let other = import("labels.jsonl", line(json!({ "annotator": "ani", "task": "Surat" })));
    assert!(
        other.stderr.contains("expected the labels of the task Pesan, found those of Surat"),
        "{}",
        other.stderr
    );
    // Pages of before wrote no names into their files, whose own name has it.
    let named = import("Pesan-budi (1).jsonl", line(json!({})));
    assert!(named.stderr.contains("found a file that is named as those of budi"), "{}", named.stderr);
    assert_eq!(import("Pesan-ani.jsonl", line(json!({}))).code, Some(0));
    let own = import("labels.jsonl", line(json!({ "annotator": "ani", "task": "Pesan" })));
    assert_eq!(own.code, Some(0), "{}", own.stderr);
    let page = fs::read_to_string(folder.join("ani.html")).unwrap();
    assert!(page.contains("annotator: data.annotator, task: data.task"), "what the page saves");
}

#[test]
fn pairs_without_a_coefficient_are_named_and_one_annotator_alone_writes_no_note() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    task(folder);
    let label = |annotator: &str, rows: usize, label: &str| {
        let lines: String = page(folder, annotator)[..rows]
            .iter()
            .map(|row| format!("{}\n", json!({"key": row["key"], "label": label})))
            .collect();
        fs::write(folder.join("given.jsonl"), lines).unwrap();
        review(folder, annotator, ["--import", "given.jsonl"]);
    };
    let summary = |more: &[&str]| {
        let arguments = ["review", "Pesan", "--registry", "pesan.toml", "--rows", "600", "--summary"];
        run_host(folder, &[&arguments[..], more].concat())
    };
    label("ani", 3, "cuaca");
    let card = fs::read_to_string(folder.join("pesan.toml")).unwrap();
    let alone = summary(&["--write"]);
    assert_eq!(alone.code, Some(2));
    assert!(
        alone.stderr.contains("expected rows that two annotators labelled for `--write`"),
        "{}",
        alone.stderr
    );
    assert_eq!(fs::read_to_string(folder.join("pesan.toml")).unwrap(), card);
    label("budi", 2, "cuaca");
    let both = summary(&[]).stdout;
    let line = "Cohen's kappa of ani and budi: undefined, because all labels are equal (2 rows)";
    assert!(both.contains(line), "{both}");
}
