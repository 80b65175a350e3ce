//! What computes, by the names that makers and drivers gave it, and the devices of graphics cards,
//! which are made before workers start: workers may neither make them nor start a program with more
//! rights.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Once;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use portable as system;

/// The name of this machine; `None` where the system does not say.
pub fn name() -> Option<String> {
    system::name()
}

/// The name of the processor; `None` where the system does not say.
pub fn processor() -> Option<String> {
    system::processor()
}

/// The graphics cards that NVIDIA's driver knows, in its order; `None` for one without a name.
pub fn graphics_cards() -> Vec<Option<String>> {
    system::graphics_cards()
}

/// The version of NVIDIA's driver, if there is one.
pub fn graphics_driver() -> Option<String> {
    system::graphics_driver()
}

/// The folder in which the system counts the energy of the processors (RAPL, as powercap shows it); `None` where it has none.
pub fn energy_counters() -> Option<&'static Path> {
    system::energy_counters()
}

/// Cores that this process may run on, whatever share of their time it is allowed; `None` where the system does not say.
pub fn allowed_cores() -> Option<usize> {
    system::allowed_cores()
}

/// Bytes that can still be taken of this machine's memory; `None` where the system does not say.
pub fn free_memory() -> Option<u64> {
    system::free_memory()
}

/// Whether this processor multiplies in the number format `f32`, `bf16` or `f16`; false for every other name. In a format
/// that it does not have, a library computes in float32 and rounds, which takes longer than float32 alone.
pub fn computes(format: &str) -> bool {
    match format {
        "f32" => true,
        "bf16" => computes_bf16(),
        "f16" => computes_f16(),
        _ => false,
    }
}

#[cfg(target_arch = "x86_64")]
fn computes_bf16() -> bool {
    is_x86_feature_detected!("avx512bf16")
}

#[cfg(target_arch = "x86_64")]
fn computes_f16() -> bool {
    is_x86_feature_detected!("avx512fp16")
}

/// Whether this processor has AVX-512 but is not of Intel: Intel's MKL keeps to AVX2 there, which has registers half as wide.
#[cfg(target_arch = "x86_64")]
pub fn has_avx512_that_mkl_leaves() -> bool {
    let is_of_intel = || {
        let maker = raw_cpuid::CpuId::new().get_vendor_info();
        maker.is_none_or(|maker| maker.as_str() == "GenuineIntel")
    };
    is_x86_feature_detected!("avx512f") && !is_of_intel()
}

