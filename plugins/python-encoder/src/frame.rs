//! Frames of the protocol between the plugin and the interpreter: a JSON header and raw bytes, each with its length in front.

use std::io::{self, Read, Write};

use serde_json::Value;

/// Longest header and payload that are believed.
const MOST: [u64; 2] = [64 << 20, 1 << 30];

/// Writes one frame.
///
/// # Errors
/// If the stream is closed.
pub fn write(out: &mut impl Write, header: &Value, payload: &[u8]) -> io::Result<()> {
    let header = header.to_string();
    out.write_all(&(header.len() as u64).to_le_bytes())?;
    out.write_all(&(payload.len() as u64).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    out.write_all(payload)?;
    out.flush()
}

/// Reads the header of one frame, and passes over its payload.
///
/// # Errors
/// `UnexpectedEof` if the stream ends, `InvalidData` if it holds no frame.
pub fn read(input: &mut impl Read) -> io::Result<Value> {
    let mut lengths = [[0; 8]; 2];
    for length in &mut lengths {
        input.read_exact(length)?;
    }
    let lengths = lengths.map(u64::from_le_bytes);
    if lengths.iter().zip(MOST).any(|(length, most)| *length > most) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a length that no frame has"));
    }
    let mut header = vec![0; lengths[0] as usize];
    input.read_exact(&mut header)?;
    io::copy(&mut input.take(lengths[1]), &mut io::sink())?;
    serde_json::from_slice(&header).map_err(io::Error::from)
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
        write(&mut stream, &json!({"rows": 2}), b"passed over").unwrap();
        write(&mut stream, &json!({"rows": 3}), b"").unwrap();
        let mut input = stream.as_slice();
        assert_eq!(read(&mut input).unwrap()["rows"], 2);
        assert_eq!(read(&mut input).unwrap()["rows"], 3);
        assert_eq!(read(&mut input).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn what_is_no_frame_is_refused() {
        let printed = b"Loading weights: 100%|####| 103/103 [00:00<00:00]";
        assert_eq!(read(&mut printed.as_slice()).unwrap_err().kind(), io::ErrorKind::InvalidData);
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
                write(&mut stream, &json!({ "told": header }), header.as_bytes()).unwrap();
            }
            let at = place.index(stream.len());
            stream[at] = byte;
            stream.truncate(cut.index(stream.len()) + 1);
            let mut input = stream.as_slice();
            while let Ok(header) = read(&mut input) {
                let mut written = Vec::new();
                write(&mut written, &header, b"passed over").unwrap();
                prop_assert_eq!(read(&mut written.as_slice()).unwrap(), header);
            }
        }
    }
}
