//! How an endpoint is asked: how much at once, how often, how long, and with which pauses.

use std::time::Duration;

/// Limits of the calls to one endpoint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    /// Most calls at once.
    pub concurrency: usize,
    /// Attempts of a call before it counts as failed. A 429 does not count, unless it is one of many in a row and nobody is answered.
    pub attempts: u32,
    /// Attempts of a call to which replies came that are no answers. Few, as the next reply to the same question is most often the same.
    pub unfit_attempts: u32,
    /// Longest time of one attempt.
    pub attempt_time: Duration,
    /// What to do about replies that take longer.
    pub late: &'static str,
    /// Longest time of one call with all its attempts and pauses.
    pub call_time: Duration,
    /// Pause before the second attempt; it doubles each time.
    pub first_pause: Duration,
    /// Pause after the first reply that is no answer; it doubles each time, too. What has replied is not overloaded.
    pub unfit_pause: Duration,
    /// Longest pause that nobody has asked for.
    pub longest_pause: Duration,
    /// Time without any success after which an endpoint that fails is left in peace, and for how long.
    pub rest: Duration,
    /// Most requests a minute; 0 for no limit.
    pub requests_per_minute: u32,
    /// Most tokens a minute; 0 for no limit.
    pub tokens_per_minute: u64,
    /// Most bytes of a reply.
    pub reply_bytes: usize,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            concurrency: 32,
            attempts: 8,
            unfit_attempts: 3,
            attempt_time: Duration::from_secs(120),
            late: "",
            call_time: Duration::from_secs(600),
            first_pause: Duration::from_millis(500),
            unfit_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(30),
            rest: Duration::from_secs(30),
            requests_per_minute: 0,
            tokens_per_minute: 0,
            reply_bytes: 256 << 20,
        }
    }
}

/// The pause after the attempt numbered `attempt`, the first being 1, which is `first` after that one; `drawn` is from 0 to 1.
pub fn pause(policy: &Policy, first: Duration, attempt: u32, drawn: f64) -> Duration {
    let doubled = first.saturating_mul(1 << attempt.saturating_sub(1).min(20));
    doubled.min(policy.longest_pause).mul_f64(0.5 + 0.5 * drawn.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_half_of_each_is_drawn() {
        let policy = Policy::default();
        let full: Vec<u128> =
            (1..=9).map(|attempt| pause(&policy, policy.first_pause, attempt, 1.0).as_millis()).collect();
        assert_eq!(full, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
        assert_eq!(pause(&policy, policy.first_pause, 1, 0.0).as_millis(), 250);
        assert_eq!(pause(&policy, policy.first_pause, u32::MAX, 1.0), policy.longest_pause);
    }
}
