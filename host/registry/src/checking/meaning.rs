//! Checks what a schema cannot say: that the parts of a card fit together.

use std::collections::BTreeSet;

use mteb_base::day::check_day;
use mteb_card::{Dataset, Registry, TaskCard, is_license};
use mteb_plugin_api::name_and_edition;
use mteb_tasks::{facts, needs_training};

use super::dataset_meaning::check_dataset;
use super::protocol_meaning::{check_options, check_own_options, check_protocol};
use super::quality_meaning::check_quality;
use super::registry_meaning::check_registry_meaning;
use crate::languages::language::language_fault;
use crate::{Fault, Locator};

/// Everything that is wrong with `card`, each with its place in the text.
pub fn check_card(card: &TaskCard, locator: &Locator) -> Vec<Fault> {
    check_rest(card, &BTreeSet::new(), locator)
}

/// The same, but for what depends on keys of the card that are `touched`, of which nobody knows
/// what they should say.
pub fn check_rest(card: &TaskCard, touched: &BTreeSet<String>, locator: &Locator) -> Vec<Fault> {
    let mut faults = Vec::new();
    let is_known = |keys: &[&str]| keys.iter().all(|key| !touched.contains(*key));
    if is_known(&["type"]) {
        check_options(card, &mut |path, message| faults.push(locator.fault(path, message)));
    }
    let mut add = |path: &[&str], message: String| {
        if path.first().is_none_or(|key| is_known(&[*key])) {
            faults.push(locator.fault(path, message));
        }
    };
    check_head(card, &mut add);
    let has_splits = is_known(&["subsets", "eval_splits"]);
    if is_known(&["members", "dataset"]) && has_splits {
        if !card.members.is_empty() {
            check_members(card, &mut add);
        } else if is_known(&["type", "unsupported"]) {
            check_dataset(card, &mut add);
        }
    }
    if is_known(&["languages"]) && has_splits {
        check_languages(card, &mut add);
    }
    if is_known(&["type", "protocol"]) && has_splits {
        check_hold_out(card, &mut add);
    }
    if is_known(&["type", "protocol"]) {
        check_own_options(card, &mut add);
    }
    if is_known(&["type", "unsupported"]) && has_splits {
        check_scores(card, &mut add);
    }
    if is_known(&["type", "protocol", "main_score"]) {
        check_protocol(card, &mut add);
    }
    if is_known(&["type", "dataset", "quality"]) && has_splits {
        check_quality(card, &mut add);
    }
    faults.sort();
    faults
}

/// Everything that is wrong with `registry` itself, without its cards.
pub fn check_registry(registry: &Registry, locator: &Locator) -> Vec<Fault> {
    let mut faults = Vec::new();
    if registry.schema != 1 {
        faults.push(locator.fault(&["schema"], format!("expected schema 1, found {}", registry.schema)));
    }
    let (name, edition) = name_and_edition(&registry.name);
    if !is_plain_name(name) || edition.is_some_and(|edition| !is_plain_name(edition)) {
        let message = format!(
            "expected a name of letters, digits, `-`, `_` and `.`, or `name@edition`, found: {}",
            registry.name
        );
        faults.push(locator.fault(&["name"], message));
    }
    for (index, entry) in registry.cards.iter().enumerate().filter(|(_, entry)| leads_out(entry)) {
        let message = format!("expected a path below the registry's folder, without `..`, found: {entry}");
        faults.push(locator.fault(&["cards", &index.to_string()], message));
    }
    for (index, benchmark) in registry.benchmarks.iter().enumerate() {
        if benchmark.tasks.is_empty() {
            let message = format!("benchmark {}: expected at least one task, found none", benchmark.name);
            faults.push(locator.fault(&["benchmark", &index.to_string()], message));
        }
        check_pointers(benchmark.reference.as_deref(), benchmark.citation.as_deref(), &mut |key, message| {
            faults.push(locator.fault(&["benchmark", &index.to_string(), key], message));
        });
        if registry.benchmarks[..index].iter().any(|other| other.name == benchmark.name) {
            let message = format!("expected benchmarks of different names, found two: {}", benchmark.name);
            faults.push(locator.fault(&["benchmark", &index.to_string(), "name"], message));
        }
    }
    check_registry_meaning(registry, &mut |path, message| faults.push(locator.fault(path, message)));
    faults
}

