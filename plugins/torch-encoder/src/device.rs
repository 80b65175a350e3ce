//! The device of the computation.

use tch::{Cuda, Device};

use crate::cuda_library::{CudaLibrary, has_driver, load};
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
