//! How often and how long to wait for a hub that does not answer.

use std::time::Duration;

/// Attempts without progress before giving up.
const ATTEMPTS: u32 = 6;

const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// Counts attempts and pauses between them, twice as long each time; an attempt that brought something starts anew.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    failures: u32,
}

impl Patience {
    /// Notes a failed attempt and waits, or gives the number of attempts if there were enough.
    pub fn wait(&mut self, brought_something: bool) -> Result<(), u32> {
        self.failures = if brought_something { 1 } else { self.failures + 1 };
        if self.failures >= ATTEMPTS {
            return Err(self.failures);
        }
        std::thread::sleep(self.pause());
        Ok(())
    }

    /// Half of the pause is drawn, so that many machines do not ask at the same moment.
    fn pause(&self) -> Duration {
        let full = FIRST_PAUSE.saturating_mul(1 << (self.failures - 1).min(16)).min(LONGEST_PAUSE);
        full.mul_f64(0.5 + 0.5 * fastrand::f64())
    }
}
