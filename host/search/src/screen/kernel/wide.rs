//! Plain loops compiled for the widest vectors that the processor has.
#![allow(unsafe_code, reason = "a function compiled for more than every processor has is unsafe to call")]

/// Runs `work`, which is inlined where the compiler may use AVX-512 if the processor has it.
///
/// Results do not depend on the choice: it gives the compiler registers, not other arithmetic.
#[inline]
pub(crate) fn wide<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if has_avx512() {
        // SAFETY: the processor has the features.
        return unsafe { wide_avx512(work) };
    }
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn wide_avx512<R>(work: impl FnOnce() -> R) -> R {
    work()
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
}
