//! What the processor can do, or is taken to be able to do, and plain loops compiled for the widest
//! vectors that it has.
#![allow(unsafe_code, reason = "a function compiled for more than every processor has is unsafe to call")]

use std::sync::atomic::{AtomicBool, Ordering};

static ONLY_AVX2: AtomicBool = AtomicBool::new(false);

/// From here on this process searches as on a processor that has AVX2 and nothing beyond it, for benchmarks.
pub fn pretend_avx2() {
    ONLY_AVX2.store(true, Ordering::Relaxed);
}

/// Whether more than AVX2 may be used.
#[cfg(target_arch = "x86_64")]
fn may_exceed_avx2() -> bool {
    !ONLY_AVX2.load(Ordering::Relaxed)
}

/// AVX2 and fused multiplications and additions.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// Whether vectors of f32 are multiplied and added with one rounding; every ARM64 processor does that.
pub(crate) fn multiplies_and_adds() -> bool {
    #[cfg(target_arch = "x86_64")]
    return has_avx2();
    #[cfg(not(target_arch = "x86_64"))]
    return cfg!(target_arch = "aarch64");
}

/// AVX-512 with what the compiler uses of it in plain loops.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx512() -> bool {
    may_exceed_avx2()
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
}

/// The same with products of whole numbers.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx512_vnni() -> bool {
    has_avx512() && is_x86_feature_detected!("avx512vnni")
}

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
