//! The pause before another attempt: it doubles each time, and half of it is drawn, so that many do not come back at once.

use std::time::Duration;

use crate::Policy;

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
