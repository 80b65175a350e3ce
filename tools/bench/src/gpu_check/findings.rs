//! What a check found, one line each.

use std::fmt;

use serde_json::{Value, json};

/// What became of one thing that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As it must be.
    Passed,
    /// Not as it must be.
    Failed,
    /// Right, but slower or larger than the aim.
    Missed,
    /// The time was over before it was looked at.
    NotReached,
    /// Makes no sense on this device.
    LeftOut,
}

impl Verdict {
    /// Passed or failed.
    pub fn of(holds: bool) -> Self {
        if holds { Self::Passed } else { Self::Failed }
    }

    /// Passed, or an aim that was missed.
    pub fn of_aim(holds: bool) -> Self {
        if holds { Self::Passed } else { Self::Missed }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "FAILED",
            Self::Missed => "aim missed",
            Self::NotReached => "not reached",
            Self::LeftOut => "left out",
        }
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Part of the check.
    pub part: &'static str,
    /// What was looked at.
    pub what: String,
    /// What must or should be.
    pub expected: String,
    /// What was found, in words.
    pub found: String,
    /// The numbers behind it.
    pub figures: Value,
    /// What became of it.
    pub verdict: Verdict,
}

/// Why a part has no finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GpuFault {
    /// The whole check's time is over.
    TimeIsOver,
    /// Something else, in one line.
    Failed(String),
}

impl fmt::Display for GpuFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimeIsOver => f.write_str("the time was over"),
            Self::Failed(message) => f.write_str(message),
        }
    }
}

impl From<String> for GpuFault {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

/// All that was found.
#[derive(Debug, Default)]
pub struct Findings(pub Vec<Finding>);

impl Findings {
    /// Adds a finding, and shows it while the check goes on.
    pub fn add(
        &mut self,
        part: &'static str,
        what: impl Into<String>,
        (expected, found): (impl Into<String>, impl Into<String>),
        figures: Value,
        verdict: Verdict,
    ) {
        let (what, expected, found) = (what.into(), expected.into(), found.into());
        eprintln!("{}: {part}, {what}: {found}", verdict.word());
        self.0.push(Finding { part, what, expected, found, figures, verdict });
    }

    /// Adds what is left where a part could not be looked at.
    pub fn add_fault(&mut self, part: &'static str, what: &str, fault: GpuFault) {
        let verdict = match fault {
            GpuFault::TimeIsOver => Verdict::NotReached,
            GpuFault::Failed(_) => Verdict::Failed,
        };
        self.add(part, what, ("to be looked at", fault.to_string()), Value::Null, verdict);
    }

    /// How many have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.0.iter().filter(|finding| finding.verdict == verdict).count()
    }

    /// True if something was looked at, and nothing failed.
    pub fn hold(&self) -> bool {
        let is_seen = |finding: &Finding| matches!(finding.verdict, Verdict::Passed | Verdict::Missed);
        self.count(Verdict::Failed) == 0 && self.0.iter().any(is_seen)
    }

    /// Everything as JSON.
    pub fn json(&self) -> Vec<Value> {
        let one = |finding: &Finding| {
            json!({
                "part": finding.part, "what": finding.what, "expected": finding.expected, "found": finding.found,
                "figures": finding.figures, "verdict": finding.verdict.word(),
            })
        };
        self.0.iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_that_looked_at_nothing_does_not_hold() {
        let mut findings = Findings::default();
        findings.add_fault("memory", "as a whole", GpuFault::TimeIsOver);
        assert!(!findings.hold());
        findings.add("start", "first row", ("soon", "late"), Value::Null, Verdict::Missed);
        assert!(findings.hold());
        findings.add_fault("equality", "as a whole", "no model".to_owned().into());
        assert!(!findings.hold());
        assert_eq!(findings.0[2].found, "no model");
    }
}
