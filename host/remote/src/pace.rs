//! Limits by the minute: each call gets the earliest time at which it may begin.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Part of a minute whose calls may begin at once; the rest is spread evenly.
const BURST: f64 = 1.0 / 20.0;

/// A limit of requests and of tokens a minute.
#[derive(Debug)]
pub struct Pace {
    limits: [f64; 2],
    /// For each limit, when what was promised so far will have been spent at an even pace.
    promised: Mutex<[Option<Instant>; 2]>,
}

impl Pace {
    /// At most so many requests and tokens a minute; 0 for no limit.
    pub fn new(requests: u32, tokens: u64) -> Self {
        Self { limits: [f64::from(requests), tokens as f64], promised: Mutex::default() }
    }

    /// The time from `now` until a call of so many tokens may begin; the call counts from now on.
    pub fn admit(&self, tokens: u64, now: Instant) -> Duration {
        let mut promised = self.promised.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wait = Duration::ZERO;
        for ((limit, amount), promised) in
            self.limits.iter().zip([1.0, tokens as f64]).zip(promised.iter_mut())
        {
            if *limit <= 0.0 {
                continue;
            }
            let until = promised.unwrap_or(now).max(now);
            let burst = Duration::from_secs_f64(60.0 * BURST);
            wait = wait.max(until.saturating_duration_since(now + burst));
            *promised = Some(until + Duration::from_secs_f64(60.0 * amount / limit));
        }
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_beyond_the_burst_are_spread_over_the_minute() {
        let (pace, now) = (Pace::new(60, 0), Instant::now());
        let waits: Vec<u64> = (0..6).map(|_| pace.admit(1000, now).as_secs()).collect();
        assert_eq!(waits, [0, 0, 0, 0, 1, 2]);
        assert_eq!(pace.admit(1000, now + Duration::from_secs(60)), Duration::ZERO);
    }

    #[test]
    fn tokens_count_as_requests_do_and_without_limits_nothing_waits() {
        let (pace, now) = (Pace::new(0, 6000), Instant::now());
        assert_eq!(pace.admit(600, now), Duration::ZERO);
        assert_eq!(pace.admit(600, now), Duration::from_secs(3));
        let free = Pace::new(0, 0);
        assert!((0..1000).all(|_| free.admit(1 << 40, now) == Duration::ZERO));
    }
}
