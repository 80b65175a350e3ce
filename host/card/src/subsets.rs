//! The subsets of a task. Those that `pairs` stand for, tens of thousands of one task, are made when one of them is asked for.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::HoldOut;

/// Subsets by name, in the order in which they are evaluated. As a slice it holds those of `pairs` one by one; what can be told
/// without that has a method of its own.
#[derive(Clone, Debug, Default)]
pub struct Subsets {
    /// The entries of the card; one with `pairs` has their languages, as `ind-Latn`, each once.
    written: Vec<(String, Subset)>,
    has_pairs: bool,
    /// The same with those of `pairs` one by one.
    all: OnceLock<Vec<(String, Subset)>>,
    /// Places in the slice, sorted by name, of more than are looked through one by one.
    sorted: OnceLock<Vec<u32>>,
}

/// Up to so many subsets, one is found by looking at each.
const FEW: usize = 16;

impl Subsets {
    /// How many they are.
    pub fn len(&self) -> usize {
        let count = |subset: &Subset| match subset.pairs.len() {
            0 => 1,
            languages => languages * (languages - 1),
        };
        self.written.iter().map(|(_, subset)| count(subset)).sum()
    }

    /// True if the card has none.
    pub fn is_empty(&self) -> bool {
        self.written.is_empty()
    }

    /// The subset called `name`; of two with one name the first.
    pub fn find(&self, name: &str) -> Option<&Subset> {
        let all: &[(String, Subset)] = self;
        if all.len() <= FEW {
            return all.iter().find(|(found, _)| found == name).map(|(_, subset)| subset);
        }
        let name_at = |place: &u32| all[*place as usize].0.as_str();
        let sorted = self.sorted.get_or_init(|| {
            let mut places: Vec<u32> = (0..).take(all.len()).collect();
            places.sort_by(|left, right| name_at(left).cmp(name_at(right)));
            places
        });
        let first = sorted.partition_point(|place| name_at(place) < name);
        sorted.get(first).filter(|place| name_at(place) == name).map(|place| &all[*place as usize].1)
    }

    /// Shows `see` the name and the languages of each, in their order.
    pub fn visit<'a>(&'a self, mut see: impl FnMut(&str, &[&'a str])) {
        let mut languages: Vec<&str> = Vec::new();
        let mut pair = String::new();
        for (name, subset) in &self.written {
            if subset.pairs.is_empty() {
                languages.clear();
                languages.extend(subset.languages.iter().map(String::as_str));
                see(name, &languages);
            }
            for (left, right) in places_of_pairs(subset) {
                pair.clear();
                write_pair(&mut pair, subset, (left, right));
                see(&pair, &[left, right].map(|place| subset.languages[place].as_str()));
            }
        }
    }

    /// Every language of theirs, as `ind-Latn`; one of `pairs` once for all of these. Where a subset has none, those of `others`.
    pub fn languages<'a>(&'a self, others: &'a [String]) -> impl Iterator<Item = &'a str> {
        let of = move |subset: &'a Subset| match subset.languages.as_slice() {
            [] => others,
            own => own,
        };
        self.written.iter().flat_map(move |(_, subset)| of(subset)).map(String::as_str)
    }

    /// The names of those with a language that `fits`, in their order; one without languages fits if `others` do.
    pub fn with_language(&self, fits: impl Fn(&str) -> bool, others: bool) -> Vec<String> {
        let mut names = Vec::new();
        for (name, subset) in &self.written {
            let fitting: Vec<bool> = subset.languages.iter().map(|language| fits(language)).collect();
            if subset.pairs.is_empty() && (fitting.contains(&true) || (fitting.is_empty() && others)) {
                names.push(name.clone());
            }
            let pairs = places_of_pairs(subset).filter(|(left, right)| fitting[*left] || fitting[*right]);
            names.extend(pairs.map(|places| name_of_pair(subset, places)));
        }
        names
    }
}

impl Deref for Subsets {
    type Target = [(String, Subset)];

