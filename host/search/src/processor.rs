//! What the processor can do, or is taken to be able to do.

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
