//! What the draws of a unit continue: everything that earlier units of its task were made from.

use sha2::{Digest, Sha256};

use super::DataFacts;
use super::options::effective;
use crate::results::Json;

/// A hash over units in their order.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    hasher: Sha256,
    /// The same with the options as the card writes them, defaults among them, as results of before have it.
    written: Sha256,
    units: usize,
}

impl Chain {
    /// The hash over the units so far; `None` before the first.
    pub fn hash(&self) -> Option<String> {
        (self.units > 0).then(|| hex(&self.hasher.clone().finalize()))
    }

    /// True if `earlier` is the hash over the units so far.
    pub fn is(&self, earlier: Option<&str>) -> bool {
        let written = || (self.units > 0).then(|| hex(&self.written.clone().finalize()));
        self.hash().as_deref() == earlier || written().as_deref() == earlier
    }

    /// One more unit.
    pub fn push(&mut self, (split, subset): (&str, &str), options: &Json, data: &DataFacts) {
        let data = match data {
            // A commit does not change; its files may not be here when the hash is compared.
            DataFacts::Hub { dataset, revision, .. } => format!("{dataset}@{revision}"),
            DataFacts::Local(_) => data.to_json().to_python(0),
            DataFacts::Pack { rows, .. } => rows.clone(),
        };
        add(&mut self.hasher, [split, subset, &effective(options, subset).to_python(0), &data]);
        add(&mut self.written, [split, subset, &options.to_python(0), &data]);
        self.units += 1;
    }
}

fn add(hasher: &mut Sha256, parts: [&str; 4]) {
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
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
        let written = chain("{\"protocol\": {\"rounds\": 10}}");
        let before = hex(&written.written.clone().finalize());
        assert_ne!(Some(before.as_str()), written.hash().as_deref());
        assert!(written.is(Some(&before)));
    }
}
