//! The number format of the computation.

use tch::{Device, Kind};

use crate::error::TorchError;

/// The number format called `dtype`, and its plain name; `auto` is the one that every device computes in.
///
/// # Errors
/// If the name is unknown, or the processor only emulates the format, which takes more time than float32.
pub fn kind_of(dtype: &str, device: Device) -> Result<(Kind, &'static str), TorchError> {
    let (kind, name, is_computed) = match dtype {
        "auto" | "" | "f32" => (Kind::Float, "f32", true),
        "bf16" => (Kind::BFloat16, "bf16", device != Device::Cpu || computes_bf16()),
        "f16" => (Kind::Half, "f16", device != Device::Cpu || computes_f16()),
        other => {
            return Err(TorchError::Device(format!(
                "expected a dtype among auto, f32, bf16, f16, found: {other}"
            )));
        }
    };
    if is_computed {
        return Ok((kind, name));
    }
    Err(TorchError::Device(format!(
        "expected a dtype that this processor computes in, found: {name}, which it emulates more slowly than f32; run with \
         `--dtype f32`, or on a GPU"
    )))
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
    fn every_device_computes_in_float32_and_a_gpu_in_every_format() {
        for name in ["auto", "", "f32"] {
            assert_eq!(kind_of(name, Device::Cpu).unwrap(), (Kind::Float, "f32"));
        }
        assert_eq!(kind_of("f16", Device::Cuda(0)).unwrap(), (Kind::Half, "f16"));
        assert_eq!(kind_of("bf16", Device::Cuda(0)).unwrap(), (Kind::BFloat16, "bf16"));
    }

    #[test]
    fn what_a_processor_emulates_is_refused_with_what_to_do() {
        for (name, is_computed) in [("bf16", computes_bf16()), ("f16", computes_f16())] {
            let found = kind_of(name, Device::Cpu).map(|(_, name)| name).map_err(|error| error.to_string());
            let refusal = format!(
                "expected a dtype that this processor computes in, found: {name}, which it emulates more slowly than f32; run \
                 with `--dtype f32`, or on a GPU"
            );
            assert_eq!(found, if is_computed { Ok(name) } else { Err(refusal) });
        }
    }
}
