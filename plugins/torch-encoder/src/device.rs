//! The device of the computation.

use tch::{Cuda, Device};

use crate::error::TorchError;

/// The device called `name`: `auto`, `cpu`, `cuda` or `cuda:N`.
///
/// # Errors
/// If it cannot be had.
pub fn device_of(name: &str) -> Result<Device, TorchError> {
    let count = usize::try_from(Cuda::device_count()).unwrap_or(0);
    let cuda = Cuda::is_available() && count > 0;
    match name {
        "cpu" => return Ok(Device::Cpu),
        "auto" | "" => return Ok(if cuda { Device::Cuda(0) } else { Device::Cpu }),
        _ => {}
    }
    let number = match name {
        "cuda" => Some(0),
        other => other.strip_prefix("cuda:").and_then(|number| number.parse::<usize>().ok()),
    };
    let Some(number) = number else {
        return Err(TorchError::Device(format!(
            "expected a device among auto, cpu, cuda, cuda:N, found: {name}"
        )));
    };
    if !cuda {
        let message = "expected a CUDA device, found none; run with `--device cpu`, or, if there is one, build the \
                       plugin against a libtorch with CUDA (`LIBTORCH_USE_PYTORCH=1 cargo xtask torch`)";
        return Err(TorchError::Device(message.to_owned()));
    }
    if number >= count {
        return Err(TorchError::Device(format!("expected a CUDA device below {count}, found {number}")));
    }
    Ok(Device::Cuda(number))
}

/// The device as [`device_of`] calls it.
pub fn device_name(device: Device) -> String {
    match device {
        Device::Cuda(number) => format!("cuda:{number}"),
        other => format!("{other:?}").to_lowercase(),
    }
}
