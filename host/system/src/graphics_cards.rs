//! Makes the devices of graphics cards before workers start, which may neither make them nor start
//! a program with more rights.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Once;

/// Where NVIDIA's driver tells that it runs, and the device by which programs compute, which is made when it is first asked for.
const DRIVER: &str = "/proc/driver/nvidia/version";
const COMPUTES: &str = "/dev/nvidia-uvm";

/// The driver's program that loads what is missing and makes the devices, for every user.
const MAKES: [&str; 3] = ["nvidia-modprobe", "-u", "-c=0"];

/// Has the devices of NVIDIA's cards made, if there is a driver and they are missing, once.
pub fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if Path::new(DRIVER).exists() && !Path::new(COMPUTES).exists() {
            let mut command = Command::new(MAKES[0]);
            command.args(&MAKES[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            // Without it the worker finds no card, and says so.
            let _ = command.status();
        }
    });
}
