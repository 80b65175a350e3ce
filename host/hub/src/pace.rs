//! Bodies are read with limits: a hub that sends too much or too slowly is left. Connections give
//! up when the run is asked to end, even if the hub is silent.

use std::io;
use std::io::Read;
use std::time::{Duration, Instant};

use ureq::Error;
use ureq::unversioned::transport::time::Duration as Wait;
use ureq::unversioned::transport::{
    Buffers, ConnectProxyConnector, ConnectionDetails, Connector, NextTimeout, RustlsConnector,
    SocksConnector, TcpConnector, Transport,
};

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

/// The connections that the library makes by itself, watched below their encryption.
pub(crate) fn connector(stopped: fn() -> bool) -> impl Connector {
    ().chain(SocksConnector::default())
        .chain(ConnectProxyConnector::default())
        .chain(TcpConnector::default())
        .chain(Watch { stopped })
        .chain(RustlsConnector::default())
}

/// Makes watched connections of others.
#[derive(Debug)]
struct Watch {
    stopped: fn() -> bool,
}

impl<In: Transport> Connector<In> for Watch {
    type Out = Watched<In>;

    fn connect(&self, _: &ConnectionDetails, chained: Option<In>) -> Result<Option<Watched<In>>, Error> {
        Ok(chained.map(|inner| Watched { inner, stopped: self.stopped }))
    }
}

/// A connection that ends its waiting when whoever asks wants to end.
#[derive(Debug)]
struct Watched<In> {
    inner: In,
    stopped: fn() -> bool,
}

impl<In: Transport> Transport for Watched<In> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.inner.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.inner.transmit_output(amount, timeout)
    }

    /// Waits as long as `timeout` says, a little at a time.
    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        let whole = timeout.for_read();
        let begin = Instant::now();
        loop {
            if (self.stopped)() {
                return Err(Error::Io(io::Error::other("interrupted")));
            }
            let left = whole.after.saturating_sub(begin.elapsed());
            if left.is_zero() {
                return Err(Error::Timeout(whole.reason));
            }
            let slice = NextTimeout { after: Wait::Exact(left.min(TICK)), ..timeout };
            match self.inner.await_input(slice) {
                Err(Error::Timeout(_)) => {}
                answer => return answer,
            }
        }
    }

    fn is_open(&mut self) -> bool {
        self.inner.is_open()
    }

    fn is_tls(&self) -> bool {
        self.inner.is_tls()
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
