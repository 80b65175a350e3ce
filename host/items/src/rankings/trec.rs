//! TREC run files: `query Q0 document rank score tag`, one line per document.

use std::io::{self, BufWriter, Write};

use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};

use super::escape::escape;
use super::ranked::Builder;
use super::{Ranked, Rankings, RankingsError};

/// The last column of files that were written here, in which ids are escaped.
const TAG: &str = "mteb-host";

/// Writes `rankings`, packed by gzip, best documents first; `facts` says what they were made from, and stands in the head of
/// the gzip stream, where readers of run files do not look.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_trec(rankings: &Rankings, facts: &str, out: impl Write) -> io::Result<()> {
    // What a head cannot hold would end it.
    let facts = facts.replace('\0', "");
    let packed = GzBuilder::new().mtime(0).comment(facts).write(out, Compression::new(4));
    let mut packed = BufWriter::with_capacity(1 << 18, packed);
    let (mut query, mut line) = (String::new(), String::new());
    for (id, found) in rankings.queries.iter().zip(&rankings.found) {
        query.clear();
        escape(id, &mut query);
        for (rank, ranked) in (1usize..).zip(best_first(rankings, found)) {
            line.clear();
            line.push_str(&query);
            line.push_str(" Q0 ");
            escape(&rankings.documents[ranked.document as usize], &mut line);
            writeln!(packed, "{line} {rank} {:?} {TAG}", ranked.score)?;
        }
    }
    packed.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
    Ok(())
}

/// What the head of a packed run file says that it was made from; `None` if it says nothing, or is no such file.
pub fn read_facts(packed: &[u8]) -> Option<String> {
    let decoder = GzDecoder::new(packed);
    let comment = decoder.header()?.comment()?;
    String::from_utf8(comment.to_vec()).ok()
}

/// Reads a run file; scores decide, ranks do not, as trec_eval has it.
pub(crate) fn read(source: &str, text: &str) -> Result<Rankings, RankingsError> {
    let is_own = text.lines().next().is_some_and(|line| line.split_ascii_whitespace().nth(5) == Some(TAG));
    let mut builder = Builder::new(source, is_own);
    for (number, line) in (1u32..).zip(text.lines()) {
        let mut columns = line.split_ascii_whitespace();
        let mut next = || columns.next();
        let found = [next(), next(), next(), next(), next(), next(), next()];
        let [Some(query), Some(_), Some(document), Some(_), Some(score), Some(_), None] = found else {
            if found[0].is_none() {
                continue;
            }
            let expected = "the six columns `query Q0 document rank score tag`";
            return Err(fault(source, number, expected, line));
        };
        let score = match score.parse::<f64>() {
            Ok(found) if found.is_finite() => found,
            _ => return Err(fault(source, number, "a finite number as score", score)),
        };
        let place = builder.query(query);
        builder.found(place, document, score, number);
    }
    builder.finish()
}

fn fault(source: &str, line: u32, expected: &str, found: &str) -> RankingsError {
    let found: String = found.chars().take(80).collect();
    RankingsError::Fault { place: format!("{source}, line {line}"), expected: expected.to_owned(), found }
}

/// By score, then id, both descending: the order of ranks (protocol 7).
pub(crate) fn best_first(rankings: &Rankings, found: &[Ranked]) -> Vec<Ranked> {
    let mut sorted = found.to_vec();
    let id = |ranked: &Ranked| &rankings.documents[ranked.document as usize];
    sorted.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| id(b).cmp(id(a))));
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        read("run.trec", text).unwrap_err().to_string()
    }

    /// Two queries, whose ids and documents have blanks.
    fn rankings() -> Rankings {
        let ranked = |document, score| Ranked { document, score, line: 0 };
        Rankings {
            queries: vec!["q 1".to_owned(), "q%20".to_owned()],
            found: vec![vec![ranked(0, 0.1), ranked(1, 2.5), ranked(2, 0.1)], vec![ranked(2, -1e-7)]],
            documents: ["a b", "", "c"].into_iter().collect(),
            ..Rankings::default()
        }
    }

    fn unpacked(packed: &[u8]) -> String {
        let mut text = String::new();
        io::Read::read_to_string(&mut GzDecoder::new(packed), &mut text).unwrap();
        text
    }

    #[test]
    fn a_run_file_has_the_best_first_and_ids_without_blanks() {
        let mut packed = Vec::new();
        write_trec(&rankings(), "{\"model\": \"m\"}", &mut packed).unwrap();
        assert_eq!(
            unpacked(&packed),
            "q%201 Q0 % 1 2.5 mteb-host\nq%201 Q0 c 2 0.1 mteb-host\nq%201 Q0 a%20b 3 0.1 mteb-host\n\
             q%2520 Q0 c 1 -1e-7 mteb-host\n"
        );
        assert_eq!(read_facts(&packed).as_deref(), Some("{\"model\": \"m\"}"));
    }

    #[test]
    fn what_was_written_is_read_as_it_was() {
        let mut packed = Vec::new();
        write_trec(&rankings(), "", &mut packed).unwrap();
        let found = read("run.trec.gz", &unpacked(&packed)).unwrap();
        let plain = |rankings: &Rankings| -> Vec<(String, Vec<(String, f64)>)> {
            let name =
                |ranked: &Ranked| (rankings.documents[ranked.document as usize].to_owned(), ranked.score);
            let found =
                rankings.found.iter().map(|found| best_first(rankings, found).iter().map(name).collect());
            rankings.queries.iter().cloned().zip(found).collect()
        };
        assert_eq!(plain(&found), plain(&rankings()));
    }

    #[test]
    fn the_scores_of_others_decide_and_not_their_ranks() {
        let found = read("run", "q1\tQ0\td1\t1\t0.5\tx\n\nq2 Q0 d1 1 7 x\nq1 Q0 d%202 2 0.9 x\n").unwrap();
        assert_eq!(found.queries, ["q1", "q2"]);
        assert_eq!(found.found[0].iter().map(|ranked| ranked.line).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(best_first(&found, &found.found[0])[0].score, 0.9);
        assert_eq!((&found.documents[1], found.may_be_escaped), ("d%202", true));
    }

    #[test]
    fn a_line_that_cannot_be_right_is_named() {
        assert_eq!(
            refusal("q1 Q0 d1 1 0.5 x\nq1 Q0 d2 2 nan x\n"),
            "run.trec, line 2: expected a finite number as score, found: nan"
        );
        assert_eq!(
            refusal("q1 d1 0.5\n"),
            "run.trec, line 1: expected the six columns `query Q0 document rank score tag`, found: q1 d1 0.5"
        );
        for line in ["q1 Q0 d1 1 0.5", "q1 Q0 d1 1 0.5 my run", "q1 Q0 d1 1 0.5 x\rq1 Q0 d2 2 0.4 x\r"] {
            let expected =
                "run.trec, line 2: expected the six columns `query Q0 document rank score tag`, found: ";
            assert_eq!(
                refusal(&format!("q0 Q0 d1 1 0.5 x\n{line}\n")),
                format!("{expected}{}", line.trim_end())
            );
        }
        assert_eq!(
            refusal("q1 Q0 d1 1 0.5 x\nq2 Q0 d1 1 0.5 x\nq1 Q0 d1 2 0.4 x\n"),
            "run.trec, line 3: expected each document once for query q1, found: d1, which line 1 has too"
        );
    }
}
