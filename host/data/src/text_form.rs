//! How text files are written where not as usual: the mark between cells, the decimal mark, the encoding.

use std::io::{self, BufRead, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8, WINDOWS_1258};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// What a card says of how its text files are written; what is absent is as usual.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextForm {
    /// Character between the cells of a CSV file.
    pub delimiter: Option<char>,
    /// Character before the decimals of numbers in CSV and TSV files.
    pub decimal: Option<char>,
    /// Name of the encoding, as browsers know it; UTF-8 if absent.
    pub encoding: Option<String>,
}

impl TextForm {
    /// What is wrong with it: the field, and what was expected and found.
    pub fn faults(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if let Some(mark) = self.delimiter.filter(|mark| !is_delimiter(*mark)) {
            let expected = "expected one character that separates cells, such as \";\", \"|\" or \"\\t\"";
            faults.push(("delimiter", format!("{expected}, found: {mark:?}")));
        }
        if let Some(mark) = self.decimal.filter(|mark| !matches!(mark, '.' | ',')) {
            faults.push(("decimal", format!("expected \".\" or \",\", found: {mark:?}")));
        }
        if self.decimal == Some(',') && self.delimiter == Some(',') {
            faults.push(("decimal", "expected a different character from the one between cells".to_owned()));
        }
        if let Some(name) = self.encoding.as_ref().filter(|name| encoding_named(name).is_none()) {
            let expected =
                "expected the name of an encoding, such as windows-1252, iso-8859-2, utf-16le or shift_jis";
            faults.push(("encoding", format!("{expected}, found: {name:?}")));
        }
        faults
    }

    /// The byte between cells, where it is not the usual one.
    pub(crate) fn delimiter(&self) -> Option<u8> {
        self.delimiter.and_then(|mark| u8::try_from(mark).ok())
    }

    /// The encoding, where it is not UTF-8.
    pub(crate) fn encoding(&self) -> Option<&'static Encoding> {
        self.encoding.as_deref().and_then(encoding_named).filter(|encoding| *encoding != UTF_8)
    }
}

fn is_delimiter(mark: char) -> bool {
    mark == '\t' || (mark.is_ascii_graphic() && !mark.is_ascii_alphanumeric() && !"\"'.-+_".contains(mark))
}

/// The encoding that browsers know by this name; what they replace by another one for safety has none.
fn encoding_named(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(name.as_bytes())
}

/// Text in another encoding, as UTF-8. A byte that is no text there is an error, never a replacement.
pub(crate) struct Decoded<R> {
    inner: R,
    decoder: Decoder,
    ready: Vec<u8>,
    /// The last letter, whose marks may be in the next piece, of an encoding that writes letters and marks apart.
    held: Option<String>,
    next: usize,
    /// Bytes of the file that were read.
    read: u64,
    has_ended: bool,
}

/// How the error begins of bytes that are no text of an encoding.
pub(crate) const NOT_IN_ENCODING: &str = "expected text in";

/// Bytes of UTF-8 that are made at a time.
const PIECE: usize = 1 << 16;

impl<R: BufRead> Decoded<R> {
    pub fn new(inner: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        // It has a byte for the tones of Vietnamese: what everybody else writes as one letter would be two.
        let held = (encoding == WINDOWS_1258).then(String::new);
        Self { inner, decoder, ready: Vec::new(), held, next: 0, read: 0, has_ended: false }
    }

    /// Makes some more text ready; at the end of the file nothing is left.
    fn fill(&mut self) -> io::Result<()> {
        self.decode()?;
        while self.held.is_some() && !self.compose()? {
            self.decode()?;
        }
        Ok(())
    }

