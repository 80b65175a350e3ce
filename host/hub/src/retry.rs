//! How often and how long to wait for a hub that does not answer.

use std::time::{Duration, Instant};

use tracing::debug;

use crate::client::Client;
use crate::error::Failure;
use crate::pace::TICK;
use crate::{HubError, Repository};

/// Attempts without progress before giving up.
const ATTEMPTS: u32 = 6;

/// The same where nobody has answered yet: a network that is not there will not come.
const FIRST_ATTEMPTS: u32 = 3;

const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// Counts attempts and pauses between them, twice as long each time; an attempt that brought something starts anew.
pub(crate) struct Retry<'a> {
    client: &'a Client,
    repository: &'a Repository,
    what: &'a str,
    failures: u32,
}

impl<'a> Retry<'a> {
    /// No attempt yet for `what` of a repository.
    pub fn new(client: &'a Client, repository: &'a Repository, what: &'a str) -> Self {
        Self { client, repository, what, failures: 0 }
    }

    /// Notes a failed attempt and waits.
    ///
    /// # Errors
    /// If asking again will not help, or was tried often enough.
    pub fn wait(&mut self, failure: Failure, brought_something: bool) -> Result<(), HubError> {
        self.client.asker.go_on()?;
        self.failures = if brought_something { 1 } else { self.failures + 1 };
        let asker = &self.client.asker;
        let failure = match failure {
            Failure::Beyond => Failure::Passing("the hub has no such part of the file".to_owned()),
            failure => failure,
        };
        let error = match failure {
            Failure::Beyond => return Ok(()),
            Failure::Final(error) => return Err(error),
            Failure::Down { place, why } => {
                if self.failures < if asker.has_answered() { ATTEMPTS } else { FIRST_ATTEMPTS } {
                    return self.pause();
                }
                asker.note_outage(&place, &why);
                HubError::Down { place, why }
            }
            Failure::Passing(_) if self.failures < ATTEMPTS => {
                return self.pause();
            }
            Failure::Passing(message) => HubError::Unreachable {
                repository: Box::new(self.repository.clone()),
                what: self.what.to_owned(),
                attempts: self.failures,
                message,
            },
        };
        Err(error)
    }

    /// Half of the pause is drawn, so that many machines do not ask at the same moment.
    ///
    /// # Errors
    /// [`HubError::Interrupted`], if whoever asks wants to end meanwhile.
    fn pause(&self) -> Result<(), HubError> {
        let full = FIRST_PAUSE.saturating_mul(1 << (self.failures - 1).min(16)).min(LONGEST_PAUSE);
        let end = Instant::now() + full.mul_f64(0.5 + 0.5 * fastrand::f64());
        debug!(what = self.what, failures = self.failures, "ask again");
        loop {
            self.client.asker.go_on()?;
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(TICK));
        }
    }
}

/// Asks until there is an answer, or it was tried often enough.
pub(crate) fn with_retries<T>(
    client: &Client,
    repository: &Repository,
    what: &str,
    mut ask: impl FnMut() -> Result<T, Failure>,
) -> Result<T, HubError> {
    let mut retry = Retry::new(client, repository, what);
    loop {
        match ask() {
            Ok(answer) => return Ok(answer),
            Err(failure) => retry.wait(failure, false)?,
        }
    }
}
