//! What a check found, one line each, and the answer as a page of tables.

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

/// Words of what a check found, read from its JSON.
fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// Two tables: speed, ratios first, and everything that was looked at.
pub fn markdown(report: &Value) -> String {
    let findings = report["findings"].as_array().map_or(&[][..], Vec::as_slice);
    let of = |part: &'static str| findings.iter().filter(move |finding| finding["part"] == part);
    let mut page = format!("{}\n\n", about(report));
    if of("throughput").any(|finding| finding["figures"].is_object()) {
        page += "| shape, texts, number format | times as fast | mteb-host, texts/s (lowest – highest) | sentence-transformers, texts/s (lowest – highest) | its batch | device busy |\n\
                 |---|---:|---:|---:|---:|---:|\n";
        page.extend(of("throughput").filter(|finding| finding["figures"].is_object()).map(speed_row));
        page.push('\n');
    }
    page += "| part | looked at | expected | found | |\n|---|---|---|---|---|\n";
    for finding in
        findings.iter().filter(|finding| finding["part"] != "throughput" || !finding["figures"].is_object())
    {
        let cells = ["part", "what", "expected", "found", "verdict"];
        let cells = cells.map(|key| text(finding, key).replace('|', "\\|").replace('\n', " "));
        page += &format!("| {} |\n", cells.join(" | "));
    }
    page
}

/// Machine, versions and time, in one line.
fn about(report: &Value) -> String {
    let machine = &report["machine"];
    let versions = &machine["versions"];
    let version = |name: &str| versions[name].as_str().unwrap_or("none").to_owned();
    let device = machine["devices"][0]["name"].as_str().filter(|_| report["device"] != "cpu");
    let rehearsed = if device.is_some() {
        ""
    } else {
        " Rehearsed on the processor with small shapes: nothing of this was run on a GPU."
    };
    format!(
        "Device: {}; {}. PyTorch {} (CUDA {}), transformers {}, sentence-transformers {}. {:.0} s.{rehearsed}",
        device.unwrap_or("the processor"),
        text(report, "processor"),
        version("torch"),
        machine["cuda"].as_str().unwrap_or("none"),
        version("transformers"),
        version("sentence-transformers"),
        report["seconds"].as_f64().unwrap_or(0.0),
    )
}

fn speed_row(finding: &Value) -> String {
    let figures = &finding["figures"];
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let side = |name: &str| {
        let [low, high] = [0, 1].map(|end| number(&figures["spread"][name][end]));
        format!("{:.0} ({low:.0} – {high:.0})", number(&figures[name]))
    };
    let busy = figures["busy"].as_f64().map_or_else(String::new, |busy| format!("{:.0} %", 100.0 * busy));
    format!(
        "| {} | {:.1} | {} | {} | {} | {busy} |\n",
        text(finding, "what"),
        number(&figures["ratio"]),
        side("mteb-host"),
        side("sentence-transformers"),
        figures["batch"],
    )
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

    #[test]
    fn ratios_come_first_and_what_was_not_reached_is_said() {
        let report = json!({
            "device": "cuda:0", "processor": "P, 16 cores", "seconds": 471.2,
            "machine": {"cuda": "13.0", "devices": [{"name": "G"}], "versions": {"torch": "2.11.0"}},
            "findings": [
                {"part": "throughput", "what": "MiniLM", "figures": {"ratio": 2.5, "mteb-host": 250.0, "sentence-transformers": 100.0,
                 "spread": {"mteb-host": [240.0, 260.0], "sentence-transformers": [99.0, 101.0]}, "batch": 32, "busy": 0.87}},
                {"part": "throughput", "what": "Qwen3-4B", "expected": "to be looked at", "found": "the time was over",
                 "figures": null, "verdict": "not reached"},
            ],
        });
        let page = markdown(&report);
        assert!(page.starts_with("Device: G; P, 16 cores. PyTorch 2.11.0 (CUDA 13.0)"), "{page}");
        assert!(page.contains("| MiniLM | 2.5 | 250 (240 – 260) | 100 (99 – 101) | 32 | 87 % |"), "{page}");
        assert!(
            page.contains("| throughput | Qwen3-4B | to be looked at | the time was over | not reached |"),
            "{page}"
        );
        assert!(!page.contains("Rehearsed"), "{page}");
        let rehearsal = json!({"device": "cpu", "machine": {"devices": [{"name": "G"}]}});
        assert!(markdown(&rehearsal).contains("nothing of this was run on a GPU"));
    }
}
