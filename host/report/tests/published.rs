//! The public results repository as it is: what is read of it, and tables that equal those of the reference.

// Helpers stand outside of the tests themselves.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use mteb_report::benchmark::{Subset, Task, TaskSet};
use mteb_report::facts::{KnownModels, ModelFacts, SimilarTasks};
use mteb_report::figure::{Figure, figure_3, figure_5, figure_6_models, figure_6_types};
use mteb_report::page::{ENGLISH, PageParts, page};
use mteb_report::reading::{Checks, Collection, Options, read};
use mteb_report::table::{Board, BoardWarning, CellNote, ReferenceRow, ReferenceTable, Tasks};
use serde_json::Value;

/// The folder with `published.tar.xz` and the reference's tables. `None`, after a line that says so, where it is absent; a
/// failure where it is absent and `CI` is `true`.
#[track_caller]
fn shared() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/published");
    if folder.join("published.tar.xz").is_file() {
        return Some(folder);
    }
    mteb_host_tests::absent(format!("no {}", folder.display()));
    None
}

/// The results, unpacked into the folder of the build.
fn published() -> Option<PathBuf> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let archive = shared()?.join("published.tar.xz");
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("published");
            if !folder.join("whole").exists() {
                std::fs::create_dir_all(&folder).unwrap();
                let tar = Command::new("tar").arg("xJf").arg(archive).arg("-C").arg(&folder).status();
                assert!(tar.expect("tar starts").success());
                std::fs::write(folder.join("whole"), "").unwrap();
            }
            Some(folder)
        })
        .clone()
}

/// What the fixture says.
struct Fixture(Value);

impl Fixture {
    fn read() -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/published/facts.json");
        Self(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
    }

    fn benchmark(&self, name: &str) -> TaskSet {
        let tasks = self.0["benchmarks"][name].as_array().unwrap().iter().map(|task| Task {
            name: text(&task["name"]).unwrap(),
            task_type: text(&task["type"]).unwrap(),
            main_score: text(&task["main_score"]).unwrap(),
            splits: texts(&task["splits"]),
            subsets: subsets(&task["subsets"]),
            is_aggregate: task["is_aggregate"].as_bool().unwrap(),
            domains: texts(&task["domains"]),
            ..Task::default()
        });
        TaskSet { name: name.to_owned(), tasks: tasks.collect(), ..TaskSet::default() }
    }

    /// The main score of each task of the benchmarks.
    fn main_scores(&self) -> HashMap<String, String> {
        let tasks =
            self.0["benchmarks"].as_object().unwrap().values().flat_map(|tasks| tasks.as_array().unwrap());
        tasks.map(|task| (text(&task["name"]).unwrap(), text(&task["main_score"]).unwrap())).collect()
    }

    fn facts(&self) -> KnownModels {
        let models = self.0["models"].as_object().unwrap().iter();
        KnownModels { models: models.map(|(name, model)| (name.clone(), model_facts(model))).collect() }
    }

    fn similar(&self) -> SimilarTasks {
        let mut similar = SimilarTasks::default();
        for (one, others) in self.0["similar"].as_object().unwrap() {
            texts(others).iter().for_each(|other| similar.insert(one, other));
        }
        similar
    }
}

fn model_facts(model: &Value) -> ModelFacts {
    let small = |key: &str| model[key].as_u64().map(|number| u32::try_from(number).unwrap());
    ModelFacts {
        is_registered: true,
        revision: text(&model["revision"]),
        parameters: model["parameters"].as_u64(),
        active_parameters: model["active_parameters"].as_u64(),
        dimension: small("dimension"),
        max_tokens: small("max_tokens"),
        release_date: text(&model["release_date"]),
        training_datasets: model["training_datasets"]
            .as_array()
            .map(|all| all.iter().filter_map(text).collect()),
        adapted_from: text(&model["adapted_from"]),
        open_weights: model["open_weights"].as_bool(),
        use_instructions: model["use_instructions"].as_bool(),
        ..ModelFacts::default()
    }
}

