//! A task of one's own: one TOML file adds it, it is run and its data validated, and `new task` guesses the
//! form of files that are written otherwise than usual.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

#[test]
fn a_card_beside_its_data_is_a_task() {
    let folder = tempfile::tempdir().unwrap();
    let card = "schema = 1\nname = \"MySTS\"\ntype = \"STS\"\ndescription = \"Mine.\"\nlanguages = [\"ind-Latn\"]\n\
                [dataset]\npath = \"pairs.csv\"\ncolumns = { sentence1 = \"kiri\", sentence2 = \"kanan\", score = \"nilai\" }\n";
    fs::write(folder.path().join("my-sts.toml"), card).unwrap();
    let pairs = "kiri,kanan,nilai\nHarga beras naik.,\"Beras makin mahal, katanya.\",4\nHarga beras naik.,Hujan turun.,0\n\
                 Ia pergi ke pasar.,Dia ke pasar.,4.5\n";
    fs::write(folder.path().join("pairs.csv"), pairs).unwrap();
    let run = Run::of(host(folder.path()).args(["run", "--registry", "my-sts.toml", "--json"])).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.json().unwrap()["tasks"][0]["task"], "MySTS");
    assert!(folder.path().join("results/mteb-host__hashing/1/MySTS.json").is_file());
}

#[test]
fn a_registry_file_gathers_cards_and_names_benchmarks() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("cards")).unwrap();
    for name in ["A", "B"] {
        let card = format!(
            "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
             [dataset]\npath = \"../pairs.csv\"\n"
        );
        fs::write(folder.path().join(format!("cards/{name}.toml")), card).unwrap();
    }
    let pairs = "sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a c,3\n";
    fs::write(folder.path().join("pairs.csv"), pairs).unwrap();
    let registry = "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n[[benchmark]]\nname = \"Mine(small)\"\ntasks = [\"B\"]\n";
    fs::write(folder.path().join("mine.toml"), registry).unwrap();
    let mut command = host(folder.path());
    command.args(["run", "--registry", "mine.toml", "--benchmark", "Mine(small)", "--json"]);
    let report = Run::of(&mut command).unwrap().json().unwrap();
    let tasks: Vec<_> = report["tasks"].as_array().unwrap().iter().map(|task| &task["task"]).collect();
    assert_eq!(tasks, ["B"]);
}

/// What a command says of a registry with this line.
fn run_with_line(folder: &Path, line: &str, arguments: &[&str]) -> Run {
    fs::write(folder.join("mine.toml"), format!("schema = 1\nname = \"mine\"\n{line}\n")).unwrap();
    Run::of(host(folder).args(arguments)).unwrap()
}

fn tasks(run: &Run) -> Vec<String> {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let found: Value = run.json().unwrap();
    let name = |task: &Value| task["name"].as_str().unwrap_or_else(|| panic!("{found}")).to_owned();
    found.as_array().unwrap().iter().map(name).collect()
}

const LIST: [&str; 5] = ["list", "tasks", "--registry", "mine.toml", "--json"];

#[test]
fn the_tasks_that_are_named_are_taken_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let line = "include = [{ registry = \"indonesia\", tasks = [\"IndonesianGeneralSTS\"] }]";
    assert_eq!(tasks(&run_with_line(folder.path(), line, &LIST)), ["IndonesianGeneralSTS"]);
    let line =
        "include = [{ registry = \"mteb\", tasks = [\"STSBenchmark\", \"SciFact\"] }, \"indonesia@1\"]";
    let found = tasks(&run_with_line(folder.path(), line, &LIST));
    assert!(found.contains(&"STSBenchmark".to_owned()) && found.contains(&"SciFact".to_owned()), "{found:?}");
    assert!(found.len() < 100, "{}: the rest of mteb is not there", found.len());
    let run = ["run", "--registry", "mine.toml", "--quiet", "--json"];
    let line = "include = [{ registry = \"indonesia\", tasks = [\"IndonesianGeneralSTS\"] }]";
    let done = run_with_line(folder.path(), line, &run);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(done.json().unwrap()["tasks"][0]["task"], "IndonesianGeneralSTS");
}

#[test]
fn a_task_that_is_not_there_is_named_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let line = "include = [{ registry = \"indonesia\", tasks = [\"IndonesianGeneralST\"] }]";
    let refused = run_with_line(folder.path(), line, &["validate", "mine.toml"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stdout);
    let said = format!("{}{}", refused.stdout, refused.stderr);
    assert!(
        said.contains("mine.toml:3:")
            && said.contains("expected a task of the registry indonesia, found: IndonesianGeneralST")
            && said.contains("IndonesianGeneralSTS"),
        "{said}"
    );
}

