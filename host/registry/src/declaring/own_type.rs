//! The task type and the measures that a card declares, with Python files beside it. From then on
//! the whole process knows them. Their code is hashed and never run here.

use mteb_card::{MeasureDeclaration, TypeDeclaration, declare_measure, declare_type};
use serde_json::Value;

use super::python_evaluator::{FILES, names_of, python_evaluator};
use crate::reading::text::Text;
use crate::{Fault, Locator};

/// Declares the type of the card whose content is `root`, if the card declares one whose form is
/// sound; what keeps it from that.
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

/// What stands before the names of measures of cards, and the key of the table that declares them.
const DECLARED: &str = "python";
const TABLE: &str = "measures";

/// Declares the measures of the card whose content is `root`, as far as their form is sound; what
/// keeps it from that.
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
