//! What computes, by the name that its maker gave it.

use mteb_system::machine::{graphics_cards, processor};

/// The name of the processor, or of the graphics card where `device` is one.
pub fn device_name(device: Option<&str>) -> Option<String> {
    match device {
        Some(device) if device.starts_with("cuda") => {
            let number = device.split_once(':').and_then(|(_, number)| number.parse().ok()).unwrap_or(0);
            graphics_cards().into_iter().nth(number).flatten()
        }
        _ => processor(),
    }
}
