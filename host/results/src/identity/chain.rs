//! What the draws of a unit continue: everything that earlier units of its task were made from.

use mteb_files::hex;
use mteb_json::Json;
use mteb_registry::{effective, plainly_effective};
use sha2::{Digest, Sha256};

use super::DataFacts;

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
