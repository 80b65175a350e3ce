//! Reads the model files of SentencePiece (Kudo & Richardson 2018), which are protocol buffers
//! (https://github.com/google/sentencepiece, `src/sentencepiece_model.proto`), and normalises texts by their
//! compiled rules as the library itself does it: at every place the longest rule that fits
//! (`src/normalizer.cc`). The rules are a double array (darts-clone) followed by texts.

use std::path::Path;

use tokenizers::Result;

/// What a tokenizer needs of such a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SentencePieces {
    /// All pieces in the order of their ids, each with the logarithm of its probability.
    pub pieces: Vec<(String, f64)>,
    /// The pieces that mark something, such as `<s>`.
    pub controls: Vec<String>,
    /// Ids of the pieces that a text never becomes, though it may spell them out.
    pub hidden: Vec<usize>,
    /// Id of the piece for what is unknown.
    pub unknown: usize,
    /// The compiled rules of normalisation; empty if there are none.
    pub rules: Vec<u8>,
    /// True if the pieces are those of a unigram model.
    pub is_unigram: bool,
    /// True if what is unknown becomes bytes.
    pub byte_fallback: bool,
}

/// `SentencePiece.Type.CONTROL`.
const CONTROL: u64 = 3;

/// `SentencePiece.Type`: UNKNOWN, CONTROL and UNUSED.
const HIDDEN: [u64; 3] = [2, CONTROL, 5];

/// `TrainerSpec.ModelType.UNIGRAM`.
const UNIGRAM: u64 = 1;

/// The value of a field.
enum Field<'a> {
    Whole(u64),
    Float(f32),
    Bytes(&'a [u8]),
}

impl SentencePieces {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or is no such file.
    pub fn read(path: &Path) -> Result<Self> {
        Self::parse(&std::fs::read(path)?).ok_or_else(|| {
            format!(
                "{}: expected a model file of SentencePiece, found a damaged or another file",
                path.display()
            )
            .into()
        })
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let mut model = Self { is_unigram: true, ..Self::default() };
        fields(bytes, |number, field| {
            match (number, field) {
                (1, Field::Bytes(piece)) => model.piece(piece)?,
                (2, Field::Bytes(trainer)) => model.trainer(trainer)?,
                (3, Field::Bytes(normalizer)) => fields(normalizer, |number, field| {
                    if let (2, Field::Bytes(rules)) = (number, field) {
                        model.rules = rules.to_vec();
                    }
                    Some(())
                })?,
                _ => {}
            }
            Some(())
        })?;
        (model.unknown < model.pieces.len()).then_some(model)
    }

    fn piece(&mut self, bytes: &[u8]) -> Option<()> {
        let (mut text, mut score, mut kind) = (String::new(), 0.0, 1);
        fields(bytes, |number, field| {
            match (number, field) {
                (1, Field::Bytes(bytes)) => std::str::from_utf8(bytes).ok()?.clone_into(&mut text),
                (2, Field::Float(found)) => score = f64::from(found),
                (3, Field::Whole(found)) => kind = found,
                _ => {}
            }
            Some(())
        })?;
        if kind == CONTROL {
            self.controls.push(text.clone());
        }
        if HIDDEN.contains(&kind) {
            self.hidden.push(self.pieces.len());
        }
        self.pieces.push((text, score));
        Some(())
    }

    fn trainer(&mut self, bytes: &[u8]) -> Option<()> {
        fields(bytes, |number, field| {
            match (number, field) {
                (3, Field::Whole(kind)) => self.is_unigram = kind == UNIGRAM,
                (35, Field::Whole(flag)) => self.byte_fallback = flag != 0,
                (40, Field::Whole(id)) => self.unknown = usize::try_from(id).ok()?,
                _ => {}
            }
            Some(())
        })
    }
}

/// Hands every field of a message to `take`; `None` if the message is cut or damaged, or `take` says so.
fn fields<'a>(mut bytes: &'a [u8], mut take: impl FnMut(u64, Field<'a>) -> Option<()>) -> Option<()> {
    while !bytes.is_empty() {
        let key = whole(&mut bytes)?;
        let field = match key & 7 {
            0 => Field::Whole(whole(&mut bytes)?),
            1 => {
                cut(&mut bytes, 8)?;
                continue;
            }
            2 => {
                let length = usize::try_from(whole(&mut bytes)?).ok()?;
                Field::Bytes(cut(&mut bytes, length)?)
            }
            5 => Field::Float(f32::from_le_bytes(cut(&mut bytes, 4)?.try_into().ok()?)),
            _ => return None,
        };
        take(key >> 3, field)?;
    }
    Some(())
}

fn cut<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (head, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(head)
}

/// A whole number, seven bits a byte, lowest first.
fn whole(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = cut(bytes, 1)?[0];
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_cut_anywhere_is_refused_or_lacks_its_end() {
        // Two pieces (the second a control), a trainer with byte fallback, a normalizer with rules.
        let whole = b"\x0a\x0a\x0a\x03\xe2\x96\x81\x15\0\0\x80\xbf\x0a\x07\x0a\x03<s>\x18\x03\x12\x06\x18\x01\x98\x02\x01\x1a\x04\x12\x02ab";
        let whole = &whole[..whole.len()];
        let found = SentencePieces::parse(whole);
        assert!(found.is_none() || found.is_some_and(|found| found.pieces.len() == 2));
        for length in 0..whole.len() {
            // Whatever the bytes, nothing but `None` or a smaller model comes of them.
            let cut = SentencePieces::parse(&whole[..length]);
            assert!(cut.is_none_or(|cut| cut.pieces.len() <= 2));
        }
    }
}
