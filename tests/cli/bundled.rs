//! What the program has in itself: default models and the Indonesian pack, the imported tasks and benchmarks
//! of the reference, and cards, of which `list tasks` says what their files say, subset by subset.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host, host_binary, root};
use serde_json::{Value, json};
use toml::{Table, Value as Toml};

const TASK: [&str; 6] = ["run", "--registry", "indonesia", "--task", "IndonesianGeneralSTS", "--json"];

/// The program in a folder with nothing beside it, which sees nothing of this environment.
fn alone(folder: &Path, arguments: &[&str]) -> Run {
    let program = folder.join("bin/mteb-host");
    fs::create_dir_all(folder.join("bin")).unwrap();
    if !program.exists() {
        let _ =
            fs::hard_link(host_binary(), &program).or_else(|_| fs::copy(host_binary(), &program).map(drop));
    }
    let mut command = Command::new(program);
    Run::of(command.args(arguments).current_dir(folder).env_clear().env("HOME", folder)).unwrap()
}

#[test]
fn alone_in_an_empty_home_it_runs_the_bundled_benchmark_as_anywhere() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for model in ["hashing", "random"] {
        let run = alone(folder.path(), &[&TASK[..], &["--model", model]].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let expected = Run::of(host(other.path()).args(TASK).args(["--model", model])).unwrap();
        let score = |run: &Run| run.json().unwrap()["mean_task"].as_f64().unwrap();
        assert_eq!(score(&run), score(&expected), "{model}");
    }
}

#[test]
fn the_plugins_in_it_are_listed_by_name_and_no_file_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let listed = alone(folder.path(), &["list", "plugins", "--json"]).json().unwrap();
    let listed = listed.as_array().unwrap();
    let paths: Vec<&str> = listed.iter().map(|plugin| plugin["path"].as_str().unwrap()).collect();
    let expected = ["api", "hashing-encoder", "indonesia", "python", "random-encoder"];
    assert_eq!(paths, expected.map(|name| format!("builtin:{name}")));
    let checksums = listed.iter().map(|plugin| plugin["sha256"].as_str().unwrap());
    assert!(checksums.clone().all(|checksum| checksum.len() == 64));
    assert_eq!(checksums.collect::<std::collections::BTreeSet<_>>().len(), expected.len());
}

fn list_json(what: &str, more: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::of(host(folder.path()).args(["list", what, "--json"]).args(more)).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    run.json().unwrap().as_array().unwrap().clone()
}

#[test]
fn every_text_task_of_the_reference_is_listed_and_most_can_be_run() {
    let tasks = list_json("tasks", &["--registry", "mteb"]);
    let runs = tasks.iter().filter(|task| task["unsupported"].is_null()).count();
    assert!(tasks.len() >= 1_322, "{}", tasks.len());
    assert!(runs >= 1_270, "{runs} of {}", tasks.len());
}

#[test]
fn a_card_written_by_hand_takes_precedence_over_an_imported_one() {
    let folder = tempfile::tempdir().unwrap();
    let shown = |name: &str| {
        let run = Run::of(host(folder.path()).args(["show", "task", name, "--registry", "mteb", "--json"]))
            .unwrap();
        run.json().unwrap()["origin"]["embedded"].as_str().unwrap().to_owned()
    };
    assert_eq!(shown("SciFact"), "registries/cards/SciFact.toml");
    assert_eq!(shown("CDSC-E"), "registries/mteb/pair-classification/balto-slavic/CDSC-E.toml");
}

