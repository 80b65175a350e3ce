//! Plain loops compiled for the widest vectors that the processor has.
#![allow(unsafe_code, reason = "a function compiled for more than every processor has is unsafe to call")]

#[cfg(target_arch = "x86_64")]
use crate::processor::{has_avx2, has_avx512};

/// Runs `work`, which is inlined where the compiler may use AVX-512 or AVX2 if the processor has it.
///
/// Results do not depend on the choice: it gives the compiler registers, not other arithmetic.
#[inline]
pub(crate) fn wide<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if has_avx512() {
        // SAFETY: the processor has the features.
        return unsafe { wide_avx512(work) };
    } else if has_avx2() {
        // SAFETY: the processor has the features.
        return unsafe { wide_avx2(work) };
    }
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "fma,avx512f,avx512bw,avx512vl,avx512dq")]
fn wide_avx512<R>(work: impl FnOnce() -> R) -> R {
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn wide_avx2<R>(work: impl FnOnce() -> R) -> R {
    work()
}
