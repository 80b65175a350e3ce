//! The measures that a card declares, each a class of a Python file beside it. Its code is hashed and never run here.

use mteb_card::{MeasureDeclaration, declare_measure};
use serde_json::Value;

use super::own_type::python_evaluator;
use super::text::Text;
use crate::{Fault, Locator};

/// What stands before the names of measures of cards, and the key of the table that declares them.
const PYTHON: &str = "python";
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
        let evaluator = match &declaration.evaluator {
            Some(evaluator) => python_evaluator(evaluator, text.path.as_deref()),
            None => {
                Err("expected `evaluator = \"python:FILE.py:Class\"` of a measure, found none".to_owned())
            }
        };
        match evaluator {
            Err(message) if declaration.evaluator.is_none() => {
                faults.push(locator.fault(&[TABLE, name], message));
            }
            Err(message) => faults.push(locator.fault(&[TABLE, name, "evaluator"], message)),
            Ok(evaluator) => {
                let declared = declare_measure(&format!("{PYTHON}/{name}"), declaration, evaluator);
                faults.extend(declared.err().map(|message| locator.fault(&[TABLE, name], message)));
            }
        }
    }
    faults
}
