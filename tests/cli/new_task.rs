//! One TOML file adds a task.

use std::fs;

use mteb_host_tests::{Run, host};

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