/// Longest name of a task: a file may be called by 255 bytes, and ends in `.json`.
const LONGEST_NAME: usize = 200;

/// A file beside those of tasks in a folder of results, without its ending: it says who the model
/// is.
const OWN_FILE: &str = "model_meta";

type Add<'a> = dyn FnMut(&[&str], String) + 'a;

fn check_head(card: &TaskCard, add: &mut Add) {
    if card.schema != 1 {
        add(&["schema"], format!("expected schema 1, found {}", card.schema));
    }
    if !is_plain_name(&card.name) {
        let allowed = "letters, digits, `-`, `_` and `.`";
        add(&["name"], format!("expected a name of {allowed}, found: {}", card.name));
    } else if card.name.len() > LONGEST_NAME {
        let (most, found) = (LONGEST_NAME, card.name.len());
        add(
            &["name"],
            format!(
                "expected a name of at most {most} letters, because files are named after it, found {found}"
            ),
        );
    } else if card.name.eq_ignore_ascii_case(OWN_FILE) {
        let why = "`model_meta.json` is the file that describes the model of the results";
        add(&["name"], format!("expected an unused name, because {why}, found: {}", card.name));
    }
    if card.eval_splits.is_empty() {
        add(&["eval_splits"], "expected at least one split, found none".to_owned());
    }
    if let Some(license) = card.license.as_deref().filter(|license| !is_license(license)) {
        let message = format!(
            "expected a licence from the list (mit, cc-by-4.0, apache-2.0 …; `not specified` if unknown) or a \
             URL, found: {license}"
        );
        add(&["license"], message);
    }
    for (index, day) in card.date.iter().flatten().enumerate() {
        if let Err(error) = check_day(day) {
            add(&["date", &index.to_string()], format!("{error}, found: {day}"));
        }
    }
    check_pointers(card.reference.as_deref(), card.citation.as_deref(), &mut |key, message| {
        add(&[key], message)
    });
}

/// A task that is the mean of others has no data, subsets or options of its own.
fn check_members(card: &TaskCard, add: &mut Add) {
    if card.dataset != Dataset::default() {
        add(&["dataset"], "expected none in a task with `members`, found one".to_owned());
    }
    if !card.subsets.is_empty() {
        add(&["subsets"], "expected none in a task with `members`, found some".to_owned());
    }
    if !card.protocol.is_default() {
        add(&["protocol"], "expected none in a task with `members`, found one".to_owned());
    }
    for (index, name) in card.members.iter().enumerate().filter(|(_, name)| !is_plain_name(name)) {
        add(&["members", &index.to_string()], format!("expected the name of a task, found: {name}"));
    }
    for (index, name) in card.members.iter().enumerate().filter(|(_, name)| **name == card.name) {
        let message = format!("expected the name of another task, found: {name}");
        add(&["members", &index.to_string()], message);
    }
    for (index, name) in card.members.iter().enumerate() {
        if card.members[..index].contains(name) {
            let message = format!("expected each task once, found again: {name}");
            add(&["members", &index.to_string()], message);
        }
    }
}

/// What is held out must leave rows to learn from, in a task that learns.
fn check_hold_out(card: &TaskCard, add: &mut Add) {
    let of_subsets = card.subsets.iter().filter_map(|(name, subset)| {
        let path = vec!["subsets", name.as_str(), "hold_out"];
        Some((path, format!("subset {name}: "), subset.hold_out.as_ref()?))
    });
    let of_all =
        card.dataset.hold_out.iter().map(|found| (vec!["dataset", "hold_out"], String::new(), found));
    for (path, whose, hold_out) in of_subsets.chain(of_all) {
        let mut fault = |field: &[&str], found: String| {
            add(&[path.as_slice(), field].concat(), format!("{whose}expected {found}"));
        };
        if !needs_training(card) {
            fault(&[], "no `hold_out` in a task without a training split, found one".to_owned());
        }
        if !(hold_out.share > 0.0 && hold_out.share < 1.0) {
            fault(&["share"], format!("a share between 0 and 1, found {}", hold_out.share));
        }
        for (field, count) in [("rows", hold_out.rows), ("test", hold_out.test), ("train", hold_out.train)] {
            if count == Some(0) {
                fault(&[field], "at least 1, found 0".to_owned());
            }
        }
    }
}

