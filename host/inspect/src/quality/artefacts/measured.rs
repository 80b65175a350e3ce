//! One figure of what a model may reach without reading, with its limits.

use mteb_tasks::Unit;
use serde::Serialize;

use super::super::data::SubsetData;
use super::super::fault::DataFault;

/// One figure and its limits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Artefact {
    /// Split.
    pub split: String,
    /// Name of the check.
    pub check: &'static str,
    /// What was measured, as `accuracy`.
    pub measure: &'static str,
    /// The figure.
    pub value: f64,
    /// What chance reaches, where it reaches more than nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
    /// Least that the card allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<f64>,
    /// Most that the card allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<f64>,
}

impl Artefact {
    /// A figure of `unit` without limits.
    pub fn new(unit: &Unit, check: &'static str, measure: &'static str, value: f64) -> Self {
        Self { split: unit.split.clone(), check, measure, value, chance: None, least: None, most: None }
    }

    /// The same, which chance brings to `chance`.
    #[must_use]
    pub fn over(self, chance: f64) -> Self {
        Self { chance: Some(chance), ..self }
    }

    /// The same, of which the card allows no more than `most`.
    #[must_use]
    pub fn at_most(self, most: Option<f64>) -> Self {
        Self { most, ..self }
    }

    /// The same for an AUC, of which the card allows no more than `most`, nor as little as a model would reach that turns what it sees
    /// around: a cue that points the wrong way is as good a cue.
    #[must_use]
    pub fn at_most_on_either_side(self, most: Option<f64>) -> Self {
        Self { least: most.map(|most| 1.0 - most), most, ..self }
    }

    /// The same, of which the card allows what lies in `range`.
    #[must_use]
    pub fn within(self, range: Option<[f64; 2]>) -> Self {
        Self { least: range.map(|[least, _]| least), most: range.map(|[_, most]| most), ..self }
    }

    /// The fault that the figure breaks its limit; `of` says of what it is one, `advice` what to do.
    pub fn fault(&self, data: &SubsetData, unit: &Unit, of: &str, advice: &'static str) -> Option<DataFault> {
        let (side, limit) = match (self.least, self.most) {
            (Some(least), _) if self.value < least => ("least", least),
            (_, Some(most)) if self.value > most => ("most", most),
            _ => return None,
        };
        let chance = self.chance.map_or_else(String::new, |chance| format!(" (chance {chance:.2})"));
        let message = format!(
            "expected {} of {of} at {side} {limit}, found {:.3}{chance}",
            with_article(self.measure),
            self.value
        );
        Some(data.fault(unit, self.check, Vec::new(), message, advice))
    }
}

/// How far an AUC is from that of chance, as an AUC above it.
pub fn on_one_side(area: f64) -> f64 {
    area.max(1.0 - area)
}

fn with_article(measure: &str) -> String {
    let article = if measure.starts_with(['a', 'A', 'n']) { "an" } else { "a" };
    format!("{article} {measure}")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mteb_card::TaskCard;

    use super::*;

    #[test]
    fn an_area_far_below_chance_is_as_bad_as_one_far_above() {
        let card = "schema = 1\nname = \"T\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"a\"\n";
        let card = TaskCard::from_toml(card).unwrap();
        let units = [Unit::of(&card, "test", "default", BTreeMap::new())];
        let data = SubsetData::new(&card, &units).unwrap();
        let said = |area: f64| {
            let found = Artefact::new(&units[0], "one side", "AUC", area).over(0.5);
            let found =
                found.at_most_on_either_side(Some(0.6)).fault(&data, &units[0], "a classifier", "do it");
            found.map(|fault| fault.message)
        };
        assert_eq!(said(0.55), None);
        assert_eq!(said(0.41), None);
        let above = "expected an AUC of a classifier at most 0.6, found 0.900 (chance 0.50)";
        assert_eq!(said(0.9).as_deref(), Some(above));
        let below = "expected an AUC of a classifier at least 0.4, found 0.100 (chance 0.50)";
        assert_eq!(said(0.1).as_deref(), Some(below));
        assert_eq!([on_one_side(0.1), on_one_side(0.7)], [0.9, 0.7]);
    }
}
