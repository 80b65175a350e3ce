//! What computes, by the names that makers and drivers gave it.

#[cfg(target_os = "linux")]
mod linux;
mod number_formats;
#[cfg(any(test, not(target_os = "linux")))]
mod portable;

use std::path::Path;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use portable as system;

pub use number_formats::computes;

/// The name of this machine; `None` where the system does not say.
pub fn name() -> Option<String> {
    system::name()
}

/// The name of the processor; `None` where the system does not say.
pub fn processor() -> Option<String> {
    system::processor()
}

/// The graphics cards that NVIDIA's driver knows, in its order; `None` for one without a name.
pub fn graphics_cards() -> Vec<Option<String>> {
    system::graphics_cards()
}

/// The version of NVIDIA's driver, if there is one.
pub fn graphics_driver() -> Option<String> {
    system::graphics_driver()
}

/// The folder in which the system counts the energy of the processors (RAPL, as powercap shows it); `None` where it has none.
pub fn energy_counters() -> Option<&'static Path> {
    system::energy_counters()
}

/// Cores that this process may run on, whatever share of their time it is allowed; `None` where the system does not say.
pub fn allowed_cores() -> Option<usize> {
    system::allowed_cores()
}

/// Bytes that can still be taken of this machine's memory; `None` where the system does not say.
pub fn free_memory() -> Option<u64> {
    system::free_memory()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_says_nothing_has_no_names() {
        assert_eq!(
            [portable::name(), portable::processor(), portable::graphics_driver()],
            [None, None, None]
        );
        assert_eq!(portable::graphics_cards(), Vec::new());
        assert_eq!(portable::energy_counters(), None);
        assert_eq!((portable::allowed_cores(), portable::free_memory()), (None, None));
        assert!(free_memory().is_none_or(|bytes| bytes > 0));
        assert!(processor().is_none_or(|name| !name.is_empty()));
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        assert!(
            allowed_cores().is_none_or(|cores| cores >= threads),
            "a quota leaves no more than the cores"
        );
        assert!(graphics_driver().is_some() || graphics_cards().is_empty());
    }
}
