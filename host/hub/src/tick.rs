//! How often whoever waits for a hub looks whether it still is to.

use std::time::Duration;

/// So soon a request to end is heard.
pub(crate) const TICK: Duration = Duration::from_millis(100);
