//! The tile registers of x86-64 (AMX), which a system hands to no process unasked.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod linux;
#[cfg(any(test, not(all(target_os = "linux", target_arch = "x86_64"))))]
mod portable;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use linux as system;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
use portable as system;

/// Asks the system for the registers; true if this process may use them.
pub fn permitted() -> bool {
    system::permitted()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_permitted_stays_so_and_the_twin_permits_nothing() {
        assert_eq!(permitted(), permitted());
        assert!(!portable::permitted());
    }
}
