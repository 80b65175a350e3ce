//! HTTP connections that give up when the run is asked to end, even if the hub is silent.

use std::io;
use std::time::Instant;

use ureq::Error;
use ureq::unversioned::transport::time::Duration as Wait;
use ureq::unversioned::transport::{
    Buffers, ConnectProxyConnector, ConnectionDetails, Connector, NextTimeout, RustlsConnector,
    SocksConnector, TcpConnector, Transport,
};

use crate::pace::TICK;

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
