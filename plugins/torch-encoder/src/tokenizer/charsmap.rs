//! Normalises a text by the compiled rules of a SentencePiece model, as the library itself does it: at every place the
//! longest rule that fits (`src/normalizer.cc`). The rules are a double array (darts-clone) followed by texts.

/// The rules.
pub struct CharsMap {
    units: Vec<u32>,
    texts: Vec<u8>,
}

impl CharsMap {
    /// Takes the bytes of the rules; `None` if they are damaged.
    pub fn of(rules: &[u8]) -> Option<Self> {
        if rules.is_empty() {
            return Some(Self { units: Vec::new(), texts: Vec::new() });
        }
        let (length, rest) = rules.split_first_chunk::<4>()?;
        let (units, texts) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        let units =
            units.chunks_exact(4).map(|unit| u32::from_le_bytes([unit[0], unit[1], unit[2], unit[3]]));
        Some(Self { units: units.collect(), texts: texts.to_vec() })
    }

    /// The text by the rules, with single spaces, none at its ends, and `▁` for each space and before the first word;
    /// nothing for a text of spaces.
    pub fn normalize(&self, text: &str) -> String {
        let mut plain = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            match self.longest(rest.as_bytes()) {
                Some((length, by)) => {
                    plain.push_str(by);
                    rest = rest.get(length..).unwrap_or_default();
                }
                None => {
                    plain.push(next);
                    rest = &rest[next.len_utf8()..];
                }
            }
        }
        let words = plain.split(' ').filter(|word| !word.is_empty());
        words.fold(String::with_capacity(plain.len() + 3), |all, word| all + "\u{2581}" + word)
    }

    /// Bytes of the longest rule that `text` begins with, and what takes their place.
    fn longest(&self, text: &[u8]) -> Option<(usize, &str)> {
        let mut place = offset(*self.units.first()?);
        let mut found = None;
        for (index, byte) in text.iter().enumerate() {
            place ^= usize::from(*byte);
            let Some(&unit) = self.units.get(place) else { break };
            if unit & 0x8000_00ff != u32::from(*byte) {
                break;
            }
            place ^= offset(unit);
            if unit >> 8 & 1 == 1 {
                found = self.units.get(place).map(|leaf| (index + 1, leaf & 0x7fff_ffff));
            }
        }
        let (length, start) = found?;
        let by = self.texts.get(usize::try_from(start).ok()?..)?;
        let end = by.iter().position(|byte| *byte == 0)?;
        Some((length, std::str::from_utf8(&by[..end]).ok()?))
    }
}

/// How far the children of a unit are.
fn offset(unit: u32) -> usize {
    ((unit >> 10) << ((unit & 0x200) >> 6)) as usize
}
