//! Who has made something on a disk that others share: a name from which another process, here or on another machine, sees whether its
//! maker can still be at work.

use std::fmt;
use std::sync::OnceLock;

use mteb_system::process;
use sha2::{Digest, Sha256};

use crate::digest::hex;

/// Digits that stand for a machine, and of the number that tells works of one process apart.
const DIGITS: usize = 16;

/// A process, and one of its works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The machine's boot and space of process numbers; zeros where the system does not say.
    machine: String,
    process: u32,
    began: u64,
    /// What no other work has.
    work: String,
}

impl Owner {
    /// This process; `work` is 16 letters and digits that chance has chosen.
    pub fn this(work: &str) -> Self {
        let process = std::process::id();
        let began = process::life(process).map_or(0, |life| life.began);
        Self { machine: machine().to_owned(), process, began, work: work.to_owned() }
    }

    /// The owner that a name tells; `None` if it is no such name.
    pub fn parse(name: &str) -> Option<Self> {
        let mut parts = name.split('-');
        let owner = Self {
            machine: parts.next()?.to_owned(),
            process: parts.next()?.parse().ok()?,
            began: parts.next()?.parse().ok()?,
            work: parts.next()?.to_owned(),
        };
        let is_short =
            |part: &str| part.len() == DIGITS && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_owner = parts.next().is_none() && is_short(&owner.machine) && is_short(&owner.work);
        (is_owner && owner.to_string() == name).then_some(owner)
    }

    /// The process, if it is one of this machine.
    pub fn process_here(&self) -> Option<u32> {
        (self.machine == machine() && self.machine != unknown()).then_some(self.process)
    }

    /// True if it is known that the process has ended; of one of another machine nobody here knows.
    pub fn is_gone(&self) -> bool {
        self.process_here().is_some_and(|process| process::is_gone(process, self.began))
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let Self { machine, process, began, work } = self;
        write!(formatter, "{machine}-{process}-{began}-{work}")
    }
}

fn machine() -> &'static str {
    static MACHINE: OnceLock<String> = OnceLock::new();
    MACHINE.get_or_init(|| match process::numbering() {
        Some(numbering) => hex(&Sha256::digest(numbering.as_bytes())[..DIGITS / 2]),
        None => unknown(),
    })
}

fn unknown() -> String {
    "0".repeat(DIGITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_whether_its_process_is_there() {
        let me = Owner::this("0123456789abcdEF");
        assert_eq!(Owner::parse(&me.to_string()), Some(me.clone()));
        assert!(!me.is_gone());
        let earlier = Owner { began: me.began + 1, ..me.clone() };
        assert_eq!(earlier.is_gone(), cfg!(target_os = "linux"));
        let elsewhere = Owner { machine: "0123456789abcdef".to_owned(), process: u32::MAX, ..me };
        assert!(!elsewhere.is_gone() && elsewhere.process_here().is_none(), "nobody here knows");
    }

    #[test]
    fn other_names_tell_nobody() {
        for name in [
            "",
            "a-b-c-d",
            "0123456789abcdef-1-2-0123456789abcdeF-x",
            "0123456789abcdef-+1-2-0123456789abcdeF",
        ] {
            assert_eq!(Owner::parse(name), None, "{name}");
        }
    }
}
