//! `graded judge --export` and `--import`: questions and replies as files.

use std::collections::HashMap;
use std::path::Path;

use mteb_graded::judge::{Prompt, Question, batch_line, read_batch_reply};
use mteb_graded::pool::PoolPair;
use mteb_graded::store::{Judgement, StoreWriter, Tokens, Verdict};
use mteb_graded::{PairId, read_text};
use mteb_graded_run::{FoundJudge, OpenPair};

use crate::exit::Exit;
use crate::output::{self, failed, write_file};

/// Most bytes of a file of replies.
const REPLIES: u64 = 8 << 30;

/// Writes the questions of `pairs` into `file`.
pub fn export(
    file: &Path,
    judge: &FoundJudge,
    prompt: &Prompt,
    pairs: &[OpenPair<'_>],
) -> Result<Exit, Exit> {
    let line = |open: &OpenPair<'_>| {
        let (query, document) = open.pool.texts(open.pair);
        batch_line(&judge.card, prompt, open.pair.pair, Question { query, document }) + "\n"
    };
    let text: String = pairs.iter().map(line).collect();
    write_file(file, text.as_bytes()).map_err(failed)?;
    let questions = output::count(pairs.len(), "pair");
    Ok(output::print(&format!(
        "{questions} written to {}; import the judgements with `--import`",
        file.display()
    )))
}

/// Takes in the replies of `file` to `pairs`.
pub fn import(
    file: &Path,
    judge: &FoundJudge,
    pairs: &[OpenPair<'_>],
    writer: &mut StoreWriter,
) -> Result<Exit, Exit> {
    let text = read_text(file, REPLIES).map_err(failed)?;
    let mut pairs: HashMap<PairId, &OpenPair<'_>> = pairs.iter().map(|open| (open.pair.pair, open)).collect();
    let (mut judged, mut without, mut others, mut causes) = (0, 0, 0, Causes::default());
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let found = match read_batch_reply(&judge.card, line) {
            Ok(found) => found,
            Err(error) => {
                causes.add(number, error.to_string());
                continue;
            }
        };
        // What is no pair of the pools, or has its judgement, changes nothing.
        let Some(open) = pairs.get(&found.pair) else {
            others += 1;
            continue;
        };
        // A table that was sorted by one column has the texts of one pair beside the name of another.
        if !found.is_of(open.pool.texts(open.pair)) {
            causes
                .add(number, format!("expected the texts of its pair, found: others beside {}", found.pair));
            continue;
        }
        let PoolPair { pair, query, document } = open.pair.clone();
        pairs.remove(&pair);
        let (verdict, tokens) = match found.reply {
            Ok(reply) => {
                judged += 1;
                (Verdict::Score { score: reply.score, reasoning: reply.reasoning }, reply.tokens)
            }
            Err(why) => {
                without += 1;
                (Verdict::Failed { reason: why.to_string() }, Tokens::default())
            }
        };
        writer.append(&Judgement { pair, query, document, verdict, tokens }).map_err(failed)?;
    }
    writer.flush().map_err(failed)?;
    causes.lines(file).iter().for_each(output::warn);
    let printed = output::print(&format!(
        "{}: {} imported, {without} failed, {others} not requested; {} left",
        judge.card.name,
        output::count(judged, "judgement"),
        output::count(pairs.len(), "pair")
    ));
    Ok(if (without > 0 || !causes.0.is_empty()) && printed == Exit::Done { Exit::Failed } else { printed })
}

/// Lines that were left out, by what is wrong with them: the first one, its message, and how many more there are.
#[derive(Default)]
struct Causes(Vec<(usize, String, usize)>);

impl Causes {
    fn add(&mut self, line: usize, message: String) {
        // What was found differs from line to line.
        let cause = |message: &str| message.split(", found: ").next().unwrap_or_default().to_owned();
        match self.0.iter_mut().find(|(_, other, _)| cause(other) == cause(&message)) {
            Some((.., more)) => *more += 1,
            None => self.0.push((line, message, 0)),
        }
    }

    fn lines(&self, file: &Path) -> Vec<String> {
        let line = |(line, message, more): &(usize, String, usize)| {
            let more = if *more > 0 {
                format!(" and {}", output::count(*more, "other line"))
            } else {
                String::new()
            };
            format!("{}, line {line}{more}: {message}; the rest is kept", file.display())
        };
        self.0.iter().map(line).collect()
    }
}
