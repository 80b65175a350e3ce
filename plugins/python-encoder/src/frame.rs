//! Frames of the protocol between the plugin and the interpreter: a JSON header and raw bytes, behind a head with the number of the
//! question, the length of each and a checksum.

use std::io::{self, ErrorKind, Read, Write};

use crc32fast::Hasher;
use serde_json::Value;

/// Longest header and payload that are believed.
const MOST: [u64; 2] = [64 << 20, 1 << 30];

/// Writes the frame that asks the question `number`.
///
/// # Errors
/// If the stream is closed.
pub fn write(out: &mut impl Write, number: u64, header: &Value, payload: &[u8]) -> io::Result<()> {
    let header = header.to_string();
    let words = [number, header.len() as u64, payload.len() as u64];
    let mut hasher = checksum(words);
    hasher.update(header.as_bytes());
    hasher.update(payload);
    words.iter().try_for_each(|word| out.write_all(&word.to_le_bytes()))?;
    out.write_all(&u64::from(hasher.finalize()).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    out.write_all(payload)?;
    out.flush()
}

/// Reads the number and the header of one frame, and passes over its payload.
///
/// # Errors
/// `UnexpectedEof` if the stream ends, `InvalidData` if it holds no frame.
pub fn read(input: &mut impl Read) -> io::Result<(u64, Value)> {
    let mut words = [[0; 8]; 4];
    for word in &mut words {
        input.read_exact(word)?;
    }
    let [number, header, payload, expected] = words.map(u64::from_le_bytes);
    if [header, payload].iter().zip(MOST).any(|(length, most)| *length > most) {
        return Err(broken("a length beyond the limit"));
    }
    let mut hasher = checksum([number, header, payload]);
    let mut bytes = Vec::new();
    input.by_ref().take(header).read_to_end(&mut bytes)?;
    hasher.update(&bytes);
    let mut left = input.take(payload);
    let mut block = [0; 1 << 12];
    loop {
        match left.read(&mut block)? {
            0 if left.limit() > 0 || (bytes.len() as u64) < header => {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            0 => break,
            read => hasher.update(&block[..read]),
        }
    }
    if u64::from(hasher.finalize()) != expected {
        return Err(broken("a wrong checksum"));
    }
    Ok((number, serde_json::from_slice(&bytes)?))
}

/// The begin of a checksum: that of the numbers.
fn checksum(words: [u64; 3]) -> Hasher {
    let mut hasher = Hasher::new();
    words.iter().for_each(|word| hasher.update(&word.to_le_bytes()));
    hasher
}

fn broken(what: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

/// Texts as a payload: the length of each in four bytes, then the bytes of all.
pub fn pack<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Vec<u8> {
    let mut payload = Vec::new();
    texts.clone().for_each(|text| payload.extend_from_slice(&(text.len() as u32).to_le_bytes()));
    texts.for_each(|text| payload.extend_from_slice(text.as_bytes()));
    payload
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_frame_is_read_as_it_was_written() {
        let mut stream = Vec::new();
        write(&mut stream, 1, &json!({"rows": 2}), b"passed over").unwrap();
        write(&mut stream, 2, &json!({"rows": 3}), b"").unwrap();
        let mut input = stream.as_slice();
        assert_eq!(read(&mut input).unwrap(), (1, json!({"rows": 2})));
        assert_eq!(read(&mut input).unwrap(), (2, json!({"rows": 3})));
        assert_eq!(read(&mut input).unwrap_err().kind(), ErrorKind::UnexpectedEof);
    }

    #[test]
    fn what_is_no_frame_is_refused() {
        let printed = b"Loading weights: 100%|####| 103/103 [00:00<00:00]";
        assert_eq!(read(&mut printed.as_slice()).unwrap_err().kind(), ErrorKind::InvalidData);
    }

    #[test]
    fn texts_are_packed_by_their_lengths_in_bytes() {
        assert_eq!(pack(["é", ""].into_iter()), [2, 0, 0, 0, 0, 0, 0, 0, 0xC3, 0xA9]);
    }

    proptest! {
        /// Whatever an interpreter sends is frames up to where it is none; a frame is kept as it was read.
        #[test]
        fn damaged_frames_are_read_or_refused(
            headers in prop::collection::vec("[a-z\"{}:0-9]{0,12}", 1..4),
            cut in any::<prop::sample::Index>(),
            place in any::<prop::sample::Index>(),
            byte in any::<u8>(),
        ) {
            let mut stream = Vec::new();
            for header in &headers {
                write(&mut stream, 1, &json!({ "told": header }), header.as_bytes()).unwrap();
            }
            let at = place.index(stream.len());
            stream[at] = byte;
            stream.truncate(cut.index(stream.len()) + 1);
            let mut input = stream.as_slice();
            while let Ok((number, header)) = read(&mut input) {
                let mut written = Vec::new();
                write(&mut written, number, &header, b"passed over").unwrap();
                prop_assert_eq!(read(&mut written.as_slice()).unwrap(), (number, header));
            }
        }
    }
}