fn subsets(subsets: &Value) -> Vec<Subset> {
    let subsets = subsets.as_object().unwrap().iter();
    subsets.map(|(name, languages)| Subset { name: name.clone(), languages: texts(languages) }).collect()
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(text).collect()
}

fn collection() -> Option<Collection> {
    collection_with(Checks::Nothing)
}

/// The published files, read for the main scores of the benchmarks.
fn collection_with(checks: Checks) -> Option<Collection> {
    let main_scores = Fixture::read().main_scores();
    let main_score = |task: &str| main_scores.get(task).cloned();
    let options = Options { index: None, checks, wanted: &|_| true, main_score: &main_score };
    Some(read(&[published()?], &options).unwrap())
}

#[test]
fn no_published_file_is_left_out_whatever_its_age() {
    let Some(collection) = collection() else { return };
    assert_eq!(collection.left_out, []);
    let files = || collection.folders.iter().flat_map(|folder| &folder.files);
    assert_eq!(files().count(), 14_851);
    assert!(files().filter(|file| file.is_historic).count() >= 861);
}

#[test]
fn the_index_gives_what_the_files_gave_and_sees_a_file_that_changed() {
    let root = tempfile::tempdir().unwrap();
    let (results, index) = (root.path().join("results"), root.path().join("index"));
    let folder = results.join("a__b/1");
    fs::create_dir_all(&folder).unwrap();
    let write = |task: &str, score: f64| {
        let text = format!(
            r#"{{"dataset_revision": "r", "task_name": "{task}", "mteb_version": "2.0.0", "evaluation_time": 1,
                "scores": {{"test": [{{"hf_subset": "default", "languages": [], "main_score": {score}}}]}}}}"#
        );
        fs::write(folder.join(format!("{task}.json")), text).unwrap();
    };
    write("One", 0.25);
    write("Two", 0.5);
    let options =
        Options { index: Some(index), checks: Checks::Nothing, wanted: &|_| true, main_score: &|_| None };
    let scores = || {
        let collection = read(std::slice::from_ref(&results), &options).unwrap();
        let files = collection.folders.iter().flat_map(|folder| folder.files.clone());
        files.map(|file| file.entries[0].main_score.unwrap()).collect::<Vec<f64>>()
    };
    assert_eq!(scores(), [0.25, 0.5]);
    assert_eq!(scores(), [0.25, 0.5]);
    write("Two", 0.75);
    assert_eq!(scores(), [0.25, 0.75]);
    fs::remove_file(folder.join("One.json")).unwrap();
    assert_eq!(scores(), [0.75]);
    for file in fs::read_dir(root.path().join("index")).unwrap() {
        fs::write(file.unwrap().path(), "damaged").unwrap();
    }
    assert_eq!(scores(), [0.75]);
}

/// Room for the order of additions.
const ROUNDING: f64 = 1e-9;

#[test]
fn the_table_of_mteb_eng_v1_equals_the_reference_without_an_exception() {
    assert_equal("MTEB(eng, v1)", "golden_mteb_eng_v1.csv", 308);
}

#[test]
fn the_table_of_mteb_kor_v1_equals_the_reference_without_an_exception() {
    assert_equal("MTEB(kor, v1)", "golden_mteb_kor_v1.csv", 165);
}

