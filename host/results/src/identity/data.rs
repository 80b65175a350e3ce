//! The data of a unit, by content, and what its draws continue: everything that earlier units of
//! its task were made from.

use std::collections::{BTreeMap, BTreeSet};

use mteb_base::suggest::list_names;
use mteb_files::hex;
use mteb_json::Json;
use mteb_registry::{effective, plainly_effective};
use sha2::{Digest, Sha256};

/// What the rows of a unit were read from. Equal facts mean equal rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataFacts {
    /// Files of a dataset that all can fetch, at a revision under which they do not change.
    Fetched {
        /// Dataset, on the hub as `organisation/name`.
        dataset: String,
        /// Revision, on the hub a commit.
        revision: String,
        /// Path in the dataset = SHA-256.
        files: BTreeMap<String, String>,
    },
    /// Files of the user: path below the card's `path` = SHA-256.
    Local(BTreeMap<String, String>),
    /// Rows of a task pack.
    Pack {
        /// The pack.
        pack: String,
        /// What the pack is made of.
        code: String,
        /// SHA-256 of the rows as the pack gave them.
        rows: String,
    },
}

impl DataFacts {
    /// As a result file holds it.
    pub fn to_json(&self) -> Json {
        let text = |text: &str| Json::from(text);
        match self {
            Self::Fetched { dataset, revision, files } => Json::object([
                ("dataset", text(dataset)),
                ("revision", text(revision)),
                ("files", Json::texts(files)),
            ]),
            Self::Local(files) => Json::object([("files", Json::texts(files))]),
            Self::Pack { pack, code, rows } => {
                Json::object([("pack", text(pack)), ("code", text(code)), ("rows", text(rows))])
            }
        }
    }

    /// From a result file; `None` if it is no such fact.
    pub fn from_json(json: &Json) -> Option<Self> {
        let text = |key: &str| json.get(key)?.as_text().map(str::to_owned);
        if let Some(pack) = text("pack") {
            return Some(Self::Pack { pack, code: text("code")?, rows: text("rows")? });
        }
        let files = json.get("files")?.as_map()?.iter();
        let files = files
            .map(|(name, hash)| Some((name.clone(), hash.as_text()?.to_owned())))
            .collect::<Option<_>>()?;
        Some(match text("dataset") {
            Some(dataset) => Self::Fetched { dataset, revision: text("revision")?, files },
            None => Self::Local(files),
        })
    }

    /// The data and the options of a text that is both, as results say what a score was made from.
    pub fn and_options(text: &str) -> Option<(Self, Json)> {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
        let mut next = || Some(Json::from(values.next()?.ok()?));
        Some((Self::from_json(&next()?)?, next()?))
    }

    /// What of these facts is no longer so, each with what it was and what it is; `None` if nothing changed. Files that one of the two does
    /// not know, because they were not at hand, say nothing where the revision is the same.
    pub fn difference(&self, now: &Self) -> Option<String> {
        let other = |what: &str, before: &str, found: &str| {
            (before != found).then(|| format!("{what} was {before}, is {found}"))
        };
        match (self, now) {
            (
                Self::Fetched { dataset, revision, files },
                Self::Fetched { dataset: other_dataset, revision: new, files: found },
            ) => {
                let named =
                    other("dataset", dataset, other_dataset).or_else(|| other("revision", revision, new));
                named.or_else(|| {
                    let both = files.iter().filter_map(|(name, hash)| Some((name, hash, found.get(name)?)));
                    first_other_file(both)
                })
            }
            (Self::Local(files), Self::Local(found)) => {
                let names: BTreeSet<&String> = files.keys().chain(found.keys()).collect();
                let hash = |files: &'_ BTreeMap<String, String>, name: &String| {
                    files.get(name).map_or_else(|| "absent".to_owned(), |hash| format!("SHA-256 {hash}"))
                };
                let both: Vec<_> =
                    names.into_iter().map(|name| (name, hash(files, name), hash(found, name))).collect();
                first_other_file(both.iter().map(|(name, before, now)| (*name, before, now)))
            }
            (Self::Pack { pack, rows, .. }, Self::Pack { pack: other_pack, rows: found, .. }) => {
                other("task pack", pack, other_pack)
                    .or_else(|| other(&format!("SHA-256 of the rows of {pack}"), rows, found))
            }
            _ => Some("it was from another place".to_owned()),
        }
    }

    /// What of these facts is no longer so, as a reason to score again; `None` if nothing changed. Whoever packs the same
    /// rows anew changes nothing.
    pub fn change(&self, now: &Self) -> Option<String> {
        match (self, now) {
            (
                Self::Fetched { dataset, revision, files },
                Self::Fetched { dataset: other, revision: new, files: found },
            ) => {
                if dataset != other {
                    Some(format!("data changed: dataset {other}"))
                } else if revision != new {
                    Some(format!("data changed: revision {new}"))
                } else {
                    changed_files(files, found)
                }
            }
            (Self::Local(files), Self::Local(found)) => changed_files(files, found),
            (Self::Pack { pack, rows, .. }, Self::Pack { pack: other, rows: found, .. }) => {
                (pack != other || rows != found).then(|| format!("data changed: rows of {other}"))
            }
            _ => Some("data changed: it comes from another place".to_owned()),
        }
    }
}

fn first_other_file<'a>(both: impl Iterator<Item = (&'a String, &'a String, &'a String)>) -> Option<String> {
    let others: Vec<_> = both.filter(|(_, before, now)| before != now).collect();
    let (name, before, now) = others.first()?;
    let more =
        if others.len() > 1 { format!(", and {} more files", others.len() - 1) } else { String::new() };
    Some(format!("{name} was {before}, is {now}{more}"))
}

