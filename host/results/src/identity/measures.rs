//! Which measures a score was made with, beside those that its card asks for.

use mteb_json::Json;

/// The deepest cut by default: one beyond it finds more documents for every measure.
const DEEPEST: usize = 1000;

/// Measures that a user asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// Those of protocol 7.6.
    pub extra: bool,
    /// Cuts of ranking tasks beside those of the card, ascending.
    pub k_values: Vec<usize>,
}

impl Measures {
    /// As a result file holds it; null where nothing was asked for.
    pub fn to_json(&self) -> Json {
        if *self == Self::default() {
            return Json::Null;
        }
        let cuts = self.k_values.iter().map(|&cut| Json::Int(cut as i64)).collect();
        Json::object([("extra", Json::Bool(self.extra)), ("k_values", Json::List(cuts))])
    }

    /// From a result file; what it does not say was not asked for.
    pub fn from_json(json: Option<&Json>) -> Self {
        let cut = |cut: &Json| match cut {
            Json::Int(cut) => usize::try_from(*cut).ok(),
            _ => None,
        };
        let cuts = json.and_then(|json| json.get("k_values")?.as_list());
        Self {
            extra: json.and_then(|json| json.get("extra")) == Some(&Json::Bool(true)),
            k_values: cuts.unwrap_or_default().iter().filter_map(cut).collect(),
        }
    }

    /// True if a result with these measures has all that `asked` asks for, in the same digits.
    pub fn cover(&self, asked: &Self) -> bool {
        let is_there = |cut: &usize| self.k_values.contains(cut);
        // Who looks deeper finds more, and how sure a ranking looks depends on all that was found.
        let is_harmless = |cut: &usize| *cut <= DEEPEST || asked.k_values.contains(cut);
        (self.extra || !asked.extra)
            && asked.k_values.iter().all(is_there)
            && self.k_values.iter().all(is_harmless)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measures(extra: bool, k_values: &[usize]) -> Measures {
        Measures { extra, k_values: k_values.to_vec() }
    }

    #[test]
    fn more_measures_cover_fewer_unless_they_look_deeper() {
        let more = measures(true, &[7, 50]);
        assert!(more.cover(&measures(false, &[7])) && more.cover(&Measures::default()));
        assert!(!measures(false, &[7]).cover(&more) && !measures(true, &[7]).cover(&more));
        assert!(!measures(false, &[2000]).cover(&Measures::default()));
    }

    #[test]
    fn measures_outlast_their_way_through_a_file() {
        let all = measures(true, &[7, 50]);
        assert_eq!(Measures::from_json(Some(&all.to_json())), all);
        assert_eq!(
            (Measures::default().to_json(), Measures::from_json(None)),
            (Json::Null, Measures::default())
        );
    }
}