fn assert_equal(benchmark: &str, golden: &str, models: usize) {
    let Some(collection) = collection() else { return };
    let fixture = Fixture::read();
    let table =
        ReferenceTable::new(&fixture.benchmark(benchmark), &collection, &fixture.facts(), &fixture.similar());
    let rows: BTreeMap<&str, &ReferenceRow> =
        table.rows.iter().map(|row| (row.model.as_str(), row)).collect();
    let mut reader = csv::Reader::from_path(shared().unwrap().join(golden)).unwrap();
    let titles = reader.headers().unwrap().clone();
    let mut faults = Vec::new();
    let mut seen = 0;
    for record in reader.records() {
        let record = record.unwrap();
        let expected: BTreeMap<&str, &str> = titles.iter().zip(record.iter()).collect();
        seen += 1;
        match rows.get(expected["Model"]) {
            Some(row) => faults.extend(differences(&table.types, row, &expected)),
            None => faults.push(format!("{}: expected, not found", expected["Model"])),
        }
    }
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!((seen, table.rows.len(), table.types.len()), (models, models, titles.len() - 11));
}

fn differences(types: &[String], row: &ReferenceRow, expected: &BTreeMap<&str, &str>) -> Vec<String> {
    let mut found = vec![
        ("Rank (Borda)", Some(row.rank as f64)),
        ("Zero-shot", Some(row.zero_shot as f64)),
        ("Active Parameters (B)", row.active_parameters),
        ("Total Parameters (B)", row.parameters),
        ("Embedding Dimensions", row.dimension.map(f64::from)),
        ("Max Tokens", row.max_tokens.map(f64::from)),
        ("Mean (Task)", row.mean_task),
        ("Mean (TaskType)", row.mean_task_type),
    ];
    found.extend(types.iter().map(String::as_str).zip(row.types.iter().copied()));
    let mut faults: Vec<String> = found
        .into_iter()
        .filter_map(|(title, found)| {
            let expected = expected[title].parse::<f64>().ok();
            let is_equal = match (expected, found) {
                (Some(expected), Some(found)) => (expected - found).abs() <= ROUNDING,
                (expected, found) => expected == found,
            };
            (!is_equal).then(|| format!("{}, {title}: expected {expected:?}, found {found:?}", row.model))
        })
        .collect();
    let date = row.release_date.as_deref().unwrap_or_default();
    if date != expected["Release Date"] {
        faults.push(format!("{}: expected the date {}, found {date}", row.model, expected["Release Date"]));
    }
    faults
}

fn board(name: &str) -> Option<Board> {
    let fixture = Fixture::read();
    let benchmark = fixture.benchmark(name);
    Some(Board::new(
        &benchmark,
        Tasks::Selected,
        &collection()?,
        &fixture.facts(),
        &fixture.similar(),
        Checks::Nothing,
    ))
}

#[test]
fn a_page_of_all_models_is_one_small_file_that_asks_for_nothing() {
    let Some(board) = board("MTEB(eng, v1)") else { return };
    // The reference shows 308, and drops those that its registry does not know.
    assert!(board.rows.len() > 308, "models without facts stay: {}", board.rows.len());
    let html = page(&board, &PageParts::default(), ENGLISH);
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("page.html"), &html).unwrap();
    assert!(html.len() < 1_500_000, "{} bytes", html.len());
    for request in ["src=", "url(", "@import"] {
        let near = html.find(request).map(|place| html[place..].chars().take(60).collect::<String>());
        assert_eq!(near, None, "asks for something");
    }
    for row in &board.rows {
        assert_eq!(row.rank.is_some(), row.interval.is_some(), "{}", row.name);
    }
}

fn keep(name: &str, figure: &Figure) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.svg"));
    std::fs::write(path, &figure.svg).unwrap();
    assert!(figure.svg.starts_with("<svg") && !figure.svg.contains("NaN"), "{name}");
}

#[test]
fn figures_3_and_6_are_drawn_from_the_published_results() {
    let Some(board) = board("MTEB(eng, v1)") else { return };
    let by_size = figure_3(&board).unwrap();
    keep("figure-3", &by_size);
    assert!(by_size.grid.rows.len() > 1_000, "{}", by_size.grid.rows.len());
    let models = figure_6_models(&board, 20).unwrap();
    keep("figure-6-models", &models);
    assert_eq!(models.grid.rows.len(), 20);
    let types = figure_6_types(&board).unwrap();
    keep("figure-6-types", &types);
    assert_eq!(types.grid.rows.len(), 7);
}