    fn deref(&self) -> &Self::Target {
        if !self.has_pairs {
            return &self.written;
        }
        self.all.get_or_init(|| {
            let mut all = Vec::with_capacity(self.len());
            for (name, subset) in &self.written {
                if subset.pairs.is_empty() {
                    all.push((name.clone(), subset.clone()));
                }
                all.extend(places_of_pairs(subset).map(|(left, right)| {
                    let languages = [left, right].map(|place| subset.languages[place].clone()).to_vec();
                    (name_of_pair(subset, (left, right)), Subset { languages, ..Subset::default() })
                }));
            }
            all
        })
    }
}

impl<'a> IntoIterator for &'a Subsets {
    type Item = &'a (String, Subset);
    type IntoIter = std::slice::Iter<'a, (String, Subset)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Subsets {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written || (self.len() == other.len() && **self == **other)
    }
}

/// Every ordered pair of two different languages of `pairs`, by their places, first by the first one.
fn places_of_pairs(subset: &Subset) -> impl Iterator<Item = (usize, usize)> {
    let count = subset.pairs.len();
    (0..count)
        .flat_map(move |left| (0..count).filter(move |right| *right != left).map(move |right| (left, right)))
}

fn write_pair(name: &mut String, subset: &Subset, (left, right): (usize, usize)) {
    name.push_str(&subset.pairs[left]);
    name.push('-');
    name.push_str(&subset.pairs[right]);
}

fn name_of_pair(subset: &Subset, (left, right): (usize, usize)) -> String {
    let mut name = String::with_capacity(subset.pairs[left].len() + 1 + subset.pairs[right].len());
    write_pair(&mut name, subset, (left, right));
    name
}

/// Writes the subsets as a table whose order is kept.
impl Serialize for Subsets {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(Some(self.len()))?;
        for (name, subset) in self {
            map.serialize_entry(name, subset)?;
        }
        map.end()
    }
}

/// Reads the subsets from a table, in its order.
impl<'de> Deserialize<'de> for Subsets {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Subsets;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a table of subsets, as `ind = { languages = [\"ind-Latn\"] }`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut subsets = Subsets::default();
        while let Some((name, mut subset)) = map.next_entry::<String, Subset>()? {
            if !subset.pairs.is_empty() {
                check_pairs(&name, &subset.pairs).map_err(A::Error::custom)?;
                subset.languages = subset.pairs.iter().map(|language| language.replace('_', "-")).collect();
                subsets.has_pairs = true;
            }
            subsets.written.push((name, subset));
        }
        Ok(subsets)
    }
}

/// One language makes no pair, and the task would be scored as one without subsets.
fn check_pairs(name: &str, languages: &[String]) -> Result<(), PairsError> {
    if let [lone] = languages {
        return Err(PairsError::Lone { subset: name.to_owned(), language: lone.clone() });
    }
    let twice = languages.iter().enumerate().find(|(place, language)| languages[..*place].contains(language));
    match twice {
        Some((_, language)) => Err(PairsError::Twice { subset: name.to_owned(), language: language.clone() }),
        None => Ok(()),
    }
}

/// Languages that make no pairs.
#[derive(Debug, thiserror::Error)]
enum PairsError {
    /// There is one.
    #[error("subset {subset}: expected at least two languages in `pairs`, found one: {language}")]
    Lone { subset: String, language: String },
    /// One of them is there again.
    #[error("subset {subset}: expected each language of `pairs` once, found again: {language}")]
    Twice { subset: String, language: String },
}

