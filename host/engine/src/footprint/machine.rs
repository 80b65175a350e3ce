//! What computes, by the name that its maker gave it.

use std::fs;

/// The name of the processor, or of the graphics card where `device` is one.
pub fn device_name(device: Option<&str>) -> Option<String> {
    match device {
        Some(device) if device.starts_with("cuda") => {
            let number = device.split_once(':').and_then(|(_, number)| number.parse().ok()).unwrap_or(0);
            graphics_card(number)
        }
        _ => of_key(&fs::read_to_string("/proc/cpuinfo").ok()?, "model name"),
    }
}

/// The card as its driver names it.
fn graphics_card(number: usize) -> Option<String> {
    let cards = fs::read_dir("/proc/driver/nvidia/gpus").ok()?.flatten();
    let mut cards: Vec<_> = cards.map(|card| card.path().join("information")).collect();
    cards.sort();
    of_key(&fs::read_to_string(cards.get(number)?).ok()?, "Model")
}

/// The value of the first line `key: value`.
fn of_key(text: &str, key: &str) -> Option<String> {
    let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs.find(|(found, _)| found.trim() == key).map(|(_, value)| value.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_behind_its_key() {
        let text = "processor\t: 0\nmodel name\t: Xeon(R) @ 2.0GHz: fast\nmodel name\t: other\n";
        assert_eq!(of_key(text, "model name").as_deref(), Some("Xeon(R) @ 2.0GHz: fast"));
        assert_eq!(of_key(text, "Model"), None);
    }
}
