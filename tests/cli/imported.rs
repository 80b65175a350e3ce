//! The tasks and benchmarks of the reference, whose cards are imported.

use std::fs;

use mteb_host_tests::{Run, host};
use serde_json::Value;

fn listed(what: &str, more: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::of(host(folder.path()).args(["list", what, "--json"]).args(more)).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    run.json().unwrap().as_array().unwrap().clone()
}

#[test]
fn every_text_task_of_the_reference_is_listed_and_most_can_be_run() {
    let tasks = listed("tasks", &["--registry", "mteb"]);
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
        let tasks = listed("tasks", &["--benchmark", benchmark]);
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
    let tasks = listed("tasks", &["--benchmark", "MTEB(kor, v1)"]);
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
        listed("tasks", &["--registry", registry, "--task", task])[0]["subsets"].as_array().unwrap().len()
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
    let benchmarks = listed("benchmarks", &[]);
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
    let whole = listed("tasks", &["--registry", "mteb", "--task", "FloresBitextMining"]);
    assert_eq!(whole[0]["subsets"].as_array().unwrap().len(), 204 * 203);
    let indonesian = listed("tasks", &["--registry", "indonesia-hub", "--task", "FloresBitextMining"]);
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
    let models = listed("models", &[]);
    assert!(models.len() > 850, "{}", models.len());
    let mistral = models.iter().find(|model| model["name"] == "intfloat/e5-mistral-7b-instruct").unwrap();
    assert_eq!((&mistral["architecture"], &mistral["dimension"]), (&"mistral".into(), &4_096.into()));
    assert!(mistral["training_datasets"].as_array().unwrap().contains(&"MSMARCO".into()));
    assert_eq!(mistral["facts"], "mteb 2.26.24");
}
