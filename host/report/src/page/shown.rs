//! Names and shares as the page shows them.

use serde_json::Value;

use crate::visible;

/// A name as the page shows it: what nobody would see is visible, and no name is longer than a page.
pub fn shown(name: &str) -> String {
    let name = visible(name);
    if name.chars().count() <= 400 {
        return name.into_owned();
    }
    name.chars().take(400).chain(['…']).collect()
}

/// A share as a whole number of hundredths of a percent.
pub fn hundredths(share: Option<f64>) -> Value {
    share.map_or(Value::Null, |share| Value::from((share * 10_000.0).round() as i64))
}
