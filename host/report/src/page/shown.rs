//! Names and shares as the page shows them.

use serde_json::Value;

use crate::{percent, visible};

/// A name as the page shows it: what nobody would see is visible, and no name is longer than a page.
pub fn shown(name: &str) -> String {
    let name = visible(name);
    if name.chars().count() <= 400 {
        return name.into_owned();
    }
    name.chars().take(400).chain(['…']).collect()
}

/// A share as a whole number of hundredths of a percent, rounded as every table rounds it: two forms of one score show one number.
pub fn hundredths(share: Option<f64>) -> Value {
    let digits = |share: f64| percent(share).chars().filter(|digit| *digit != '.').collect::<String>();
    share.and_then(|share| digits(share).parse::<i64>().ok()).map_or(Value::Null, Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_rounded_as_tables_round_it() {
        let shares = [0.681_25, 0.683_75, -0.001_526_775, -0.000_01, 1.0, 0.0, f64::NAN];
        let shown = shares.map(|share| hundredths(Some(share)));
        let expected = [6_812, 6_838, -15, 0, 10_000, 0].map(Value::from);
        assert_eq!((&shown[..6], &shown[6]), (&expected[..], &Value::Null));
    }
}
