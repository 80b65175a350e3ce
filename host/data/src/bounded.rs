//! A bound on what a compressed file unpacks to: a small file must not fill the memory.

use std::io::{self, ErrorKind, Read};

/// What any file may unpack to.
const LEAST: u64 = 1 << 30;

/// How many times its size a larger file may unpack to; text seldom reaches 20.
const RATIO: u64 = 200;

/// Bytes that end with [`ErrorKind::FileTooLarge`] if they are too many.
pub struct Bounded<R> {
    bytes: R,
    limit: u64,
    read: u64,
}

impl<R: Read> Bounded<R> {
    /// What a file of `length` bytes unpacks to.
    pub fn of_unpacked(bytes: R, length: u64) -> Self {
        Self { bytes, limit: length.saturating_mul(RATIO).max(LEAST), read: 0 }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        self.read += read as u64;
        if self.read > self.limit {
            let message = format!("expected at most {} bytes of unpacked data, found more", self.limit);
            return Err(io::Error::new(ErrorKind::FileTooLarge, message));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_unpacks_to_more_than_the_bound_ends_there() {
        let mut bounded = Bounded { bytes: io::repeat(b' '), limit: 1000, read: 0 };
        let error = bounded.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "expected at most 1000 bytes of unpacked data, found more");
        assert_eq!(Bounded::of_unpacked(io::empty(), 1).limit, LEAST);
        assert_eq!(Bounded::of_unpacked(io::empty(), LEAST).limit, 200 * LEAST);
    }
}
