//! How a worker died, in words, and whether memory was the cause.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use mteb_base::byte_size::ByteSize;

/// What programs print whose request for memory was refused: Rust's, and those in C++.
const REFUSED_MEMORY: [&str; 3] = ["memory allocation of ", "std::bad_alloc", "can't allocate memory"];

/// The end of a worker that the host did not end.
#[derive(Debug, PartialEq, Eq)]
pub struct Death {
    /// How it ended.
    pub how: String,
    /// True if a smaller batch may work: memory ran out, or the system killed it, as it does then.
    pub is_memory: bool,
}

impl Death {
    /// From the state of the process, the last lines that it printed, and the limit of its memory.
    pub fn of(status: ExitStatus, last_words: &str, limit: Option<ByteSize>) -> Self {
        let refused = !status.success() && REFUSED_MEMORY.iter().any(|refusal| last_words.contains(refusal));
        let cause = if refused { "ran out of memory and " } else { "" };
        let how = format!("{cause}{}{}", describe(status), left(limit));
        Self { how, is_memory: refused || status.signal() == Some(9) }
    }
}

/// Says what memory a limit leaves to a worker.
pub fn left(limit: Option<ByteSize>) -> String {
    limit.map(|limit| format!("; `--worker-memory` leaves it {limit}")).unwrap_or_default()
}

fn describe(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("was killed by signal {signal}{}", signal_name(signal)),
        (None, Some(code)) => format!("ended with exit code {code}"),
        (None, None) => "ended".to_owned(),
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        7 => " (bus error)",
        8 => " (arithmetic error)",
        9 => " (kill; the system does this when memory runs out)",
        11 => " (segmentation fault)",
        15 => " (termination)",
        24 => " (limit of processor time)",
        25 => " (limit of file sizes)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn died(signal: i32, last_words: &str) -> Death {
        Death::of(ExitStatus::from_raw(signal), last_words, None)
    }

    #[test]
    fn memory_is_the_cause_of_a_kill_and_of_a_refused_request() {
        assert!(died(9, "").is_memory);
        assert!(!died(11, "").is_memory);
        assert!(!died(6, "assertion failed").is_memory);
        let refused = died(6, "memory allocation of 4096 bytes failed");
        assert!(refused.is_memory);
        assert_eq!(refused.how, "ran out of memory and was killed by signal 6 (abort)");
    }

    #[test]
    fn a_limit_is_named() {
        let death = Death::of(ExitStatus::from_raw(7 << 8), "", Some(ByteSize(1 << 30)));
        assert_eq!(death.how, "ended with exit code 7; `--worker-memory` leaves it 1.0 GB");
    }
}