fn changed_files(before: &BTreeMap<String, String>, now: &BTreeMap<String, String>) -> Option<String> {
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let (mut changed, mut gone, mut new) = (Vec::new(), Vec::new(), Vec::new());
    for name in names {
        match (before.get(name), now.get(name)) {
            (Some(old), Some(found)) if old == found => {}
            (Some(_), Some(_)) => changed.push(name.clone()),
            (Some(_), None) => gone.push(name.clone()),
            (None, _) => new.push(name.clone()),
        }
    }
    let kinds = [("data changed", changed), ("data no longer read", gone), ("data read now", new)];
    let reasons = kinds.iter().filter(|(_, names)| !names.is_empty());
    let reasons: Vec<String> =
        reasons.map(|(kind, names)| format!("{kind}: {}", list_names(names))).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// A hash over units in their order.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    hasher: Sha256,
    /// The same as results of before have it: with places of parts and splits of subsamples as the card writes them, and with
    /// all options as the card writes them.
    older: [Sha256; 2],
    units: usize,
}

impl Chain {
    /// The hash over the units so far; `None` before the first.
    pub fn hash(&self) -> Option<String> {
        (self.units > 0).then(|| hex(&self.hasher.clone().finalize()))
    }

    /// True if `earlier` is the hash over the units so far.
    pub fn is(&self, earlier: Option<&str>) -> bool {
        let is_older = |hasher: &Sha256| Some(hex(&hasher.clone().finalize()).as_str()) == earlier;
        self.hash().as_deref() == earlier || (self.units > 0 && self.older.iter().any(is_older))
    }

    /// One more unit.
    pub fn push(&mut self, (split, subset): (&str, &str), options: &Json, data: &DataFacts) {
        let data = match data {
            // What a revision holds does not change; its files may not be here when the hash is compared.
            DataFacts::Fetched { dataset, revision, .. } => format!("{dataset}@{revision}"),
            DataFacts::Local(_) => data.to_json().to_python(0),
            DataFacts::Pack { rows, .. } => rows.clone(),
        };
        let [plainly, written] = &mut self.older;
        add(&mut self.hasher, [split, subset, &effective(options, (split, subset)).to_python(0), &data]);
        add(plainly, [split, subset, &plainly_effective(options, subset).to_python(0), &data]);
        add(written, [split, subset, &options.to_python(0), &data]);
        self.units += 1;
    }
}

fn add(hasher: &mut Sha256, parts: [&str; 4]) {
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(files: &[(&str, &str)]) -> DataFacts {
        DataFacts::Local(files.iter().map(|(name, hash)| ((*name).to_owned(), (*hash).to_owned())).collect())
    }

    #[test]
    fn files_that_changed_came_or_went_are_named() {
        let before = local(&[("a.csv", "1"), ("b.csv", "2")]);
        assert_eq!(before.change(&before), None);
        assert_eq!(
            before.change(&local(&[("a.csv", "9"), ("b.csv", "2")])).as_deref(),
            Some("data changed: a.csv")
        );
        assert_eq!(
            before.change(&local(&[("b.csv", "2"), ("c.csv", "3")])).as_deref(),
            Some("data no longer read: a.csv; data read now: c.csv")
        );
        let many = local(&[
            ("c", "1"),
            ("d", "1"),
            ("e", "1"),
            ("f", "1"),
            ("g", "1"),
            ("a.csv", "1"),
            ("b.csv", "2"),
        ]);
        assert_eq!(before.change(&many).as_deref(), Some("data read now: c, d, e and 2 more"));
    }

    #[test]
    fn facts_outlast_their_way_through_a_file() {
        let pack = |code: &str, rows: &str| DataFacts::Pack {
            pack: "p".to_owned(),
            code: code.to_owned(),
            rows: rows.to_owned(),
        };
        let hub = DataFacts::Fetched {
            dataset: "a/b".to_owned(),
            revision: "c".to_owned(),
            files: BTreeMap::from([("x.parquet".to_owned(), "1".to_owned())]),
        };
        for facts in [pack("1", "2"), hub.clone(), local(&[("a", "1")])] {
            let written = facts.to_json().to_python(2);
            assert_eq!(DataFacts::from_json(&Json::parse(&written).unwrap()), Some(facts));
        }
        assert_eq!(pack("1", "2").change(&pack("9", "2")), None, "the same rows of another build");
        assert_eq!(pack("1", "2").change(&pack("1", "9")).as_deref(), Some("data changed: rows of p"));
        assert!(hub.change(&local(&[])).is_some());
    }

    fn chain(options: &str) -> Chain {
        let mut chain = Chain::default();
        let options = Json::parse(options).unwrap();
        chain.push(("test", "ind"), &options, &DataFacts::Local(std::collections::BTreeMap::new()));
        chain
    }

    #[test]
    fn an_option_at_its_default_is_the_same_written_out_or_not() {
        let (plain, written) = (chain("{}"), chain("{\"protocol\": {\"rounds\": 10}}"));
        assert_eq!(plain.hash(), written.hash());
        assert!(!plain.is(chain("{\"protocol\": {\"rounds\": 3}}").hash().as_deref()));
        assert!(Chain::default().is(None) && !plain.is(None));
    }

    #[test]
    fn a_result_of_before_that_counted_defaults_in_stands() {
        let sampled = "{\"protocol\": {\"rounds\": 10}, \"dataset\": {\"subsample\": {\"rows\": 9, \"splits\": [\"test\"]}}}";
        let written = chain(sampled);
        for before in &written.older {
            let before = hex(&before.clone().finalize());
            assert_ne!(Some(before.as_str()), written.hash().as_deref());
            assert!(written.is(Some(&before)));
        }
        assert_eq!(written.hash(), chain("{\"dataset\": {\"subsample\": {\"rows\": 9}}}").hash());
    }
}
