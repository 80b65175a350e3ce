//! What every task of a pack must do, and what a type of task that a pack declares must be.

use mteb_card::{MEASURES, Part, TASK_TYPE, TaskCard, TaskType, TypeDeclaration};
use serde_json::Value;

use crate::name_and_edition;
use crate::v1::{Library, PluginError, TaskHandle, code};

/// Faults of the task called `name`.
pub fn faults(library: &Library, name: &str) -> Vec<String> {
    let faults = match library.new_task(name) {
        Ok(task) => {
            let mut faults = check(&task, name);
            faults.extend(answer_faults(&task, &library.manifest().features));
            faults
        }
        Err(error) => vec![error.message],
    };
    faults.into_iter().map(|fault| format!("task {name}: {fault}")).collect()
}

fn check(task: &TaskHandle, name: &str) -> Vec<String> {
    let text = match task.card() {
        Ok(text) => text,
        Err(error) => return vec![format!("card: {error}")],
    };
    let card = match TaskCard::from_toml(&text) {
        Ok(card) => card,
        Err(error) => return vec![format!("card: {error}")],
    };
    let mut faults = Vec::new();
    let mut is_ranking = card.task_type.is_ranking();
    if let TaskType::Own(own) = card.task_type {
        match read_declaration(task, own.name()) {
            Ok(declaration) => is_ranking = declaration.ranking.is_some(),
            Err(found) => faults.extend(found),
        }
    }
    let (expected, _) = name_and_edition(name);
    if card.name != expected {
        faults.push(format!("card, name: expected {expected}, found: {}", card.name));
    }
    for split in &card.eval_splits {
        for subset in card.subset_names() {
            for part in parts(is_ranking) {
                part_faults(task, subset, part, split, &mut faults);
            }
        }
    }
    unknown_part_faults(task, &mut faults);
    faults
}

/// The parts that a pack gives of every unit of such a task.
fn parts(is_ranking: bool) -> impl Iterator<Item = &'static str> {
    let needed = Part::ALL.iter().filter(move |part| part.is_needed() && part.is_of_rankings() == is_ranking);
    needed.map(|part| part.as_str())
}

fn part_faults(task: &TaskHandle, subset: &str, part: &str, split: &str, faults: &mut Vec<String>) {
    let place = format!("subset {subset}, part {part}, split {split}");
    let rows = match task.rows(subset, part, split) {
        Ok(rows) => rows,
        Err(error) => return faults.push(format!("{place}: {error}")),
    };
    if rows.trim().is_empty() {
        faults.push(format!("{place}: expected rows, found none"));
    }
    for (number, line) in rows.lines().enumerate() {
        match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(_)) => {}
            Ok(_) => faults.push(format!("{place}, row {}: expected a JSON object", number + 1)),
            Err(error) => faults.push(format!("{place}, row {}: {error}", number + 1)),
        }
    }
}

fn unknown_part_faults(task: &TaskHandle, faults: &mut Vec<String>) {
    match task.rows("default", "no-such-part", "test") {
        Err(error) if error.code == code::NOT_FOUND => {}
        Err(error) => faults.push(format!("a part that does not exist: expected NOT_FOUND, found: {error}")),
        Ok(_) => faults.push("a part that does not exist: expected an error, found rows".to_owned()),
    }
}

/// Faults of the answers beside card and rows: the host scores the types of its cards itself, and methods are those that the
/// manifest lists.
fn answer_faults(task: &TaskHandle, features: &[String]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut expect_unsupported = |what: &str, answer: Result<String, PluginError>| match answer {
        Err(error) if error.code == code::UNSUPPORTED => {}
        Err(error) => faults.push(format!("{what}: expected UNSUPPORTED, found: {error}")),
        Ok(_) => faults.push(format!("{what}: expected UNSUPPORTED, found an answer")),
    };
    let is_own = features.iter().any(|feature| feature == TASK_TYPE);
    if !is_own {
        expect_unsupported("score of a type that the host scores", task.score("{}"));
    }
    expect_unsupported("call of a method that the manifest does not list", task.call("no-such-method", "{}"));
    // What has a colon grants something; measures are no task's of the manifest.
    for method in features.iter().filter(|feature| !feature.contains(':') && *feature != MEASURES) {
        match task.call(method, "{}") {
            Err(error) if [code::UNSUPPORTED, code::PANIC].contains(&error.code) => faults.push(format!(
                "call of `{method}`, which the manifest lists: expected an answer, found: {error}"
            )),
            _ => {}
        }
    }
    faults
}

/// What the task declares of its type, called `name`.
///
/// # Errors
/// Its faults.
fn read_declaration(task: &TaskHandle, name: &str) -> Result<TypeDeclaration, Vec<String>> {
    let asked = || task.call(TASK_TYPE, "");
    let (first, again) = match (asked(), asked()) {
        (Ok(first), Ok(again)) => (first, again),
        (Err(error), _) | (_, Err(error)) => {
            return Err(vec![format!(
                "expected a declaration of the type {name}, which is not one of the host's, found: {error}; list `{TASK_TYPE}` among the \
                 features and answer it"
            )]);
        }
    };
    if first != again {
        return Err(vec![format!("expected one declaration of the type {name}, found two")]);
    }
    let declaration: TypeDeclaration =
        serde_json::from_str(&first).map_err(|error| vec![format!("type {name}: {error}")])?;
    let faults = declaration.faults().into_iter();
    let faults: Vec<String> =
        faults.map(|(path, message)| format!("type {name}, {}: {message}", path.join("."))).collect();
    if faults.is_empty() { Ok(declaration) } else { Err(faults) }
}
