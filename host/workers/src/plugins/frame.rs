//! Messages between the host and a worker: a JSON header and raw bytes, behind a head with the number of the question that they ask or
//! answer, the length of each, and a checksum of all. So an answer that belongs to another question, or that two processes have written
//! into each other, is seen.

use std::io::{self, ErrorKind, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Longest header that is believed; anything longer means that the stream is broken.
const MAX_HEADER: u64 = 64 << 20;
/// Longest payload that is believed.
const MAX_PAYLOAD: u64 = 16 << 30;

/// Bytes of the head: number, length of the header, length of the payload, checksum.
const HEAD: usize = 32;

/// A frame that was read.
#[derive(Debug)]
pub struct Frame<H> {
    /// The question that it asks or answers.
    pub number: u64,
    /// What it says.
    pub header: H,
    /// Raw bytes.
    pub payload: Vec<u8>,
}

/// Writes the frame that asks or answers the question `number`.
///
/// # Errors
/// If the stream is closed.
pub fn write<H: Serialize>(out: &mut impl Write, number: u64, header: &H, payload: &[u8]) -> io::Result<()> {
    let header = serde_json::to_vec(header)?;
    let words = [number, header.len() as u64, payload.len() as u64];
    words.iter().try_for_each(|word| out.write_all(&word.to_le_bytes()))?;
    out.write_all(&checksum(words, &header, payload).to_le_bytes())?;
    out.write_all(&header)?;
    out.write_all(payload)?;
    out.flush()
}

/// Reads one frame; `None` if the stream ends before it.
///
/// # Errors
/// If the stream ends within a frame or does not hold a frame.
pub fn read<H: DeserializeOwned>(input: &mut impl Read) -> io::Result<Option<Frame<H>>> {
    let mut head = [0; HEAD];
    if !fill(input, &mut head)? {
        return Ok(None);
    }
    let word = |index: usize| head[8 * index..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
    let words = [word(0), word(1), word(2)];
    let header = bytes(input, length(words[1], MAX_HEADER)?)?;
    let payload = bytes(input, length(words[2], MAX_PAYLOAD)?)?;
    if checksum(words, &header, &payload) != word(3) {
        return Err(broken());
    }
    Ok(Some(Frame { number: words[0], header: serde_json::from_slice(&header)?, payload }))
}

/// CRC-32 of a frame.
fn checksum(words: [u64; 3], header: &[u8], payload: &[u8]) -> u64 {
    let mut hasher = crc32fast::Hasher::new();
    words.iter().for_each(|word| hasher.update(&word.to_le_bytes()));
    hasher.update(header);
    hasher.update(payload);
    hasher.finalize().into()
}

/// Packs texts into one payload: the length of each in four bytes, then the bytes of all.
pub fn pack_texts<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Vec<u8> {
    let count = texts.clone().count();
    let mut payload = Vec::with_capacity(4 * count + texts.clone().map(str::len).sum::<usize>());
    for text in texts.clone() {
        payload.extend_from_slice(&(text.len() as u32).to_le_bytes());
    }
    for text in texts {
        payload.extend_from_slice(text.as_bytes());
    }
    payload
}

/// Unpacks `count` texts of [`pack_texts`] from the front of `payload` and gives what follows them.
///
/// # Errors
/// If the payload is too short or no UTF-8.
pub fn unpack_texts(payload: &[u8], count: usize) -> io::Result<(Vec<&str>, &[u8])> {
    let length = count.checked_mul(4).ok_or_else(broken)?;
    let (lengths, mut rest) = payload.split_at_checked(length).ok_or_else(broken)?;
    let mut texts = Vec::with_capacity(count);
    for length in lengths.chunks_exact(4) {
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let (text, after) = rest.split_at_checked(length).ok_or_else(broken)?;
        texts.push(std::str::from_utf8(text).map_err(|_| broken())?);
        rest = after;
    }
    Ok((texts, rest))
}

/// Fills `buffer`; false if the stream ended before the first byte.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) if filled == 0 => return Ok(false),
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

fn length(length: u64, most: u64) -> io::Result<usize> {
    if length > most { Err(broken()) } else { usize::try_from(length).map_err(|_| broken()) }
}

fn bytes(input: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() == length { Ok(bytes) } else { Err(ErrorKind::UnexpectedEof.into()) }
}

fn broken() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "the worker's stream does not hold a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_comes_back_as_it_was_sent() {
        let mut stream = Vec::new();
        let payload = pack_texts(["satu", "", "tiga é"].into_iter());
        write(&mut stream, 7, &"header", &payload).unwrap();
        let Frame { number, header, payload } = read::<String>(&mut stream.as_slice()).unwrap().unwrap();
        assert_eq!((number, header.as_str()), (7, "header"));
        let (texts, rest) = unpack_texts(&payload, 3).unwrap();
        assert_eq!(texts, ["satu", "", "tiga é"]);
        assert!(rest.is_empty());
    }

    #[test]
    fn a_stream_that_is_cut_is_an_error_and_an_ended_one_is_not() {
        let mut stream = Vec::new();
        write(&mut stream, 1, &1, b"payload").unwrap();
        assert!(read::<u32>(&mut &stream[..stream.len() - 1]).is_err());
        assert!(read::<u32>(&mut &stream[..3]).is_err());
        assert!(read::<u32>(&mut [].as_slice()).unwrap().is_none());
    }

    #[test]
    fn a_changed_byte_is_seen_wherever_it_is() {
        let mut stream = Vec::new();
        write(&mut stream, 1, &"12", b"payload").unwrap();
        for place in 0..stream.len() {
            let mut changed = stream.clone();
            changed[place] ^= 1;
            assert!(read::<String>(&mut changed.as_slice()).is_err(), "byte {place}");
        }
    }

    #[test]
    fn nonsense_is_an_error() {
        assert!(read::<u32>(&mut [0xff; 64].as_slice()).is_err());
        assert!(unpack_texts(&[9, 0, 0, 0, b'a'], 1).is_err());
        assert!(unpack_texts(&[1, 0, 0, 0, 0xff], 1).is_err());
        assert!(unpack_texts(&[], usize::MAX).is_err());
    }
}
