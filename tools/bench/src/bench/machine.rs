//! The machine, as a table of times names it.

/// Processor model and number of cores that programs may use.
pub fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = field(&info, "model name").unwrap_or(std::env::consts::ARCH);
    let model = match (field(&info, "cpu family"), field(&info, "model")) {
        (Some(family), Some(model)) => format!(" (family {family}, model {model})"),
        _ => String::new(),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name}{model}, {cores} cores")
}

fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    info.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}
