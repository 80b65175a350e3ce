//! The number formats that are measured on this machine.

/// Whether this processor computes in bf16; one that emulates it is slower than in float32, and refused by the plugin.
pub fn has_bf16() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx512bf16");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}