#[test]
fn figure_5_shows_scores_by_language() {
    let Some(board) = board("MTEB(kor, v1)") else { return };
    // These tasks have one language each: there is nothing to draw, and that is no fault.
    assert_eq!(figure_5(&board, 8).unwrap().grid.rows.len(), 0);
}

/// Models of the paper, and their averages over its 56 English datasets.
/// Source: Muennighoff et al. 2023, table 1.
const AVERAGES: [(&str, &str); 5] = [
    ("sentence-transformers/gtr-t5-base", "56.19"),
    ("sentence-transformers/gtr-t5-xl", "58.42"),
    ("sentence-transformers/gtr-t5-xxl", "58.97"),
    ("sentence-transformers/sentence-t5-xl", "57.87"),
    ("sentence-transformers/sentence-t5-xxl", "59.51"),
];

#[test]
fn old_files_give_the_papers_averages_and_say_what_was_read_in_them() {
    let Some(board) = board("MTEB(eng, v1)") else { return };
    for (model, expected) in AVERAGES {
        let row = board.rows_of(model)[0];
        let missing: Vec<&str> = row
            .cells
            .iter()
            .zip(&board.columns)
            .filter(|(cell, _)| cell.complete.is_none())
            .map(|(_, column)| column.task.name.as_str())
            .collect();
        assert_eq!(missing, Vec::<&str>::new(), "{model}");
        assert_eq!(row.mean.map(|mean| format!("{:.2}", 100.0 * mean)).as_deref(), Some(expected), "{model}");
        // What was read under another name is marked.
        for (cell, column) in row.cells.iter().zip(&board.columns) {
            if column.task.task_type == "Reranking" {
                assert!(
                    cell.is_marked && cell.notes.iter().any(|note| note.why().contains("`map`")),
                    "{:?}",
                    cell.notes
                );
            }
        }
    }
    let toxic =
        board.columns.iter().position(|column| column.task.name == "ToxicConversationsClassification");
    let cell = &board.rows_of("sentence-transformers/gtr-t5-base")[0].cells[toxic.unwrap()];
    assert_eq!(cell.complete.map(|score| format!("{:.2}", 100.0 * score)).as_deref(), Some("66.60"));
    assert!(cell.notes.iter().any(|note| note.why().contains("`ap`")), "{:?}", cell.notes);
}

#[test]
fn scores_that_their_parts_contradict_are_marked_and_none_of_them_is_left_out() {
    let Some(collection) = collection_with(Checks::All) else { return };
    let (fixture, similar) = (Fixture::read(), Fixture::read().similar());
    let benchmark = fixture.benchmark("MTEB(eng, v1)");
    let board = Board::new(&benchmark, Tasks::Selected, &collection, &fixture.facts(), &similar, Checks::All);
    let doubtful = |task_type: &str| {
        let of_row = |cells: &[mteb_report::table::Cell]| {
            let of_type = board.columns.iter().zip(cells);
            let of_type = of_type.filter(|(column, _)| column.task.task_type == task_type);
            of_type.filter(|(_, cell)| cell.notes.iter().any(CellNote::is_doubt)).count()
        };
        board.rows.iter().map(|row| of_row(&row.cells)).sum::<usize>()
    };
    assert_eq!((doubtful("Clustering"), doubtful("PairClassification")), (33, 3));
    let types = ["Clustering", "PairClassification"];
    let is_of_types = |task: &str| {
        board
            .columns
            .iter()
            .any(|column| column.task.name == task && types.contains(&column.task.task_type.as_str()))
    };
    let is_lost =
        |warning: &&BoardWarning| matches!(warning, BoardWarning::Score(score) if is_of_types(&score.task));
    assert_eq!(board.warnings.iter().find(is_lost), None);
}
