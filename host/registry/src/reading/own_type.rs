//! The task type and the measures that a card declares, with Python files beside it. Their code is
//! hashed and never run here.

use mteb_base::suggest::hint;
use mteb_card::{MeasureDeclaration, TaskCard, TaskType, TypeDeclaration, declare_measure, declare_type};
use serde_json::Value;

use super::python_evaluator::{FILES, names_of, python_evaluator};
use super::text::Text;
use crate::{Fault, Locator};

type Add<'a> = dyn FnMut(&[&str], String) + 'a;

/// Declares the type of the card whose content is `root`, if the card declares one whose form is sound; what keeps it from that.
pub fn declare_own_type(root: &Value, text: &Text, locator: &Locator) -> Vec<Fault> {
    let (evaluator, declared) = match (root.get("evaluator"), root.get("task_type")) {
        (None, None) if root.get(FILES).is_some() => {
            let message =
                "expected `evaluator = \"python:FILE.py:Class\"` beside `evaluator_files`, found none";
            return vec![locator.fault(&[FILES], message)];
        }
        (None, None) => return Vec::new(),
        (Some(_), None) => {
            let message = "expected `[task_type]` beside `evaluator`, with the columns and scores of the type, found none";
            return vec![locator.fault(&["evaluator"], message)];
        }
        (None, Some(_)) => {
            let message = "expected `evaluator = \"python:FILE.py:Class\"` beside `[task_type]`, found none";
            return vec![locator.fault(&["task_type"], message)];
        }
        (Some(evaluator), Some(declared)) => (evaluator, declared),
    };
    let Some(evaluator) = evaluator.as_str() else { return Vec::new() };
    // What is wrong with its form, the check of the form says.
    let Ok(declaration) = serde_json::from_value::<TypeDeclaration>(declared.clone()) else {
        return Vec::new();
    };
    let Some(name) = root.get("type").and_then(Value::as_str) else { return Vec::new() };
    let faults: Vec<Fault> = declaration
        .faults()
        .into_iter()
        .map(|(path, message)| {
            let path: Vec<&str> = ["task_type"].into_iter().chain(path.iter().map(String::as_str)).collect();
            locator.fault(&path, message)
        })
        .collect();
    if !faults.is_empty() {
        return faults;
    }
    let file = match python_evaluator(evaluator, &names_of(root.get(FILES)), text.path.as_deref()) {
        Ok(file) => file,
        Err(fault) => return vec![fault.at(&[], locator)],
    };
    let declared = declare_type(name, declaration, file);
    declared.err().map(|error| locator.fault(&["type"], error.to_string())).into_iter().collect()
}

/// The options that a card sets for a type that declares some.
pub fn check_own_options(card: &TaskCard, add: &mut Add) {
    let Some(declared) =
        card.task_type.declared().filter(|declared| !declared.declaration.options.is_empty())
    else {
        return;
    };
    let known = &declared.declaration.options;
    for (name, value) in &card.protocol.own {
        match known.get(name) {
            None => {
                let names: Vec<&str> = known.keys().map(String::as_str).collect();
                let near = hint(name, names.iter().copied(), "");
                let message = format!(
                    "a task of type {} has no option `{name}`{near}; it has: {}",
                    card.task_type,
                    names.join(", ")
                );
                add(&["protocol", mteb_card::OWN, name], message);
            }
            Some(option) if kind_of(&option.default) != kind_of(value) => {
                let (expected, found) = (kind_of(&option.default), kind_of(value));
                add(
                    &["protocol", mteb_card::OWN, name],
                    format!("expected {expected}, found {found}: {value}"),
                );
            }
            Some(_) => {}
        }
    }
}

/// A kind of values in the words of messages.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "`true` or `false`",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    }
}

/// True if `name` is a type that a pack or a card has declared.
pub fn is_declared(name: &str) -> bool {
    TaskType::named(name).is_some_and(|known| known.declared().is_some())
}

/// What stands before the names of measures of cards, and the key of the table that declares them.
const DECLARED: &str = "python";
const TABLE: &str = "measures";

/// Declares the measures of the card whose content is `root`, as far as their form is sound; what keeps it from that.
pub fn declare_own_measures(root: &Value, text: &Text, locator: &Locator) -> Vec<Fault> {
    let measures = root.get(TABLE).and_then(Value::as_object).into_iter().flatten();
    let mut faults = Vec::new();
    for (name, declared) in measures {
        // What is wrong with its form, the check of the form says.
        let Ok(declaration) = serde_json::from_value::<MeasureDeclaration>(declared.clone()) else {
            continue;
        };
        let of_declaration = declaration.faults();
        if !of_declaration.is_empty() {
            faults.extend(of_declaration.into_iter().map(|(path, message)| {
                let path: Vec<&str> =
                    [TABLE, name].into_iter().chain(path.iter().map(String::as_str)).collect();
                locator.fault(&path, message)
            }));
            continue;
        }
        let Some(evaluator) = &declaration.evaluator else {
            let message = "expected `evaluator = \"python:FILE.py:Class\"` of a measure, found none";
            faults.push(locator.fault(&[TABLE, name], message));
            continue;
        };
        match python_evaluator(evaluator, &declaration.evaluator_files, text.path.as_deref()) {
            Err(fault) => faults.push(fault.at(&[TABLE, name], locator)),
            Ok(evaluator) => {
                let declared = declare_measure(&format!("{DECLARED}/{name}"), declaration, evaluator);
                faults.extend(declared.err().map(|error| locator.fault(&[TABLE, name], error.to_string())));
            }
        }
    }
    faults
}
