//! No plugin, but a library for `LD_PRELOAD`: the wall clock jumps twenty years, forward and back in turn, each time that it is
//! read. Other clocks are as they are.

#![allow(unsafe_code, reason = "a library takes the place of one of the system's functions")]

use std::ffi::{c_int, c_long};
use std::sync::atomic::{AtomicI64, Ordering};

#[cfg(target_arch = "x86_64")]
const CLOCK_GETTIME: c_long = 228;
#[cfg(not(target_arch = "x86_64"))]
const CLOCK_GETTIME: c_long = 113;
const WALL_CLOCK: c_int = 0;
const TEN_YEARS: i64 = 315_576_000;

static JUMP: AtomicI64 = AtomicI64::new(TEN_YEARS);

/// As the system has it.
#[repr(C)]
pub struct Time {
    seconds: i64,
    nanoseconds: i64,
}

unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
}

/// Takes the place of the C library's function.
///
/// # Safety
/// `time` is a place that may be written, as the function of the system asks for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: c_int, time: *mut Time) -> c_int {
    // SAFETY: the system's function, with the caller's own arguments.
    let answer = unsafe { syscall(CLOCK_GETTIME, clock, time) };
    if clock == WALL_CLOCK && answer == 0 {
        let jump = JUMP.load(Ordering::Relaxed);
        JUMP.store(-jump, Ordering::Relaxed);
        // SAFETY: the system has just written there.
        unsafe { (*time).seconds += jump };
    }
    answer as c_int
}