#[test]
fn a_benchmark_of_the_reference_is_found_by_its_name_and_its_older_names() {
    let names = |benchmark: &str| -> Vec<String> {
        let tasks = list_json("tasks", &["--benchmark", benchmark]);
        tasks.iter().map(|task| task["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("MTEB(eng, v2)").len(), 41);
    assert_eq!(names("MTEB(eng, v2)"), names("MTEB(eng)"));
    assert_eq!(names("MTEB(eng, v1)"), names("MTEB(eng, classic)"));
    assert_eq!(names("MTEB(eng, v1)"), names("MTEB"));
    assert_eq!(names("NanoBEIR").len(), 13);
}

#[test]
fn a_benchmark_takes_of_its_tasks_what_the_reference_takes() {
    let tasks = list_json("tasks", &["--benchmark", "MTEB(kor, v1)"]);
    let reranking = tasks.iter().find(|task| task["name"] == "MIRACLReranking").unwrap();
    assert_eq!(reranking["subsets"], serde_json::json!(["ko"]));
}

#[test]
fn no_task_of_a_benchmark_lacks_a_card_or_a_subset() {
    let folder = tempfile::tempdir().unwrap();
    for benchmark in ["MTEB(Multilingual, v2)", "MTEB(Europe, v1)", "RuSciBench"] {
        let shown = Run::of(host(folder.path()).args(["show", "benchmark", benchmark])).unwrap();
        assert_eq!(shown.code, Some(0), "{}", shown.stderr);
        assert!(!shown.stdout.contains("no card describes"), "{benchmark}: {}", shown.stdout);
    }
    let subsets = |registry: &str, task: &str| -> usize {
        list_json("tasks", &["--registry", registry, "--task", task])[0]["subsets"].as_array().unwrap().len()
    };
    let counts = [
        ("SIB200ClusteringS2S", 197, 8),
        ("WikiClusteringP2P.v2", 14, 1),
        ("EmotionAnalysisPlus", 30, 3),
        ("EmotionAnalysisPlus.v2", 30, 3),
        ("MultilingualSentimentClassification", 29, 1),
    ];
    for (task, all, indonesian) in counts {
        assert_eq!((subsets("mteb", task), subsets("indonesia-hub", task)), (all, indonesian), "{task}");
    }
}

#[test]
fn the_list_of_benchmarks_fits_a_hundred_columns_and_counts_tasks_types_and_languages() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::of(host(folder.path()).args(["list", "benchmarks"])).unwrap();
    let widest = run.stdout.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 100, "{widest}:\n{}", run.stdout);
    let benchmarks = list_json("benchmarks", &[]);
    let english = benchmarks.iter().find(|found| found["name"] == "MTEB(eng, v2)").unwrap();
    assert_eq!((&english["task_count"], &english["language_count"]), (&41.into(), &1.into()));
    assert_eq!(english["types"].as_array().unwrap().len(), 7);
}

#[test]
fn a_card_in_a_file_keeps_the_order_of_its_subsets() {
    let folder = tempfile::tempdir().unwrap();
    let card = "schema = 1\nname = \"Mine\"\ntype = \"STS\"\ndescription = \"Pairs.\"\n[dataset]\npath = \"data\"\n\
                [subsets]\nsun = { languages = [\"sun-Latn\"] }\nace = { languages = [\"ace-Latn\"] }\n";
    fs::write(folder.path().join("mine.toml"), card).unwrap();
    let run =
        Run::of(host(folder.path()).args(["list", "tasks", "--registry", "mine.toml", "--json"])).unwrap();
    assert_eq!(run.json().unwrap()[0]["subsets"], serde_json::json!(["sun", "ace"]));
}

#[test]
fn a_registry_narrows_its_tasks_to_languages() {
    let whole = list_json("tasks", &["--registry", "mteb", "--task", "FloresBitextMining"]);
    assert_eq!(whole[0]["subsets"].as_array().unwrap().len(), 204 * 203);
    let indonesian = list_json("tasks", &["--registry", "indonesia-hub", "--task", "FloresBitextMining"]);
    let subsets = indonesian[0]["subsets"].as_array().unwrap();
    assert_eq!((subsets.len(), &subsets[0]), (4_356, &"ace_Arab-bam_Latn".into()));
}

#[test]
fn models_have_the_prompts_that_their_loader_in_the_reference_puts_before_texts() {
    let folder = tempfile::tempdir().unwrap();
    let prompts = |model: &str| -> Value {
        let run = Run::of(host(folder.path()).args(["show", "model", model, "--json"])).unwrap();
        run.json().unwrap()["card"]["prompts"].clone()
    };
    let nomic = prompts("nomic-ai/nomic-embed-text-v1.5");
    assert_eq!(
        (&nomic["named"]["STS"], &nomic["default"]),
        (&"classification: ".into(), &"document".into()),
        "{nomic}"
    );
    assert_eq!(nomic, prompts("nomic-ai/modernbert-embed-base"));
    assert_eq!(prompts("jinaai/jina-embeddings-v5-text-small")["named"]["query"], "Query: ");
    assert_eq!(prompts("NovaSearch/stella_en_400M_v5")["instruction_template"], "{instruction}");
    // Where nobody says otherwise, the reference instructs documents, too.
    assert_eq!(prompts("GritLM/GritLM-7B")["instruct_documents"], true);
    let kalm = prompts("HIT-TMG/KaLM-embedding-multilingual-mini-instruct-v1.5");
    assert_eq!(
        (&kalm["named"]["TNews"], &kalm["named"]["STS"]),
        (&"Categorizing the given news title".into(), &"".into())
    );
}

#[test]
fn a_model_that_is_said_to_replace_itself_replaces_none() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::of(host(folder.path()).args(["show", "model", "jxm/cde-small-v2", "--json"])).unwrap();
    let card = &run.json().unwrap()["card"];
    assert_eq!((&card["name"], &card["superseded_by"]), (&"jxm/cde-small-v2".into(), &Value::Null));
}

#[test]
fn models_of_the_reference_are_listed_with_what_they_were_trained_on() {
    let models = list_json("models", &[]);
    assert!(models.len() > 850, "{}", models.len());
    let mistral = models.iter().find(|model| model["name"] == "intfloat/e5-mistral-7b-instruct").unwrap();
    assert_eq!((&mistral["architecture"], &mistral["dimension"]), (&"mistral".into(), &4_096.into()));
    assert!(mistral["training_datasets"].as_array().unwrap().contains(&"MSMARCO".into()));
    assert_eq!(mistral["facts"], "mteb 2.26.24");
}

fn list_tasks(more: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::of(host(folder.path()).args(["list", "tasks", "--registry", "mteb", "--json"]).args(more));
    let run = run.unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    run.json().unwrap().as_array().unwrap().clone()
}

