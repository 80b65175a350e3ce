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
