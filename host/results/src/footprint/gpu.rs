//! Memory and energy of a graphics card, where its driver tells them (NVML, a library of the driver that is loaded if it is there).

use std::ffi::OsStr;
use std::path::Path;
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

/// The cards on which the workers of a model compute, each once, since a moment.
#[derive(Clone, Debug, Default)]
pub struct Gpus(Vec<Gpu>);

impl Gpus {
    /// The cards of these devices, from now on.
    pub fn from_now<'a>(devices: impl Iterator<Item = &'a str>) -> Self {
        let mut gpus: Vec<Gpu> = Vec::new();
        for gpu in devices.map(|device| Gpu::from_now(Some(device))) {
            if gpu.card.is_some() && gpus.iter().all(|found| found.card != gpu.card) {
                gpus.push(gpu);
            }
        }
        Self(gpus)
    }

    /// Bytes on all cards, as [`Gpu::memory`] has them of one; `None` if there is no card, or one does not tell.
    pub fn memory(&self, processes: &[u32]) -> Option<u64> {
        self.sum(|gpu| gpu.memory(processes))
    }

    /// Joules since that moment, of all cards.
    pub fn joules(&self) -> Option<f64> {
        self.sum(Gpu::joules)
    }

    fn sum<T: std::iter::Sum>(&self, of: impl Fn(&Gpu) -> Option<T>) -> Option<T> {
        (!self.0.is_empty()).then(|| self.0.iter().map(of).sum())?
    }
}

/// The number of cards that a program sees here: none where the system has none, and `None` where nobody can tell.
pub fn count_of_cards() -> Option<usize> {
    let visible = std::env::var("CUDA_VISIBLE_DEVICES").ok();
    let found = driver().and_then(|driver| driver.device_count().ok()).map(|count| count as usize);
    let found = found.or_else(|| {
        let listed = mteb_system::machine::graphics_cards().len();
        let is_hidden = ["/dev/kfd", "/dev/dxg", "/dev/nvidia0"].iter().any(|path| Path::new(path).exists());
        (listed > 0 || !is_hidden).then_some(listed)
    })?;
    Some(visible.map_or(found, |visible| found.min(count_listed(&visible))))
}

/// How many cards a list of visible ones has; what follows a negative number is not seen.
fn count_listed(visible: &str) -> usize {
    let names = visible.split(',').map(str::trim);
    names.take_while(|name| !name.is_empty() && !name.starts_with('-')).count()
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

    /// Bytes on the card: those of `processes` where the driver tells them apart, else of all that runs there. What a worker has
    /// reserved once it keeps, so that a look at its end shows its peak.
    pub fn memory(&self, processes: &[u32]) -> Option<u64> {
        self.ask(|device| {
            let own = device.running_compute_processes().unwrap_or_default();
            let own = own.into_iter().filter(|found| processes.contains(&found.pid));
            let used: Option<Vec<u64>> = own
                .map(|found| match found.used_gpu_memory {
                    UsedGpuMemory::Used(bytes) => Some(bytes),
                    UsedGpuMemory::Unavailable => None,
                })
                .collect();
            match used.filter(|used| !used.is_empty()) {
                Some(used) => Some(used.iter().sum()),
                None => device.memory_info().ok().map(|memory| memory.used),
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
    fn cards_are_counted_as_their_list_shows_them() {
        assert_eq!(["0,1", "GPU-8932, 3 ,7", "1,-1,2", "-1", ""].map(count_listed), [2, 3, 1, 0, 0]);
    }

    #[test]
    fn workers_on_one_card_count_it_once() {
        let cards = Gpus::from_now(["cuda:0", "cuda:1", "cuda:0", "cpu"].into_iter());
        assert_eq!(cards.0.len(), 2);
        let none = Gpus::from_now(["cpu"].into_iter());
        assert_eq!((none.memory(&[]), none.joules()), (None, None));
    }

    #[test]
    fn a_processor_has_neither() {
        let none = Gpu::from_now(Some("cpu"));
        assert_eq!((none.memory(&[]), none.joules()), (None, None));
    }

    #[test]
    fn a_card_tells_its_memory_and_its_energy() {
        let gpu = Gpu::from_now(Some("cuda"));
        let Some(memory) = gpu.memory(&[]) else {
            return mteb_host_tests::skip("there is no graphics card");
        };
        assert!(memory > 1 << 20, "{memory} bytes");
        std::thread::sleep(std::time::Duration::from_millis(300));
        if gpu.start.is_some() {
            assert!(gpu.joules().unwrap() > 0.0);
        }
    }
}
