//! The number formats that a processor multiplies in. In all others a library computes in float32 and rounds, which takes longer than
//! float32 alone.

/// Whether this processor has instructions for the number format `f32`, `bf16` or `f16`; false for every other name.
pub fn computes(format: &str) -> bool {
    match format {
        "f32" => true,
        "bf16" => computes_bf16(),
        "f16" => computes_f16(),
        _ => false,
    }
}

#[cfg(target_arch = "x86_64")]
fn computes_bf16() -> bool {
    is_x86_feature_detected!("avx512bf16")
}

#[cfg(target_arch = "x86_64")]
fn computes_f16() -> bool {
    is_x86_feature_detected!("avx512fp16")
}

#[cfg(target_arch = "aarch64")]
fn computes_bf16() -> bool {
    std::arch::is_aarch64_feature_detected!("bf16")
}

#[cfg(target_arch = "aarch64")]
fn computes_f16() -> bool {
    std::arch::is_aarch64_feature_detected!("fp16")
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn computes_bf16() -> bool {
    false
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn computes_f16() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_processor_computes_in_float32_and_none_in_what_has_no_name() {
        assert!(computes("f32"));
        assert!(!computes("auto") && !computes(""));
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn the_kernel_says_the_same_of_the_processor() {
        let flags = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        for (format, flag) in [("bf16", "avx512_bf16"), ("f16", "avx512_fp16")] {
            assert_eq!(computes(format), flags.split_whitespace().any(|found| found == flag), "{format}");
        }
    }
}