fn check_languages(card: &TaskCard, add: &mut Add) {
    if card.subsets.is_empty() && card.languages.is_empty() {
        add(&["languages"], "expected `languages`, or subsets with languages, found neither".to_owned());
    }
    let faults = |codes: &[String]| -> Vec<(String, String)> {
        let codes = codes.iter().enumerate();
        codes.filter_map(|(index, code)| Some((index.to_string(), language_fault(code)?))).collect()
    };
    for (index, fault) in faults(&card.languages) {
        add(&["languages", &index], fault);
    }
    for (name, subset) in &card.subsets {
        if subset.languages.is_empty() {
            add(&["subsets", name, "languages"], format!("subset {name}: expected a language, found none"));
        }
        if subset.eval_splits.as_ref().is_some_and(Vec::is_empty) {
            let message = format!("subset {name}: expected at least one split, found none");
            add(&["subsets", name, "eval_splits"], message);
        }
        let splits = subset.eval_splits.iter().flatten().enumerate();
        for (index, split) in splits.filter(|(_, split)| !card.eval_splits.contains(split)) {
            let message =
                format!("expected one of the splits {}, found: {split}", card.eval_splits.join(", "));
            add(&["subsets", name, "eval_splits", &index.to_string()], message);
        }
        for (index, fault) in faults(&subset.languages) {
            add(&["subsets", name, "languages", &index], fault);
        }
    }
}

fn check_scores(card: &TaskCard, add: &mut Add) {
    let main_score = card.main_score();
    // A type of its own that could not be declared has a fault already.
    let is_declared = !card.task_type.main_score().is_empty();
    if card.unsupported.is_none() && is_declared && !(facts(card.task_type).gives)(main_score) {
        let message = format!(
            "expected a score of {}, such as {}, found: {main_score}",
            card.task_type,
            card.task_type.main_score()
        );
        add(&["main_score"], message);
    }
    let subsets: BTreeSet<&str> = card.subset_names().into_iter().collect();
    for (model, expected) in &card.expected {
        if !(expected.tolerance.is_finite() && expected.tolerance >= 0.0) {
            let message = format!("expected a difference of 0 or more, found: {}", expected.tolerance);
            add(&["expected", model, "tolerance"], message);
        }
        for (split, scores) in &expected.splits {
            if !card.eval_splits.contains(split) {
                let message =
                    format!("expected one of the splits {}, found: {split}", card.eval_splits.join(", "));
                add(&["expected", model, split], message);
            }
            for subset in scores.keys().filter(|subset| !subsets.contains(subset.as_str())) {
                add(&["expected", model, split, subset], format!("the card has no subset {subset}"));
            }
        }
    }
}

/// True if a path is absolute or goes up.
fn leads_out(path: &str) -> bool {
    path.starts_with('/') || path.split('/').any(|part| part == "..")
}

fn is_plain_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// Checks where a task or a benchmark is described, and how it is cited.
fn check_pointers(reference: Option<&str>, citation: Option<&str>, add: &mut dyn FnMut(&str, String)) {
    let is_address = |text: &&str| text.starts_with("https://") || text.starts_with("http://");
    if let Some(found) = reference.filter(|text| !is_address(text)) {
        add("reference", format!("expected an address such as https://example.org/paper, found: {found}"));
    }
    if let Some(found) = citation.filter(|text| !text.trim_start().starts_with('@')) {
        let first = found.trim().lines().next().unwrap_or_default();
        add(
            "citation",
            format!("expected a BibTeX entry such as `@misc{{key, title = {{…}}}}`, found: {first}"),
        );
    }
}
