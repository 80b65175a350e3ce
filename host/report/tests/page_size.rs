//! The page of as many models and tasks as the field's largest boards have stays a file that anyone can mail.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

use std::sync::Arc;

use mteb_report::benchmark::{Subset, Task, TaskSet};
use mteb_report::facts::{KnownModels, ModelFacts, SimilarTasks};
use mteb_report::page::{ENGLISH, PageParts, page};
use mteb_report::reading::{Checks, Collection, Entry, Footprint, ResultsFolder, Summary};
use mteb_report::table::{Board, Tasks};

const MODELS: usize = 673;
const TASKS: usize = 56;

fn task(number: usize) -> Task {
    Task {
        name: format!("TaskWithAnOrdinaryName{number}"),
        task_type: format!("Type{}", number % 7),
        main_score: "ndcg_at_10".to_owned(),
        splits: vec!["test".to_owned()],
        subsets: vec![Subset { name: "default".to_owned(), languages: vec!["eng-Latn".to_owned()] }],
        units: Some(vec![("test".to_owned(), "default".to_owned())]),
        domains: vec!["News".to_owned(), "Written".to_owned()],
        description: "What the texts are, where they come from, and what is to be found in them. ".repeat(4),
        dataset: Some(format!("organisation/dataset-{number}")),
        reference: Some("https://arxiv.org/abs/2210.07316".to_owned()),
        ..Task::default()
    }
}

/// The result of a model on a task, with all that can be measured.
fn result(model: usize, task: usize) -> Summary {
    // With all the digits that scores have: the page keeps them.
    let score = 0.2 + ((model * 31 + task * 17) % 6_007) as f64 / 10_007.0;
    let entry = Entry {
        split: "test".to_owned(),
        subset: "default".to_owned(),
        main_score: Some(score),
        ..Entry::default()
    };
    let measured = Some(score * 1e4);
    let footprint = Footprint {
        units: 1,
        texts_encoded: 1e4,
        texts_per_second: measured,
        memory_mb: measured,
        gpu_memory_mb: measured,
        joules: measured,
        gpu_joules: measured,
        device: Some("NVIDIA H100 80GB HBM3".to_owned()),
        threads: Some(16),
    };
    Summary {
        task: format!("TaskWithAnOrdinaryName{task}"),
        evaluation_time: measured,
        footprint: Some(footprint),
        entries: vec![entry],
        ..Summary::default()
    }
}

fn facts() -> KnownModels {
    let model = |number: usize| {
        let facts = ModelFacts {
            parameters: Some(1_000_000 * (number as u64 + 1)),
            dimension: Some(1_024),
            max_tokens: Some(8_192),
            memory_mb: Some(4 * (number as u64 + 1)),
            release_date: Some("2025-01-31".to_owned()),
            license: Some("apache-2.0".to_owned()),
            open_weights: Some(true),
            use_instructions: Some(true),
            reference: Some(format!("https://huggingface.co/{}", name(number))),
            ..ModelFacts::default()
        };
        (name(number), facts)
    };
    KnownModels { models: (0..MODELS).map(model).collect() }
}

fn name(model: usize) -> String {
    format!("organisation-{}/a-model-of-usual-length-{model}-v2", model % 40)
}

#[test]
fn a_page_of_673_models_and_56_tasks_has_less_than_4_mb() {
    let benchmark =
        TaskSet { name: "Large".to_owned(), tasks: (0..TASKS).map(task).collect(), ..TaskSet::default() };
    let folder = |model: usize| ResultsFolder {
        model: name(model),
        revision: Some("0123456789abcdef0123456789abcdef01234567".to_owned()),
        files: (0..TASKS).map(|task| Arc::new(result(model, task))).collect(),
        ..ResultsFolder::default()
    };
    let collection = Collection { folders: (0..MODELS).map(folder).collect(), ..Collection::default() };
    let similar = SimilarTasks::default();
    let board = Board::new(&benchmark, Tasks::Selected, &collection, &facts(), &similar, Checks::Nothing);
    assert_eq!((board.rows.len(), board.columns.len()), (MODELS, TASKS));
    let html = page(&board, &PageParts::default(), ENGLISH);
    assert!(html.len() < 4_000_000, "{} bytes", html.len());
    assert_eq!(
        html.matches("\"peakMemory\":").count(),
        MODELS + 2,
        "each model and the texts of both languages"
    );
}
