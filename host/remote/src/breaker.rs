//! Leaves an endpoint in peace that has only failed for a while, and then asks it once to see whether it is back.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Failures without a success between them before time counts.
const FAILURES: u32 = 10;

/// Watches what becomes of attempts.
#[derive(Debug)]
pub struct Breaker {
    rest: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    has_answered: bool,
    failures: u32,
    failing_since: Option<Instant>,
    resting_until: Option<Instant>,
    last: String,
}

/// Why an endpoint is not asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resting {
    /// Seconds since it fails.
    pub seconds: u64,
    /// Why it failed last.
    pub last: String,
}

impl Breaker {
    /// Rests as long as an endpoint has failed before: `rest`.
    pub fn new(rest: Duration) -> Self {
        Self { rest, state: Mutex::default() }
    }

    /// Says whether an attempt may begin. When the rest is over, one may, and the rest begins anew for others.
    ///
    /// # Errors
    /// If the endpoint rests.
    pub fn may_ask(&self, now: Instant) -> Result<(), Resting> {
        let mut state = self.lock();
        match state.resting_until {
            Some(until) if now < until => {
                let since = state.failing_since.unwrap_or(now);
                Err(Resting { seconds: (now - since).as_secs(), last: state.last.clone() })
            }
            Some(_) => {
                state.resting_until = Some(now + self.rest);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// An answer came, whatever it says: the endpoint is there.
    pub fn answered(&self) {
        *self.lock() = State { has_answered: true, ..State::default() };
    }

    /// An attempt failed in a way that may pass.
    pub fn failed(&self, why: &str, now: Instant) {
        let mut state = self.lock();
        state.failures = state.failures.saturating_add(1);
        let since = *state.failing_since.get_or_insert(now);
        why.clone_into(&mut state.last);
        if state.resting_until.is_none() && state.failures >= FAILURES && now - since >= self.rest {
            state.resting_until = Some(now + self.rest);
        }
    }

    /// Why the endpoint has failed last, if it has answered nothing since.
    pub fn last_failure(&self) -> Option<String> {
        let state = self.lock();
        (state.failures > 0).then(|| state.last.clone())
    }

    /// True if the endpoint has ever answered.
    pub fn has_answered(&self) -> bool {
        self.lock().has_answered
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REST: Duration = Duration::from_secs(30);

    #[test]
    fn an_endpoint_that_only_fails_rests_and_one_call_sees_whether_it_is_back() {
        let (breaker, begin) = (Breaker::new(REST), Instant::now());
        (0..FAILURES).for_each(|_| breaker.failed("status 500", begin));
        assert_eq!(breaker.may_ask(begin), Ok(()));
        breaker.failed("status 503", begin + REST);
        let resting = breaker.may_ask(begin + REST).unwrap_err();
        assert_eq!(resting, Resting { seconds: 30, last: "status 503".to_owned() });
        assert_eq!(breaker.may_ask(begin + 2 * REST), Ok(()));
        assert!(breaker.may_ask(begin + 2 * REST).is_err());
        breaker.answered();
        assert_eq!(breaker.may_ask(begin + 2 * REST), Ok(()));
    }

    #[test]
    fn failures_between_answers_are_no_reason_to_rest() {
        let (breaker, begin) = (Breaker::new(REST), Instant::now());
        for second in 0..300 {
            breaker.failed("status 500", begin + Duration::from_secs(second));
            breaker.answered();
        }
        assert_eq!(breaker.may_ask(begin + Duration::from_secs(300)), Ok(()));
        assert!(breaker.has_answered());
    }
}
