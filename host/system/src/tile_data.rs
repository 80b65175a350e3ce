//! The tile registers of x86-64 (AMX), which a system hands to no process unasked.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use linux as system;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
use portable as system;

/// Asks the system for the registers; true if this process may use them.
pub fn permitted() -> bool {
    system::permitted()
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod linux {
    //! Linux on x86-64: `arch_prctl`.

    #![allow(unsafe_code, reason = "nothing safe makes this call of the system")]

    use std::arch::asm;

    pub fn permitted() -> bool {
        const ARCH_PRCTL: i64 = 158;
        const REQUEST_PERMISSION: i64 = 0x1023;
        const TILE_DATA: i64 = 18;
        let result: i64;
        // SAFETY: the call takes two numbers and touches no memory of ours; a system that does not know it gives an error
        // number. `syscall` changes rax, rcx and r11, which are named.
        unsafe {
            asm!(
                "syscall",
                inlateout("rax") ARCH_PRCTL => result,
                in("rdi") REQUEST_PERMISSION,
                in("rsi") TILE_DATA,
                out("rcx") _,
                out("r11") _,
                options(nostack),
            );
        }
        result == 0
    }
}

#[cfg(any(test, not(all(target_os = "linux", target_arch = "x86_64"))))]
mod portable {
    //! Other systems and processors: no tile registers.

    pub fn permitted() -> bool {
        false
    }
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
