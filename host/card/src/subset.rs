//! One subset of a task.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HoldOut;

/// A subset: usually one language, or one pair of languages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Subset {
    /// Languages, as `ind-Latn`; of a pair, first side first.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Languages as `ind_Latn`, of which every ordered pair is a subset of its own, called `ind_Latn-eng_Latn`: this entry stands
    /// for all of them, whatever its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<String>,
    /// Config of the dataset that holds the subset; absent: the subset's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// The two columns that are the sides of the pair, `sentence1` and `sentence2`; absent: as everywhere else in the task,
    /// and for parallel columns the parts of the subset's name around `-`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<[String; 2]>,
    /// The subset has no training split, and some of the rows of the split that is scored are learned from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_out: Option<HoldOut>,
    /// Splits of this subset; absent: those of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval_splits: Option<Vec<String>>,
}

/// Reads and writes subsets as a table whose order is kept: the order is the order of evaluation.
pub mod as_table {
    use std::fmt;

    use serde::de::{Error, MapAccess, Visitor};
    use serde::ser::SerializeMap;
    use serde::{Deserializer, Serializer};

    use super::Subset;

    /// Writes the subsets as a map.
    pub fn serialize<S: Serializer>(subsets: &[(String, Subset)], out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(Some(subsets.len()))?;
        for (name, subset) in subsets {
            map.serialize_entry(name, subset)?;
        }
        map.end()
    }

    /// Reads the subsets from a map, in its order.
    pub fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<(String, Subset)>, D::Error> {
        input.deserialize_map(InOrder)
    }

    struct InOrder;

    impl<'de> Visitor<'de> for InOrder {
        type Value = Vec<(String, Subset)>;

        fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
            formatter.write_str("a table of subsets, as `ind = { languages = [\"ind-Latn\"] }`")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut subsets = Vec::new();
            while let Some((name, subset)) = map.next_entry::<String, Subset>()? {
                if subset.pairs.is_empty() {
                    subsets.push((name, subset));
                } else {
                    check_pairs(&name, &subset.pairs).map_err(A::Error::custom)?;
                    subsets.extend(all_pairs(&subset.pairs));
                }
            }
            Ok(subsets)
        }
    }

    /// One language makes no pair, and the task would be scored as one without subsets.
    fn check_pairs(name: &str, languages: &[String]) -> Result<(), String> {
        if let [lone] = languages {
            return Err(format!(
                "subset {name}: expected at least two languages in `pairs`, found one: {lone}"
            ));
        }
        let twice =
            languages.iter().enumerate().find(|(place, language)| languages[..*place].contains(language));
        match twice {
            Some((_, language)) => {
                Err(format!("subset {name}: expected each language of `pairs` once, found again: {language}"))
            }
            None => Ok(()),
        }
    }

    /// Every ordered pair of two different languages, first by the first one.
    fn all_pairs(languages: &[String]) -> impl Iterator<Item = (String, Subset)> {
        languages.iter().flat_map(move |left| {
            let others = languages.iter().filter(move |right| *right != left);
            others.map(move |right| {
                let languages = [left, right].map(|name| name.replace('_', "-")).to_vec();
                (format!("{left}-{right}"), Subset { languages, ..Subset::default() })
            })
        })
    }
}
