//! Declares the task types and measures of cards for the whole process, and then checks these
//! cards.

mod own_type;
mod python_evaluator;

use crate::checking::form::{Kind, parse_value, value_faults};
use crate::reading::text::Text;
use crate::{Fault, Locator};
use own_type::{declare_own_measures, declare_own_type};

/// Declares the task type and the measures of the card `text`, which its form may name, then checks
/// it; everything that is wrong with either.
pub fn declare_and_check(text: &Text) -> Vec<Fault> {
    let locator = Locator::new(&text.file, text.text());
    let value = match parse_value(text, &locator) {
        Ok(value) => value,
        Err(faults) => return faults,
    };
    let mut faults = declare_own_type(&value, text, &locator);
    faults.extend(declare_own_measures(&value, text, &locator));
    if faults.is_empty() { value_faults(&value, text, Kind::Card, &locator) } else { faults }
}
