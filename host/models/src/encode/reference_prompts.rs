//! What stands before texts is, for every model of the reference, a task of each type and each role, what the reference puts there; and
//! cards say what its loaders set. The tables are made by `cargo xtask import`, which runs the loaders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use mteb_card::ModelCard;
use mteb_card::TaskCard;
use mteb_plugin_api::{Loading, Prompts};
use mteb_registry::{ModelCards, embedded_card};
use mteb_tasks::Role;

use super::prompt_for;

fn registries() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../registries")
}

/// The cells of each line of a table, behind its comments and its heading.
fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split('\t').collect())
}

fn read(name: &str) -> String {
    std::fs::read_to_string(registries().join(name)).unwrap()
}

fn card(model: &str) -> ModelCard {
    ModelCards::beside(&[]).card(model).unwrap().unwrap_or_else(|| panic!("{model} has no card")).card
}

fn task(name: &str) -> TaskCard {
    embedded_card(name).unwrap_or_else(|| panic!("no card of {name}"))
}

/// The verdicts of all models by their names.
fn verdicts(table: &str) -> BTreeMap<String, String> {
    lines(table).map(|cells| (cells[0].to_owned(), cells[2].to_owned())).collect()
}

#[test]
fn what_stands_before_texts_is_what_the_reference_puts_there() {
    let (table, facts) = (read("model-prompts.tsv"), read("model-facts.tsv"));
    let verdicts = verdicts(&facts);
    let tasks = table.lines().nth(1).unwrap().trim_start_matches("# ");
    let tasks: BTreeMap<&str, TaskCard> = tasks
        .split("; ")
        .map(|named| named.split_once(": ").unwrap())
        .map(|(kind, name)| (kind, task(name)))
        .collect();
    assert!(tasks.len() >= 12, "a task of each type");
    let mut compared = 0;
    for cells in lines(&table).filter(|cells| verdicts[cells[0]] == "equal") {
        let (model, before): (&str, String) = (cells[0], serde_json::from_str(cells[1]).unwrap());
        // Without prompts in its card, a model has those of its files, which the reference takes, too.
        let Some(prompts) = card(model).prompts else {
            assert_eq!(before, "", "{model}");
            continue;
        };
        for place in cells[2].split(',') {
            let (kind, role) = match place.rsplit_once('-') {
                Some((kind, "query")) => (kind, Some(Role::Query)),
                Some((kind, "document")) => (kind, Some(Role::Document)),
                _ => (place, None),
            };
            assert_eq!(prompt_for(&prompts, &tasks[kind], role), before, "{model}, {place}");
            compared += 1;
        }
    }
    assert!(compared > 2_000, "{compared} strings were compared");
}

#[test]
fn cards_say_what_the_loaders_of_the_reference_set() {
    let table = read("model-facts.tsv");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for cells in lines(&table) {
        let [model, _, verdict, loading, similarity, _] = cells[..] else { panic!("{cells:?}") };
        *counts.entry(verdict).or_default() += 1;
        // The model `random` is the plugin's, which says of itself what it is.
        let Ok(Some(found)) = ModelCards::beside(&[]).card(model) else { continue };
        let said = found.card.loading.unwrap_or_default();
        match verdict {
            "equal" => {
                let expected = if loading.is_empty() { "{}" } else { loading };
                assert_eq!(said, serde_json::from_str::<Loading>(expected).unwrap(), "{model}");
                let is_imported = found.card.facts.as_deref() == Some("mteb 2.26.24");
                assert!(similarity != "files" || !is_imported || found.card.similarity.is_none(), "{model}");
            }
            "refused" => assert!(said.beyond.is_some(), "{model}"),
            "not followed" | "api" | "none" | "differs" => assert_eq!(said.beyond, None, "{model}"),
            other => panic!("{model}: {other}"),
        }
    }
    assert!(counts.values().sum::<usize>() > 870, "{counts:?}");
    assert!(counts["equal"] > 450, "{counts:?}");
}

/// The texts of rerankers: a query beside each document, in tasks that rank.
const OF_RERANKERS: [&str; 4] =
    ["InstructionReranking-query", "InstructionRetrieval-query", "Reranking-query", "Retrieval-query"];

#[test]
fn every_model_has_a_verdict_with_its_reason_and_a_string_for_each_type_and_role() {
    let (table, facts) = (read("model-prompts.tsv"), read("model-facts.tsv"));
    let mut places: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for cells in lines(&table) {
        let of_model = places.entry(cells[0]).or_default();
        for place in cells[2].split(',') {
            assert!(of_model.insert(place), "{}, {place}: two strings", cells[0]);
        }
    }
    let all: BTreeSet<&str> = places.values().flatten().copied().collect();
    assert_eq!(all.len(), 16, "{all:?}");
    let rerankers = BTreeSet::from(OF_RERANKERS);
    let mut seen = BTreeSet::new();
    for cells in lines(&facts) {
        let [model, loader, verdict, _, _, detail] = cells[..] else { panic!("{cells:?}") };
        assert!(seen.insert(model), "{model} has two lines");
        match verdict {
            "equal" => {
                let found = &places[model];
                let is_whole = *found == all || *found == rerankers;
                assert!(is_whole, "{model}: {:?}", all.difference(found).collect::<Vec<_>>());
            }
            _ => assert!(!detail.is_empty() && !loader.is_empty(), "{model}: {verdict} without a reason"),
        }
    }
    // Every card with the reference's facts has its line, but for the random encoder, which is a plugin of the host.
    let (cards, _) = ModelCards::beside(&[]).all();
    let of_reference = cards.iter().filter(|found| found.card.facts.as_deref() == Some("mteb 2.26.24"));
    let names = of_reference.map(|found| found.card.name.as_str());
    let without: Vec<&str> = names.filter(|name| !seen.contains(name)).collect();
    assert_eq!(without, ["mteb/baseline-random-encoder"]);
}

#[test]
fn prompts_without_the_newer_keys_are_written_as_before() {
    let written = serde_json::to_string(&Prompts::default()).unwrap();
    assert_eq!(
        written,
        r#"{"named":{},"instruction_template":null,"instruct_documents":false,"default":null}"#
    );
}
