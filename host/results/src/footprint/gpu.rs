//! Memory and energy of a graphics card, where its driver tells them (NVML, a library of the driver that is loaded if it is there).

use std::ffi::OsStr;
use std::sync::OnceLock;

use nvml_wrapper::enums::device::UsedGpuMemory;
use nvml_wrapper::{Device, Nvml};

/// The library as a driver installs it; the name without a number comes with development files alone.
const LIBRARY: &str = "libnvidia-ml.so.1";

/// The card on which a model computes, since a moment.
#[derive(Clone, Debug, Default)]
pub struct Gpu {
    card: Option<Card>,
    /// Millijoules at that moment.
    start: Option<u64>,
}

/// How the driver finds a card.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Card {
    Number(u32),
    Name(String),
}

impl Gpu {
    /// The card of a device such as `cuda:1`, from now on; none for another device.
    pub fn from_now(device: Option<&str>) -> Self {
        let visible = std::env::var("CUDA_VISIBLE_DEVICES").ok();
        let card = device.and_then(|device| card(device, visible.as_deref()));
        let mut gpu = Self { card, start: None };
        gpu.start = gpu.ask(|device| device.total_energy_consumption().ok());
        gpu
    }

    /// Bytes on the card: those of `process` where the driver tells them apart, else of all that runs there. What a worker has
    /// reserved once it keeps, so that a look at its end shows its peak.
    pub fn memory(&self, process: Option<u32>) -> Option<u64> {
        self.ask(|device| {
            let own = device.running_compute_processes().unwrap_or_default();
            let own = own.into_iter().find(|found| Some(found.pid) == process);
            match own.map(|found| found.used_gpu_memory) {
                Some(UsedGpuMemory::Used(bytes)) => Some(bytes),
                _ => device.memory_info().ok().map(|memory| memory.used),
            }
        })
    }

    /// Joules since that moment, of the whole card.
    pub fn joules(&self) -> Option<f64> {
        let now = self.ask(|device| device.total_energy_consumption().ok())?;
        Some(now.checked_sub(self.start?)? as f64 / 1000.0)
    }

    fn ask<T>(&self, question: impl FnOnce(&Device<'_>) -> Option<T>) -> Option<T> {
        let driver = driver()?;
        let device = match self.card.as_ref()? {
            Card::Number(number) => driver.device_by_index(*number),
            Card::Name(name) => driver.device_by_uuid(name.as_str()),
        };
        question(&device.ok()?)
    }
}

/// The driver's library, loaded once, when a card is first asked for.
fn driver() -> Option<&'static Nvml> {
    static DRIVER: OnceLock<Option<Nvml>> = OnceLock::new();
    DRIVER.get_or_init(|| Nvml::builder().lib_path(OsStr::new(LIBRARY)).init().ok()).as_ref()
}

/// The card that a program sees as `device`, of those that are `visible` (`CUDA_VISIBLE_DEVICES`: numbers or names).
fn card(device: &str, visible: Option<&str>) -> Option<Card> {
    let number = match device.strip_prefix("cuda")? {
        "" => 0,
        rest => rest.strip_prefix(':')?.parse().ok()?,
    };
    let Some(visible) = visible.filter(|visible| !visible.trim().is_empty()) else {
        return Some(Card::Number(number));
    };
    let named = visible.split(',').map(str::trim).nth(number as usize)?;
    Some(named.parse().map_or_else(|_| Card::Name(named.to_owned()), Card::Number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_the_card_that_its_program_sees() {
        let names = Some("GPU-8932, 3");
        assert_eq!(card("cuda", None), Some(Card::Number(0)));
        assert_eq!(card("cuda:2", None), Some(Card::Number(2)));
        assert_eq!(card("cuda:1", names), Some(Card::Number(3)));
        assert_eq!(card("cuda:0", names), Some(Card::Name("GPU-8932".to_owned())));
        assert_eq!(card("cuda:2", names), None);
        assert_eq!(card("cpu", None), None);
    }

    #[test]
    fn a_processor_has_neither() {
        let none = Gpu::from_now(Some("cpu"));
        assert_eq!((none.memory(None), none.joules()), (None, None));
    }

    #[test]
    fn a_card_tells_its_memory_and_its_energy() {
        let gpu = Gpu::from_now(Some("cuda"));
        let Some(memory) = gpu.memory(None) else {
            return mteb_host_tests::skip("there is no graphics card");
        };
        assert!(memory > 1 << 20, "{memory} bytes");
        std::thread::sleep(std::time::Duration::from_millis(300));
        if gpu.start.is_some() {
            assert!(gpu.joules().unwrap() > 0.0);
        }
    }
}
