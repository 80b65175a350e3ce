//! Judgements in TREC's form, `query 0 document grade`: their columns stand apart by a tab, or by any number of blanks and tabs.

use std::io::{self, Read};

/// How the columns of judgements stand apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrecColumns {
    /// By one tab: an id may hold blanks.
    Tabs,
    /// By blanks and tabs, as many as there are.
    Blanks,
}

/// How the columns of a file stand apart that begins with a judgement, as no header is; `None` if the `line` is none.
pub(crate) fn trec_columns(line: &[u8]) -> Option<TrecColumns> {
    let line = std::str::from_utf8(line).ok()?.trim_end_matches('\r');
    if is_judgement(line.split('\t')) {
        return Some(TrecColumns::Tabs);
    }
    is_judgement(line.split([' ', '\t']).filter(|cell| !cell.is_empty())).then_some(TrecColumns::Blanks)
}

fn is_judgement<'a>(cells: impl Iterator<Item = &'a str>) -> bool {
    let cells: Vec<&str> = cells.take(5).collect();
    let [query, iteration, document, grade] = cells[..] else { return false };
    let is_grade = grade.parse().is_ok_and(f64::is_finite);
    ["0", "Q0", "q0"].contains(&iteration) && is_grade && !query.is_empty() && !document.is_empty()
}

/// Makes one tab of the blanks and tabs between two cells, and nothing of those around a line.
#[derive(Debug, Default)]
pub(crate) struct OneTab {
    /// True if a cell of the line came already.
    is_within: bool,
    /// True if blanks came behind it.
    is_apart: bool,
}

impl OneTab {
    /// Reads from `input` into `buffer`; 0 at the end of it alone.
    pub(crate) fn read(&mut self, input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            // The tab that is owed from before needs a place, too.
            let Some(rest) = buffer.get_mut(1..).filter(|rest| !rest.is_empty()) else {
                return Err(io::Error::other("too small a buffer"));
            };
            let count = input.read(rest)?;
            if count == 0 {
                return Ok(0);
            }
            let written = self.shorten(buffer, count);
            if written > 0 {
                return Ok(written);
            }
        }
    }

    /// Moves the `count` bytes behind the first one of `buffer` to its begin, their blanks shortened.
    fn shorten(&mut self, buffer: &mut [u8], count: usize) -> usize {
        let mut written = 0;
        for at in 1..=count {
            let byte = buffer[at];
            match byte {
                b' ' | b'\t' => {
                    self.is_apart = self.is_within;
                    continue;
                }
                b'\n' | b'\r' => *self = Self::default(),
                _ => {
                    if std::mem::take(&mut self.is_apart) {
                        buffer[written] = b'\t';
                        written += 1;
                    }
                    self.is_within = true;
                }
            }
            buffer[written] = byte;
            written += 1;
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judgement_is_told_from_a_header() {
        let of = |line: &str| trec_columns(line.as_bytes());
        assert_eq!(of("q1\t0\tdok satu\t2\r"), Some(TrecColumns::Tabs));
        for line in ["q1 Q0 d1 1", "q1   0   d1  1 ", " q1 0\td1 \t-1\r", "q1 0 d1 1.5", "q1\t0\td1\t1 "] {
            assert_eq!(of(line), Some(TrecColumns::Blanks), "{line}");
        }
        for line in ["q1 0 d1 score", "q1 0 d1", "q1 0 d1 1 x", "q1 7 d1 1", "q1 0 d1 nan", "q1\t0\t\t1", ""]
        {
            assert_eq!(of(line), None, "{line}");
        }
    }

    #[test]
    fn blanks_become_one_tab_whatever_pieces_they_come_in() {
        let text = b"q1   0 \td1  1 \r\n  q2 0 d2 1\n\nq3 0 d3 1.5  ";
        for size in 2..40 {
            let (mut input, mut one_tab, mut found) = (&text[..], OneTab::default(), Vec::new());
            let mut buffer = vec![0; size];
            loop {
                let count = one_tab.read(&mut input, &mut buffer).unwrap();
                found.extend_from_slice(&buffer[..count]);
                if count == 0 {
                    break;
                }
            }
            assert_eq!(found, b"q1\t0\td1\t1\r\nq2\t0\td2\t1\n\nq3\t0\td3\t1.5", "{size}");
        }
    }
}
