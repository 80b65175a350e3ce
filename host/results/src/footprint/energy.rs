//! Energy of the processors, where the kernel counts it and lets this user read it (RAPL, through powercap).

use std::fs;
use std::path::{Path, PathBuf};

use mteb_system::machine::energy_counters;

/// The counters of all processor packages since a moment.
#[derive(Clone, Debug)]
pub struct Energy(Vec<Counter>);

#[derive(Clone, Debug)]
struct Counter {
    path: PathBuf,
    /// Microjoules at that moment, and where the counter begins anew.
    start: u64,
    range: u64,
}

impl Energy {
    /// From now on.
    pub fn from_now() -> Self {
        energy_counters().map_or_else(|| Self(Vec::new()), Self::of)
    }

    fn of(zones: &Path) -> Self {
        let zones = fs::read_dir(zones).into_iter().flatten().flatten().map(|entry| entry.path());
        // `intel-rapl:0` is a package, `intel-rapl:0:1` a part of it.
        let is_package = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.strip_prefix("intel-rapl:")
                .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let counter = |zone: PathBuf| {
            let path = zone.join("energy_uj");
            Some(Counter { start: number(&path)?, range: number(&zone.join("max_energy_range_uj"))?, path })
        };
        Self(zones.filter(is_package).filter_map(counter).collect())
    }

    /// Joules since that moment, of the whole machine; `None` where nothing is counted.
    pub fn joules(&self) -> Option<f64> {
        let spent = self.0.iter().map(|counter| {
            let now = number(&counter.path)?;
            Some(if now >= counter.start { now - counter.start } else { counter.range - counter.start + now })
        });
        let spent: Vec<u64> = spent.collect::<Option<_>>()?;
        (!spent.is_empty()).then(|| spent.iter().sum::<u64>() as f64 / 1e6)
    }
}

fn number(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(zone: &Path, microjoules: u64) {
        fs::create_dir_all(zone).unwrap();
        fs::write(zone.join("max_energy_range_uj"), "1000000\n").unwrap();
        fs::write(zone.join("energy_uj"), format!("{microjoules}\n")).unwrap();
    }

    #[test]
    fn packages_are_added_and_counters_that_begin_anew_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let zones = ["intel-rapl:0", "intel-rapl:1", "intel-rapl:0:0"].map(|name| folder.path().join(name));
        zones.iter().for_each(|zone| write(zone, 900_000));
        let energy = Energy::of(folder.path());
        write(&zones[0], 950_000);
        write(&zones[1], 100_000);
        write(&zones[2], 999_999);
        assert_eq!(energy.joules(), Some(0.25));
    }

    #[test]
    fn a_machine_that_counts_no_energy_has_none() {
        assert_eq!(Energy::of(Path::new("/nowhere")).joules(), None);
    }
}