/// A subset: usually one language, or one pair of languages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Subset {
    /// Languages, e.g. `ind-Latn`; for a pair, first side first.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Languages such as `ind_Latn`. Every ordered pair of them is a subset of its own, named e.g.
    /// `ind_Latn-eng_Latn`: this entry stands for all of them, whatever its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<String>,
    /// Config of the dataset that holds the subset; absent: the subset's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// The two columns with the sides of the pair, `sentence1` and `sentence2`; absent: as in the
    /// rest of the task, or for parallel columns the parts of the subset's name before and after
    /// `-`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<[String; 2]>,
    /// Without a training split for the subset: train on some rows of its evaluation split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_out: Option<HoldOut>,
    /// Splits of this subset; absent: those of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval_splits: Option<Vec<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry of its own, then pairs of three languages, then one without languages.
    fn subsets() -> Subsets {
        let text = r#"{
            "first": {"languages": ["vie-Latn"]},
            "all": {"pairs": ["ind_Latn", "eng_Latn", "zho_Hant"]},
            "last": {}
        }"#;
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_subset_is_found_by_its_name_among_few_and_among_many() {
        let languages: Vec<String> = (0..30).map(|number| format!("\"l{number:02}_Latn\"")).collect();
        let text = format!(
            r#"{{"z": {{}}, "all": {{"pairs": [{}]}}, "a": {{"config": "b"}}}}"#,
            languages.join(",")
        );
        let many: Subsets = serde_json::from_str(&text).unwrap();
        for subsets in [subsets(), many] {
            for (name, subset) in &subsets {
                assert_eq!(subsets.find(name), Some(subset), "{name}");
            }
            assert_eq!(subsets.find("l00_Latn-l00_Latn"), None);
            assert_eq!(subsets.find(""), None);
            assert_eq!(subsets.find("zz"), None);
        }
    }

    /// Their names and languages, from the slice.
    fn one_by_one(subsets: &Subsets) -> Vec<(String, Vec<String>)> {
        subsets.iter().map(|(name, subset)| (name.clone(), subset.languages.clone())).collect()
    }

    #[test]
    fn pairs_stand_for_every_ordered_pair_of_two_languages() {
        let names: Vec<String> = subsets().iter().map(|(name, _)| name.clone()).collect();
        let expected = [
            "first",
            "ind_Latn-eng_Latn",
            "ind_Latn-zho_Hant",
            "eng_Latn-ind_Latn",
            "eng_Latn-zho_Hant",
            "zho_Hant-ind_Latn",
            "zho_Hant-eng_Latn",
            "last",
        ];
        assert_eq!(names, expected);
        assert_eq!(subsets()[2].1.languages, ["ind-Latn", "zho-Hant"]);
        assert!(subsets().iter().all(|(_, subset)| subset.pairs.is_empty()));
    }

    #[test]
    fn what_is_told_without_making_them_is_what_they_are() {
        let subsets = subsets();
        assert_eq!(subsets.len(), subsets.iter().len());
        let mut seen = Vec::new();
        subsets.visit(|name, languages| {
            seen.push((name.to_owned(), languages.iter().map(|&language| language.to_owned()).collect()));
        });
        assert_eq!(seen, one_by_one(&subsets));
        let others = ["jav-Latn".to_owned()];
        let mut languages: Vec<&str> = subsets.languages(&others).collect();
        languages.sort_unstable();
        assert_eq!(languages, ["eng-Latn", "ind-Latn", "jav-Latn", "vie-Latn", "zho-Hant"]);
    }

    #[test]
    fn those_with_a_language_are_found_in_their_order() {
        let found = |fits: fn(&str) -> bool, others| subsets().with_language(fits, others);
        let with_zho = ["ind_Latn-zho_Hant", "eng_Latn-zho_Hant", "zho_Hant-ind_Latn", "zho_Hant-eng_Latn"];
        assert_eq!(found(|language| language == "zho-Hant", false), with_zho);
        assert_eq!(found(|language| language.starts_with("vie"), true), ["first", "last"]);
        assert_eq!(found(|_| false, false), [""; 0]);
    }

    #[test]
    fn subsets_that_are_written_one_by_one_equal_those_of_pairs() {
        let own = |text: &str| serde_json::from_str::<Subsets>(text).unwrap();
        let pairs = own(r#"{"all": {"pairs": ["a_B", "c_D"]}}"#);
        let written =
            own(r#"{"a_B-c_D": {"languages": ["a-B", "c-D"]}, "c_D-a_B": {"languages": ["c-D", "a-B"]}}"#);
        assert_eq!(pairs, written);
        assert_eq!(serde_json::to_string(&pairs).unwrap(), serde_json::to_string(&written).unwrap());
        assert_ne!(pairs, own(r#"{"all": {"pairs": ["c_D", "a_B"]}}"#), "the order is that of evaluation");
        assert_ne!(pairs, Subsets::default());
    }
}
