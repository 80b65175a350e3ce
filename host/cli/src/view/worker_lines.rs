//! How fast each worker of a model encodes, in words.

use mteb_models::encode::WorkerSpeed;

/// What workers are called: by their devices, or by their numbers where a device has several.
pub fn worker_names(workers: &[WorkerSpeed]) -> Vec<String> {
    let is_shared = |device: &str| workers.iter().filter(|worker| worker.device == device).count() > 1;
    let name = |(number, worker): (usize, &WorkerSpeed)| {
        if is_shared(&worker.device) { format!("worker {}", number + 1) } else { worker.device.clone() }
    };
    workers.iter().enumerate().map(name).collect()
}

/// Texts a second of each worker while it was busy, of several: `cuda:0 512/s, cuda:1 498/s`.
pub fn speeds_in_short(workers: &[WorkerSpeed]) -> Option<String> {
    let [_, _, ..] = workers else { return None };
    let speed = |(name, worker): (String, &WorkerSpeed)| format!("{name} {}", a_second(worker));
    let all: Vec<String> = worker_names(workers).into_iter().zip(workers).map(speed).collect();
    Some(all.join(", "))
}

/// What several workers have encoded in a whole run.
pub fn workers_line(workers: &[WorkerSpeed]) -> Option<String> {
    let [_, _, ..] = workers else { return None };
    let one =
        |(name, worker): (String, &WorkerSpeed)| format!("{name} {} ({})", worker.texts, a_second(worker));
    let all: Vec<String> = worker_names(workers).into_iter().zip(workers).map(one).collect();
    Some(format!("Texts by worker: {}", all.join(", ")))
}

fn a_second(worker: &WorkerSpeed) -> String {
    worker.texts_per_second().map_or_else(|| "–".to_owned(), |speed| format!("{speed:.0}/s"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn worker(device: &str, texts: u64) -> WorkerSpeed {
        WorkerSpeed { device: device.to_owned(), texts, busy: Duration::from_secs(u64::from(texts > 0)) }
    }

    #[test]
    fn several_workers_are_told_apart_and_one_is_not_told() {
        assert_eq!((speeds_in_short(&[worker("cpu", 9)]), workers_line(&[])), (None, None));
        let cards = [worker("cuda:0", 512), worker("cuda:1", 0)];
        assert_eq!(speeds_in_short(&cards).as_deref(), Some("cuda:0 512/s, cuda:1 –"));
        let shared = [worker("cpu", 30), worker("cpu", 20)];
        assert_eq!(
            workers_line(&shared).as_deref(),
            Some("Texts by worker: worker 1 30 (30/s), worker 2 20 (20/s)")
        );
    }
}
