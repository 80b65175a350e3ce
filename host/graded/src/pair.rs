//! The id of a query and a document that are judged together.

use std::fmt;
use std::str::FromStr;

use mteb_files::hex;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

/// The name of a pair: SHA-256 of the ids and texts of its query and its document. Another text makes another pair, so that no
/// judgement outlives what was judged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairId([u8; 32]);

impl PairId {
    /// The name of this pair. Each part stands behind its length in bytes (8, the lowest first), so that no two pairs give the
    /// same bytes.
    pub fn new((query_id, query): (&str, &str), (document_id, document): (&str, &str)) -> Self {
        let mut hash = Sha256::new();
        for part in [query_id, query, document_id, document] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    /// Its 32 bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for PairId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for PairId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// A text that is the name of no pair.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the name of a pair, 64 hexadecimal digits, found: {found}")]
pub struct PairIdError {
    /// The text.
    pub found: String,
}

impl FromStr for PairId {
    type Err = PairIdError;

    fn from_str(text: &str) -> Result<Self, PairIdError> {
        let expected = || PairIdError { found: text.to_owned() };
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return Err(expected());
        }
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * place..2 * place + 2], 16).map_err(|_| expected())?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for PairId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PairId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_that_moves_from_one_part_to_the_next_makes_another_pair() {
        let pairs = [
            PairId::new(("q1", "text"), ("d", "other")),
            PairId::new(("q", "1text"), ("d", "other")),
            PairId::new(("q1", "textd"), ("", "other")),
            PairId::new(("q1", "text"), ("do", "ther")),
        ];
        for (place, pair) in pairs.iter().enumerate() {
            assert!(!pairs[..place].contains(pair), "{pair}");
        }
    }

    /// Known answer: `sha256` over the four parts, each behind its length as eight bytes, by Python's hashlib.
    #[test]
    fn the_name_is_that_of_an_independent_hash() {
        let pair = PairId::new(("q1", "apa itu batik?"), ("d1", "kain"));
        assert_eq!(pair.to_string(), "550279e5ede95e8310381197e8458e47f1c7f7782bc4337ee96aed7334aad617");
        assert_eq!(pair.to_string().parse(), Ok(pair));
        assert_eq!("f".parse::<PairId>(), Err(PairIdError { found: "f".to_owned() }));
    }
}
