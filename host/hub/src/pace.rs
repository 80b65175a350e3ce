//! Bodies are read with limits: a hub that sends too much or too slowly is left.

use std::io::Read;
use std::time::{Duration, Instant};

use crate::error::Failure;

/// How often whoever waits for a hub looks whether it still is to: so soon a request to end is heard.
pub(crate) const TICK: Duration = Duration::from_millis(100);

/// Fewest bytes a second, taken over a while.
const LEAST_SPEED: u64 = 1024;

/// Measures how fast a body comes, over and over for as long as a silence may last.
#[derive(Debug)]
pub(crate) struct Pace {
    window: Duration,
    since: Instant,
    bytes: u64,
}

impl Pace {
    /// A measure that begins now.
    pub fn new(window: Duration) -> Self {
        Self { window, since: Instant::now(), bytes: 0 }
    }

    /// Notes that bytes have come.
    ///
    /// # Errors
    /// If they come so slowly that the rest would never be there.
    pub fn advance(&mut self, bytes: u64) -> Result<(), Failure> {
        self.bytes += bytes;
        let elapsed = self.since.elapsed();
        if elapsed < self.window {
            return Ok(());
        }
        if self.bytes < LEAST_SPEED * self.window.as_secs().max(1) {
            let seconds = elapsed.as_secs();
            return Err(Failure::Passing(format!("only {} bytes came in {seconds} seconds", self.bytes)));
        }
        *self = Self::new(self.window);
        Ok(())
    }
}

/// The whole of a body that may have `most` bytes.
///
/// # Errors
/// If it is longer, breaks off, or is not there by `deadline`.
pub(crate) fn read_all(mut body: impl Read, most: usize, deadline: Instant) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = body.read(&mut buffer).map_err(|error| Failure::Passing(error.to_string()))?;
        if read == 0 {
            return Ok(bytes);
        }
        bytes.extend_from_slice(&buffer[..read]);
        if bytes.len() > most {
            return Err(Failure::answer(format!("expected at most {} MB, found more", most >> 20)));
        }
        if Instant::now() > deadline {
            return Err(Failure::answer("the list of files came too slowly to wait for its end".to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_beyond_its_limit_is_left() {
        let deadline = Instant::now() + Duration::from_secs(60);
        assert_eq!(read_all(&b"four"[..], 4, deadline).ok().as_deref(), Some(&b"four"[..]));
        assert!(read_all(std::io::repeat(b'x'), 1 << 20, deadline).is_err());
    }

    #[test]
    fn a_body_that_drips_is_left() {
        let mut pace = Pace::new(Duration::ZERO);
        assert!(pace.advance(1023).is_err());
        assert!(Pace::new(Duration::ZERO).advance(1024).is_ok());
    }
}
