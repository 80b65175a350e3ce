//! `new task` on files that are written otherwise than usual, and on columns of numbers that are none.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};

const EUROPEAN: &str =
    "kalimat1;kalimat2;skor\ncaf\u{e9} kopi;kopi;3,5\nsatu jalan;dua jalan;1,25\nharga beras;hujan turun;0\n";

fn new_task(folder: &Path, name: &str, more: &[&str]) -> Run {
    let args = ["new", "task", name, "--data", "rows.csv", "--language", "ind-Latn", "--yes"];
    Run::of(host(folder).args(args).args(more)).unwrap()
}

fn written(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rows.csv"), text).unwrap();
    folder
}

#[test]
fn the_form_of_a_file_is_read_and_written_into_the_card() {
    let folder = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = EUROPEAN.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
    fs::write(folder.path().join("rows.csv"), bytes).unwrap();
    let run = new_task(
        folder.path(),
        "Pasangan",
        &["--delimiter", ";", "--decimal", ",", "--encoding", "windows-1252"],
    );
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let card = fs::read_to_string(folder.path().join("pasangan.toml")).unwrap();
    for line in ["type = \"STS\"", "delimiter = \";\"", "decimal = \",\"", "encoding = \"windows-1252\""] {
        assert!(card.contains(line), "{line}: {card}");
    }
    let scored =
        Run::of(host(folder.path()).args(["run", "--quiet", "--registry", "pasangan.toml"])).unwrap();
    assert_eq!(scored.code, Some(0), "{}", scored.stderr);
    let wrong = new_task(folder.path(), "Lain", &["--encoding", "utf-7"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("`--encoding`: expected the name of an encoding"), "{}", wrong.stderr);
}

#[test]
fn numbers_that_are_none_are_named_and_not_left_out() {
    let pairs = "a,b,score\nharga beras naik,beras makin mahal,4.5\nhujan turun deras,ia pergi ke pasar,N/A\nsatu jalan,dua jalan,1\n";
    let said = new_task(written(pairs).path(), "T", &[]);
    assert_eq!(said.code, Some(2));
    let expected = "expected a number in `score`, as in 2 of 3 rows, found “N/A”";
    assert!(said.stderr.contains(expected) && said.stderr.contains("line 3"), "{}", said.stderr);
    let said = new_task(written(EUROPEAN).path(), "T", &["--delimiter", ";"]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.stderr.contains("the numbers of `skor` have decimal commas, as “3,5”; add `--decimal ,`"),
        "{}",
        said.stderr
    );
}

#[test]
fn the_options_of_the_command_are_named_where_there_is_no_card_yet() {
    let said = new_task(written("kalimat1;kalimat2;skor\nkopi;teh;3.5\n").path(), "T", &[]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("name the character: `--delimiter \";\"`"), "{}", said.stderr);
    let folder = tempfile::tempdir().unwrap();
    let benchmark =
        ["new", "benchmark", "desa", "--language", "ind-Latn", "--title", "t", "--task-type", "Foo"];
    let said = Run::of(host(folder.path()).args(benchmark)).unwrap();
    assert!(said.stderr.contains("`--task-type`: expected a task type, found: Foo"), "{}", said.stderr);
}

#[test]
fn a_name_in_other_letters_is_refused_with_one_that_would_do() {
    let said = new_task(written(EUROPEAN).path(), "Đánh giá", &[]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.stderr.contains("letters a to z") && said.stderr.contains("for example `DanhGia`"),
        "{}",
        said.stderr
    );
}

#[test]
fn training_rows_tell_the_type_where_each_label_occurs_once_among_those_to_score() {
    let folder = tempfile::tempdir().unwrap();
    let topics = ["cuaca", "jalan", "pasar"];
    let row = |number: usize, topic: &str| format!("Pesan warga ke-{number} tentang {topic},{topic}\n");
    let train: String = (0..9).map(|number| row(number, topics[number % 3])).collect();
    let test: String = (0..3).map(|number| row(number + 9, topics[number])).collect();
    fs::create_dir(folder.path().join("rows.csv")).unwrap();
    for (name, rows) in [("train.csv", train), ("test.csv", test)] {
        fs::write(folder.path().join("rows.csv").join(name), format!("isi,topik\n{rows}")).unwrap();
    }
    let run = new_task(folder.path(), "Topik", &[]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let card = fs::read_to_string(folder.path().join("topik.toml")).unwrap();
    assert!(card.contains("type = \"Classification\"") && card.contains("label = \"topik\""), "{card}");
    assert!(run.stderr.contains("the same columns also fit `--type Clustering`"), "{}", run.stderr);
}