/// Whether this processor has AVX-512 but is not of Intel: Intel's MKL keeps to AVX2 there, which has registers half as wide.
#[cfg(not(target_arch = "x86_64"))]
pub fn has_avx512_that_mkl_leaves() -> bool {
    false
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

/// Where NVIDIA's driver tells that it runs, and the device by which programs compute, which is made when it is first asked for.
const DRIVER: &str = "/proc/driver/nvidia/version";
const COMPUTES: &str = "/dev/nvidia-uvm";

/// The driver's program that loads what is missing and makes the devices, for every user.
const MAKES: [&str; 3] = ["nvidia-modprobe", "-u", "-c=0"];

/// Has the devices of NVIDIA's cards made, if there is a driver and they are missing, once.
pub fn prepare_graphics_cards() {
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

#[cfg(any(test, not(target_os = "linux")))]
mod portable {
    //! Other systems: no names.

    use std::path::Path;

    pub fn name() -> Option<String> {
        None
    }

    pub fn processor() -> Option<String> {
        None
    }

    pub fn graphics_cards() -> Vec<Option<String>> {
        Vec::new()
    }

    pub fn graphics_driver() -> Option<String> {
        None
    }

    pub fn allowed_cores() -> Option<usize> {
        None
    }

    pub fn energy_counters() -> Option<&'static Path> {
        None
    }

    pub fn free_memory() -> Option<u64> {
        None
    }
}

#[cfg(target_os = "linux")]
mod linux {
    //! Linux: what `/proc` says of the processor and of NVIDIA's driver, and the kernel of cores.

    use std::fs;
    use std::path::Path;

    pub fn name() -> Option<String> {
        let name = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
        Some(name.trim().to_owned()).filter(|name| !name.is_empty())
    }

    pub fn processor() -> Option<String> {
        of_key(&fs::read_to_string("/proc/cpuinfo").ok()?, "model name")
    }

    pub fn graphics_cards() -> Vec<Option<String>> {
        let cards = fs::read_dir("/proc/driver/nvidia/gpus").into_iter().flatten().flatten();
        let mut cards: Vec<_> = cards.map(|card| card.path().join("information")).collect();
        cards.sort();
        cards.iter().map(|card| of_key(&fs::read_to_string(card).ok()?, "Model")).collect()
    }

    pub fn graphics_driver() -> Option<String> {
        version(&fs::read_to_string("/proc/driver/nvidia/version").ok()?)
    }

    pub fn energy_counters() -> Option<&'static Path> {
        Some(Path::new("/sys/class/powercap"))
    }

    pub fn allowed_cores() -> Option<usize> {
        let cores = rustix::thread::sched_getaffinity(None).ok()?;
        Some(cores.count() as usize)
    }

    pub fn free_memory() -> Option<u64> {
        free(&fs::read_to_string("/proc/meminfo").ok()?)
    }

    /// What can be taken without ending others: memory that is free or only keeps files, and what may be paged out to.
    fn free(text: &str) -> Option<u64> {
        let kilobytes = |key: &str| of_key(text, key)?.strip_suffix(" kB")?.trim().parse::<u64>().ok();
        Some((kilobytes("MemAvailable")? + kilobytes("SwapFree").unwrap_or(0)) << 10)
    }

    /// The value of the first line `key: value`.
    fn of_key(text: &str, key: &str) -> Option<String> {
        let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
        pairs.find(|(found, _)| found.trim() == key).map(|(_, value)| value.trim().to_owned())
    }

    /// The first word that is numbers and full stops.
    fn version(text: &str) -> Option<String> {
        let is_version = |word: &&str| {
            word.contains('.') && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        };
        text.split_whitespace().find(is_version).map(str::to_owned)
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

        #[test]
        fn what_keeps_files_and_what_may_be_paged_out_to_is_free() {
            let text =
                "MemTotal:       24582240 kB\nMemFree:  1 kB\nMemAvailable:   1024 kB\nSwapFree:  512 kB\n";
            assert_eq!(free(text), Some(1536 << 10));
            assert_eq!(free(&text.replace("SwapFree", "Other")), Some(1 << 20));
            assert_eq!(free("MemTotal: 5 kB\n"), None);
        }

        #[test]
        fn the_version_of_the_driver_is_found_among_words() {
            let text =
                "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024\n";
            assert_eq!(version(text).as_deref(), Some("550.54.15"));
            assert_eq!(version("GCC version"), None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_says_nothing_has_no_names() {
        assert_eq!(
            [portable::name(), portable::processor(), portable::graphics_driver()],
            [None, None, None]
        );
        assert_eq!(portable::graphics_cards(), Vec::new());
        assert_eq!(portable::energy_counters(), None);
        assert_eq!((portable::allowed_cores(), portable::free_memory()), (None, None));
        assert!(free_memory().is_none_or(|bytes| bytes > 0));
        assert!(processor().is_none_or(|name| !name.is_empty()));
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        assert!(
            allowed_cores().is_none_or(|cores| cores >= threads),
            "a quota leaves no more than the cores"
        );
        assert!(graphics_driver().is_some() || graphics_cards().is_empty());
    }

    #[test]
    fn every_processor_computes_in_float32_and_none_in_what_has_no_name() {
        assert!(computes("f32"));
        assert!(!computes("auto") && !computes(""));
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn the_kernel_says_the_same_of_the_processor() {
        let said = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let says = |word: &str| said.split_whitespace().any(|found| found == word);
        for (format, flag) in [("bf16", "avx512_bf16"), ("f16", "avx512_fp16")] {
            assert_eq!(computes(format), says(flag), "{format}");
        }
        assert_eq!(has_avx512_that_mkl_leaves(), says("avx512f") && !says("GenuineIntel"));
    }
}
