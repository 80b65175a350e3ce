//! The device and the number format of the computation.

use mteb_system::machine::computes;
use tch::{Cuda, Device, Kind};

use crate::cuda_library::{CudaLibrary, compute_capability, has_driver, load};
use crate::error::TorchError;

/// The device called `name`: `auto`, `cpu`, `cuda` or `cuda:N`.
///
/// # Errors
/// If it cannot be had.
pub fn device_of(name: &str) -> Result<Device, TorchError> {
    let number = match name {
        "cpu" => return Ok(Device::Cpu),
        "auto" | "" => {
            let has_device = has_driver() && load() == CudaLibrary::Loaded && devices() > 0;
            return Ok(if has_device { Device::Cuda(0) } else { Device::Cpu });
        }
        "cuda" => Some(0),
        other => other.strip_prefix("cuda:").and_then(|number| number.parse::<usize>().ok()),
    };
    let Some(number) = number else {
        return Err(TorchError::Device(format!(
            "expected a device among auto, cpu, cuda, cuda:N, found: {name}"
        )));
    };
    let library = load();
    let count = if library == CudaLibrary::Loaded { devices() } else { 0 };
    if number < count {
        return Ok(Device::Cuda(number));
    }
    Err(TorchError::Device(match library {
        CudaLibrary::Absent(folder) => format!(
            "expected a libtorch with CUDA for `--device {name}`, found one without in {}; run with `--device cpu`, install a build of \
             `torch` with CUDA beside the wheel, or build the plugin against one (`LIBTORCH_USE_PYTORCH=1 cargo xtask torch`)",
            folder.display()
        ),
        CudaLibrary::Broken(reason) => format!(
            "expected libtorch's CUDA library for `--device {name}`, but the system cannot load it; run with `--device cpu`, or \
             reinstall libtorch with all its libraries: {reason}"
        ),
        CudaLibrary::Loaded if count == 0 => format!(
            "expected a CUDA device for `--device {name}`, found none; run with `--device cpu`, or check that `nvidia-smi` shows \
             one, that `CUDA_VISIBLE_DEVICES` does not hide it, and that the driver is as new as libtorch's CUDA"
        ),
        CudaLibrary::Loaded => format!("expected a CUDA device below {count}, found {number}"),
    }))
}

/// CUDA devices that libtorch sees.
fn devices() -> usize {
    let count = if Cuda::is_available() { Cuda::device_count() } else { 0 };
    usize::try_from(count).unwrap_or(0)
}

/// The device as [`device_of`] calls it.
pub fn device_name(device: Device) -> String {
    match device {
        Device::Cuda(number) => format!("cuda:{number}"),
        other => format!("{other:?}").to_lowercase(),
    }
}

/// The oldest GPUs that multiply in bf16, by what NVIDIA calls their compute capability.
const BF16_SINCE: [i32; 2] = [8, 0];

/// The number format called `dtype`, and its plain name; `auto` is the one that every device computes in.
///
/// # Errors
/// If the name is unknown, or the device only emulates the format, which takes more time than float32.
pub fn kind_of(dtype: &str, device: Device) -> Result<(Kind, &'static str), TorchError> {
    let (kind, name) = match dtype {
        "auto" | "" | "f32" => (Kind::Float, "f32"),
        "bf16" => (Kind::BFloat16, "bf16"),
        "f16" => (Kind::Half, "f16"),
        other => {
            return Err(TorchError::Device(format!(
                "expected a dtype among auto, f32, bf16, f16, found: {other}"
            )));
        }
    };
    match device {
        Device::Cuda(number) if name == "bf16" => known_to_compute(name, compute_capability(number))?,
        Device::Cpu if !computes(name) => {
            return Err(TorchError::Device(format!(
                "expected a dtype that this processor computes in, found: {name}, which it emulates more slowly than f32; run \
                 with `--dtype f32`, or on a GPU"
            )));
        }
        _ => {}
    }
    Ok((kind, name))
}

/// Refuses bf16 on a GPU that is too old for it; one that does not say how old it is is taken to compute in it.
fn known_to_compute(name: &str, capability: Option<[i32; 2]>) -> Result<(), TorchError> {
    let Some([major, minor]) = capability.filter(|capability| *capability < BF16_SINCE) else {
        return Ok(());
    };
    Err(TorchError::Device(format!(
        "expected a dtype that this GPU computes in, found: {name}, which it emulates more slowly than f32 (compute capability \
         {major}.{minor}, expected {}.{} or more); run with `--dtype f16` or `--dtype f32`",
        BF16_SINCE[0], BF16_SINCE[1]
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_device_computes_in_float32_and_a_gpu_that_says_nothing_in_every_format() {
        for name in ["auto", "", "f32"] {
            assert_eq!(kind_of(name, Device::Cpu).unwrap(), (Kind::Float, "f32"));
        }
        assert_eq!(kind_of("f16", Device::Cuda(0)).unwrap(), (Kind::Half, "f16"));
        assert_eq!(kind_of("bf16", Device::Cuda(0)).unwrap(), (Kind::BFloat16, "bf16"));
    }

    #[test]
    fn a_gpu_that_is_too_old_for_bf16_is_told_by_its_capability() {
        for computes in [Some([8, 0]), Some([8, 9]), Some([12, 1]), None] {
            assert!(known_to_compute("bf16", computes).is_ok(), "{computes:?}");
        }
        let refusal = known_to_compute("bf16", Some([7, 5])).unwrap_err().to_string();
        assert!(refusal.contains("compute capability 7.5, expected 8.0 or more"), "{refusal}");
    }

    #[test]
    fn what_a_processor_emulates_is_refused_with_what_to_do() {
        for (name, is_computed) in ["bf16", "f16"].map(|name| (name, computes(name))) {
            let found = kind_of(name, Device::Cpu).map(|(_, name)| name).map_err(|error| error.to_string());
            let refusal = format!(
                "expected a dtype that this processor computes in, found: {name}, which it emulates more slowly than f32; run \
                 with `--dtype f32`, or on a GPU"
            );
            assert_eq!(found, if is_computed { Ok(name) } else { Err(refusal) });
        }
    }
}