    /// Composes letters and marks of what was decoded (NFC), but for the last letter, unless the file has ended. False if nothing is
    /// ready though it has not.
    fn compose(&mut self) -> io::Result<bool> {
        let Some(held) = &mut self.held else { return Ok(true) };
        let piece = std::str::from_utf8(&self.ready).map_err(io::Error::other)?;
        held.push_str(piece);
        let last = held.char_indices().rev().find(|(_, letter)| canonical_combining_class(*letter) == 0);
        let end = if self.has_ended { held.len() } else { last.map_or(0, |(place, _)| place) };
        let rest = held.split_off(end);
        self.ready = std::mem::replace(held, rest).nfc().collect::<String>().into_bytes();
        Ok(!self.ready.is_empty() || self.has_ended)
    }

    /// Decodes some more.
    fn decode(&mut self) -> io::Result<()> {
        self.ready.resize(PIECE, 0);
        self.next = 0;
        let mut made = 0;
        while made == 0 && !self.has_ended {
            let bytes = self.inner.fill_buf()?;
            let is_last = bytes.is_empty();
            let (result, taken, written) =
                self.decoder.decode_to_utf8_without_replacement(bytes, &mut self.ready, is_last);
            self.inner.consume(taken);
            self.read += taken as u64;
            made = written;
            match result {
                DecoderResult::InputEmpty => self.has_ended = is_last,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => {
                    let (name, place) = (self.decoder.encoding().name(), self.read);
                    let message = format!(
                        "{NOT_IN_ENCODING} {name}, found other bytes before byte {place} of the file"
                    );
                    return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                }
            }
        }
        self.ready.truncate(made);
        Ok(())
    }
}

impl<R: BufRead> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.next == self.ready.len() {
            self.fill()?;
        }
        let count = buffer.len().min(self.ready.len() - self.next);
        buffer[..count].copy_from_slice(&self.ready[self.next..self.next + count]);
        self.next += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], encoding: &str) -> io::Result<String> {
        let mut text = String::new();
        Decoded::new(bytes, encoding_named(encoding).unwrap()).read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn letters_and_tones_that_an_encoding_writes_apart_are_one_letter() {
        // e with circumflex and the tone of 0xec; a file that ends with a tone.
        assert_eq!(
            decoded(b"Hu\xea\xec \xd0\xe0 N\xe3\xd2ng a\xec", "windows-1258").unwrap(),
            "Hu\u{1ebf} \u{110}\u{e0} N\u{1eb3}ng \u{e1}"
        );
        let long = "a".repeat(PIECE - 1).into_bytes();
        let text = decoded(&[&long[..], b"\xea\xec"].concat(), "windows-1258").unwrap();
        assert!(text.ends_with("a\u{1ebf}"), "also where a piece ends between them");
    }

    #[test]
    fn text_in_other_encodings_is_read_and_other_bytes_are_refused() {
        assert_eq!(decoded(b"caf\xe9 \x80", "windows-1252").unwrap(), "café €");
        assert_eq!(decoded(b"\xff\xfea\0\xe9\0", "utf-16le").unwrap(), "aé");
        let long = "é".repeat(3 * PIECE);
        let bytes: Vec<u8> = long.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decoded(&bytes, "utf-16le").unwrap(), long);
        let fault = decoded(b"ab\x81\xffcd", "shift_jis").unwrap_err().to_string();
        assert!(fault.contains("expected text in Shift_JIS, found other bytes"), "{fault}");
        assert!(decoded(b"a\0b", "utf-16le").is_err(), "half a character at the end");
    }

    #[test]
    fn marks_and_names_that_are_none_are_named() {
        let form = |delimiter, decimal, encoding: &str| TextForm {
            delimiter: Some(delimiter),
            decimal: Some(decimal),
            encoding: Some(encoding.to_owned()),
        };
        assert_eq!(form(';', ',', "latin1").faults(), []);
        let fields = |form: TextForm| form.faults().into_iter().map(|(field, _)| field).collect::<Vec<_>>();
        assert_eq!(fields(form('a', ';', "utf-7")), ["delimiter", "decimal", "encoding"]);
        assert_eq!(fields(form(',', ',', "utf-8")), ["decimal"]);
    }
}
