//! The table of the benchmark of encoding: ratios first, then texts a second.

use std::collections::BTreeMap;

use crate::bench::rounds::{RATIOS, ratio, spread};
use xtask::document::machine;

/// Who encodes, in which number format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// mteb-host.
    Ours(&'static str),
    /// sentence-transformers.
    Library(&'static str),
    /// onnxruntime, in float32.
    Onnx,
}

/// What the sides took for some texts.
pub struct Measured {
    name: String,
    texts: usize,
    /// Seconds by the clock and of the processor, round by round.
    runs: BTreeMap<Side, Vec<[f64; 2]>>,
}

impl Measured {
    /// Nothing measured yet.
    pub fn new(name: String, texts: usize) -> Self {
        Self { name, texts, runs: BTreeMap::new() }
    }

    /// Notes one run.
    pub fn add(&mut self, side: Side, seconds: [f64; 2]) {
        self.runs.entry(side).or_default().push(seconds);
    }

    fn seconds(&self, side: Side, which: usize) -> impl Iterator<Item = f64> {
        self.runs.get(&side).into_iter().flatten().map(move |seconds| seconds[which])
    }

    fn ratio(&self, theirs: Side, ours: Side, which: usize) -> String {
        ratio(self.seconds(theirs, which), self.seconds(ours, which), 1)
    }

    /// Texts a second by the clock.
    fn rate(&self, side: Side) -> String {
        spread(self.seconds(side, 0).map(|seconds| self.texts as f64 / seconds), 0)
    }
}

/// The table with the machine it was made on, and how far rows are from each other.
pub fn markdown(measured: &[Measured], formats: &[&'static str], threads: &str, drift: &[String]) -> String {
    let mut text = format!(
        "Machine: {}; threads a side: {threads}. {RATIOS} Texts a second likewise.\n\n\
         | texts | number format | time: sentence-transformers | sentence-transformers in f32 | onnxruntime in f32 | processor time: sentence-transformers \
         | mteb-host, texts/s | sentence-transformers | onnxruntime in f32 |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|\n",
        machine()
    );
    for measured in measured {
        for &format in formats {
            let (ours, theirs) = (Side::Ours(format), Side::Library(format));
            let cells = [
                measured.ratio(theirs, ours, 0),
                measured.ratio(Side::Library("f32"), ours, 0),
                measured.ratio(Side::Onnx, ours, 0),
                measured.ratio(theirs, ours, 1),
                measured.rate(ours),
                measured.rate(theirs),
                measured.rate(Side::Onnx),
            ];
            text += &format!("| {} | {format} | {} |\n", measured.name, cells.join(" | "));
        }
    }
    text +=
        "\nRows beside those of sentence-transformers in float32 (`reference` are the other sides' own):\n\n";
    text.extend(drift.iter().map(|line| format!("- {line}\n")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_stand_first_and_a_side_that_did_not_run_is_left_empty() {
        let mut measured = Measured::new("20 texts".to_owned(), 20);
        for (ours, theirs) in [(2.0, 4.0), (1.0, 4.0), (2.0, 6.0)] {
            measured.add(Side::Ours("f32"), [ours, 2.0 * ours]);
            measured.add(Side::Library("f32"), [theirs, theirs]);
        }
        let text = markdown(&[measured], &["f32"], "2", &["a: cosine 1".to_owned()]);
        let row = "| 20 texts | f32 | 3.0 (2.0 to 4.0) | 3.0 (2.0 to 4.0) |  | 1.5 (1.0 to 2.0) | 10 (10 to 20) | 5 (3 to 5) |  |\n";
        assert!(text.contains(row), "{text}");
        assert!(text.starts_with("Machine: ") && text.ends_with("- a: cosine 1\n"), "{text}");
    }
}