/// The cards in a folder and below, by the name of the task.
fn cards(folder: &Path, found: &mut BTreeMap<String, Table>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            cards(&path, found);
        } else {
            let card: Table = fs::read_to_string(&path).unwrap().parse().unwrap();
            found.insert(card["name"].as_str().unwrap().to_owned(), card);
        }
    }
}

/// Those that the registry `mteb` takes: a card that was written by hand counts before the imported one of its name.
fn cards_of_files() -> BTreeMap<String, Table> {
    let mut found = BTreeMap::new();
    for folder in ["mteb", "cards"] {
        cards(&root().join("registries").join(folder), &mut found);
    }
    found
}

fn texts(value: Option<&Toml>) -> Vec<String> {
    let values = value.and_then(Toml::as_array).into_iter().flatten();
    values.map(|value| value.as_str().unwrap().to_owned()).collect()
}

/// The subsets of a card with their languages, those of `pairs` one by one.
fn subsets(card: &Table) -> Vec<(String, Vec<String>)> {
    let whole = texts(card.get("languages"));
    let Some(written) = card.get("subsets").and_then(Toml::as_table) else {
        return vec![("default".to_owned(), whole)];
    };
    let mut subsets = Vec::new();
    for (name, subset) in written {
        let pairs = texts(subset.get("pairs"));
        for left in &pairs {
            for right in pairs.iter().filter(|right| *right != left) {
                let languages = [left, right].map(|name| name.replace('_', "-"));
                subsets.push((format!("{left}-{right}"), languages.to_vec()));
            }
        }
        if pairs.is_empty() {
            let own = texts(subset.get("languages"));
            subsets.push((name.clone(), if own.is_empty() { whole.clone() } else { own }));
        }
    }
    subsets
}

fn languages(subsets: &[(String, Vec<String>)]) -> BTreeSet<&str> {
    subsets.iter().flat_map(|(_, languages)| languages).map(String::as_str).collect()
}

fn names(subsets: &[(String, Vec<String>)]) -> Vec<&str> {
    subsets.iter().map(|(name, _)| name.as_str()).collect()
}

/// As serde writes it.
fn of_toml(value: Option<&Toml>) -> Value {
    value.map_or(Value::Null, |value| serde_json::to_value(value).unwrap())
}

#[test]
fn every_task_is_listed_as_its_card_says() {
    let cards = cards_of_files();
    let tasks = list_tasks(&[]);
    assert!(tasks.len() >= 1_322, "{}", tasks.len());
    for task in &tasks {
        let name = task["name"].as_str().unwrap();
        let card = &cards[name];
        let dataset = card.get("dataset").and_then(Toml::as_table);
        let subsets = subsets(card);
        assert_eq!(task["type"], of_toml(card.get("type")), "{name}");
        assert_eq!(task["languages"], json!(languages(&subsets)), "{name}");
        assert!(task["subsets"] == json!(names(&subsets)), "{name}: its subsets");
        let splits = of_toml(card.get("eval_splits"));
        assert_eq!(task["splits"], if splits.is_null() { json!(["test"]) } else { splits }, "{name}");
        if let Some(score) = card.get("main_score") {
            assert_eq!(task["main_score"], of_toml(Some(score)), "{name}");
        }
        if let Some(hub) = dataset.and_then(|dataset| dataset.get("hub")) {
            assert_eq!(task["dataset"], of_toml(Some(hub)), "{name}");
            assert_eq!(task["source"], format!("hub {}", hub.as_str().unwrap()), "{name}");
        }
        if let Some(revision) = dataset.and_then(|dataset| dataset.get("revision")) {
            assert_eq!(task["revision"], of_toml(Some(revision)), "{name}");
        }
        assert_eq!(
            task["private"],
            of_toml(card.get("private").filter(|_| card["private"].as_bool().unwrap()))
        );
        assert_eq!(task["unsupported"], of_toml(card.get("unsupported")), "{name}");
    }
    let most = tasks.iter().map(|task| task["subsets"].as_array().unwrap().len()).max();
    assert_eq!(most, Some(204 * 203), "pairs of languages are among them");
}

#[test]
fn a_language_leaves_the_subsets_that_have_it() {
    let cards = cards_of_files();
    let tasks = list_tasks(&["--language", "jav-Latn"]);
    let left: BTreeMap<&str, &Value> =
        tasks.iter().map(|task| (task["name"].as_str().unwrap(), task)).collect();
    let all = list_tasks(&[]);
    for name in all.iter().map(|task| task["name"].as_str().unwrap()) {
        let mut subsets = subsets(&cards[name]);
        subsets.retain(|(_, languages)| languages.iter().any(|language| language == "jav-Latn"));
        let found = left.get(name).map(|task| (&task["subsets"], &task["languages"]));
        if subsets.is_empty() {
            assert_eq!(found, None, "{name}");
        } else {
            assert!(
                found == Some((&json!(names(&subsets)), &json!(languages(&subsets)))),
                "{name}: {found:?}"
            );
        }
    }
    assert_eq!(left["FloresBitextMining"]["subsets"].as_array().unwrap().len(), 2 * 203);
}