/// A folder with a card whose data lie beside it.
pub struct Task(tempfile::TempDir);

impl Task {
    /// A task whose data is at `path`, beside the card `card.toml`.
    pub fn of(task_type: &str, path: &str, files: &[(&str, &str)]) -> Self {
        let task = Self(tempfile::tempdir().unwrap());
        let card = format!(
            "schema = 1\nname = \"T\"\ntype = \"{task_type}\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
             [dataset]\npath = \"{path}\"\n"
        );
        task.write("card.toml", &card);
        files.iter().for_each(|(name, text)| task.write(name, text));
        task
    }

    /// A retrieval task of these files.
    pub fn retrieval(corpus: &str, queries: &str, qrels: (&str, &str)) -> Self {
        Self::of("Retrieval", ".", &[("corpus.jsonl", corpus), ("queries.jsonl", queries), qrels])
    }

    /// An STS task whose data is one CSV file.
    pub fn pairs(text: &str) -> Self {
        Self::of("STS", "pairs.csv", &[("pairs.csv", text)])
    }

    /// Writes a file, and its folder.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let file = self.0.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Puts `lines` behind the line of the card that names the path, where `[dataset]` goes on.
    pub fn with(self, lines: &str) -> Self {
        let card = fs::read_to_string(self.0.path().join("card.toml")).unwrap();
        self.write("card.toml", format!("{card}{lines}\n"));
        self
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// Runs the task with the default model.
    pub fn run(&self, more: &[&str]) -> Run {
        let args = ["run", "--registry", "card.toml", "--quiet"];
        Run::of(host(self.folder()).args(args).args(more)).unwrap()
    }

    /// Checks its data.
    pub fn validate(&self) -> Run {
        Run::of(host(self.folder()).args(["validate", "--data", "card.toml"])).unwrap()
    }

    /// What a run and `validate --data` both say is at fault, each once and with exit code 1.
    pub fn fault(&self) -> String {
        let (run, gate) = (self.run(&[]), self.validate());
        assert_eq!((run.code, gate.code), (Some(1), Some(1)), "{}\n{}", run.stderr, gate.stderr);
        let said = run.stderr.lines().find_map(|line| line.strip_prefix("failed: ")).unwrap().to_owned();
        let line = format!("error: {said}");
        let times = gate.stderr.lines().filter(|found| **found == line).count();
        assert_eq!(times, 1, "{line}\n{}", gate.stderr);
        said
    }

    /// What both warn of; the run scores the task.
    pub fn warning(&self) -> String {
        let (run, gate) = (self.run(&[]), self.validate());
        assert_eq!((run.code, gate.code), (Some(0), Some(0)), "{}\n{}", run.stderr, gate.stderr);
        assert_eq!(run.stderr, gate.stderr);
        run.stderr
    }
}

const EUROPEAN: &str =
    "kalimat1;kalimat2;skor\ncaf\u{e9} kopi;kopi;3,5\nsatu jalan;dua jalan;1,25\nharga beras;hujan turun;0\n";

fn new_task(folder: &Path, name: &str, more: &[&str]) -> Run {
    let args = ["new", "task", name, "--data", "rows.csv", "--language", "ind-Latn", "--yes"];
    Run::of(host(folder).args(args).args(more)).unwrap()
}

fn write_table(text: &str) -> tempfile::TempDir {
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
    let said = new_task(write_table(pairs).path(), "T", &[]);
    assert_eq!(said.code, Some(2));
    let expected = "expected a number in `score`, as in 2 of 3 rows, found “N/A”";
    assert!(said.stderr.contains(expected) && said.stderr.contains("line 3"), "{}", said.stderr);
    let said = new_task(write_table(EUROPEAN).path(), "T", &["--delimiter", ";"]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.stderr.contains("the numbers of `skor` have decimal commas, as “3,5”; add `--decimal ,`"),
        "{}",
        said.stderr
    );
}

#[test]
fn the_options_of_the_command_are_named_where_there_is_no_card_yet() {
    let said = new_task(write_table("kalimat1;kalimat2;skor\nkopi;teh;3.5\n").path(), "T", &[]);
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
    let said = new_task(write_table(EUROPEAN).path(), "Đánh giá", &[]);
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
