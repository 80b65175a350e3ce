//! `graded judge --export` and `--import`: questions and replies as files; of the file that is
//! written, what may be replaced there, and what is somebody's.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use mteb_graded::judge::{Prompt, Question, batch_line, is_batch_line, parse_card, read_batch_reply};
use mteb_graded::pool::PoolPair;
use mteb_graded::store::{Judgement, StoreWriter, Tokens, Verdict};
use mteb_graded::{PairId, read_text};
use mteb_graded_run::{FoundJudge, GradedFolder, OpenPair};

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

/// Folders of the graded folder, whose files the steps write.
const OWN: [&str; 5] = ["pools", "new", "judgements", "evaluations", "reranked"];

/// Most bytes of a card, and of the head of a pool or store.
const HEAD: u64 = 1 << 20;

/// Most bytes of one question.
const LINE: u64 = 1 << 28;

/// Checks that the questions to `judge` may be written to `file`: nothing is there, or questions of before, or what the user gives up
/// with `replace`; never a card, a pool or a store.
///
/// # Errors
/// What is there.
pub fn check_target(
    file: &Path,
    (folder, judge): (&GradedFolder, &FoundJudge),
    pools: &[PathBuf],
    replace: bool,
) -> Result<(), TargetError> {
    let path = || file.to_owned();
    mteb_files::check_place(file).map_err(|source| TargetError::NoFile { path: path(), source })?;
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_below = |own: &str| {
        let own = folder.path().join(own).canonicalize();
        own.is_ok_and(|own| parent.canonicalize().is_ok_and(|parent| parent.starts_with(own)))
    };
    if let Some(own) = OWN.into_iter().find(|own| is_below(own)) {
        return Err(TargetError::InOwnFolder { path: path(), folder: folder.path().join(own) });
    }
    let cannot_read = |source| TargetError::Unreadable { path: path(), source };
    let found = match mteb_files::open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found.map_err(cannot_read)?,
    };
    let name_another = |found| Err(TargetError::OtherFile { path: path(), found });
    if is_same(&found, Path::new(&judge.file)) {
        return name_another("the judge's card");
    }
    if pools.iter().any(|pool| is_same(&found, pool)) {
        return name_another("a pool that is judged");
    }
    if let Some(kind) = kind(file).map_err(cannot_read)? {
        return name_another(kind);
    }
    if replace || is_export(BufReader::new(found)).map_err(cannot_read)? {
        return Ok(());
    }
    Err(TargetError::NoExport { path: path() })
}

/// Why questions are not written to a file.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// What is there is no regular file.
    #[error("{}: {source}; move it away", .path.display())]
    NoFile {
        /// The place.
        path: PathBuf,
        /// What it is.
        source: io::Error,
    },
    /// It would lie among the files of the graded folder.
    #[error("{}: expected a file outside {}, whose files are not exports", .path.display(), .folder.display())]
    InOwnFolder {
        /// The file.
        path: PathBuf,
        /// The folder around it.
        folder: PathBuf,
    },
    /// Nobody can tell what is there.
    #[error("{}: cannot read it: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is a file of another kind, which judging needs.
    #[error("{}: expected a file to export to, found {found}; name another one", .path.display())]
    OtherFile {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// It is somebody's, and may not be replaced.
    #[error(
        "{}: expected no file, or an earlier export, found something else; move it away, or add `--replace`",
        .path.display()
    )]
    NoExport {
        /// The file.
        path: PathBuf,
    },
}

/// True if both are one file, by whatever names.
fn is_same(file: &File, path: &Path) -> bool {
    let key = |found: io::Result<std::fs::Metadata>| found.ok().map(|found| (found.dev(), found.ino()));
    key(file.metadata()).is_some_and(|found| Some(found) == key(path.metadata()))
}

/// Which file of the graded folder `file` is by its form, if one.
fn kind(file: &Path) -> io::Result<Option<&'static str>> {
    let mut head = Vec::new();
    mteb_files::open(file)?.take(HEAD).read_to_end(&mut head)?;
    let head = String::from_utf8_lossy(&head);
    if parse_card("", &head).is_ok() {
        return Ok(Some("the card of a judge"));
    }
    if file.extension().is_some_and(|extension| extension == "toml") {
        return Ok(Some("a card, a registry or a lock"));
    }
    let line: serde_json::Value =
        serde_json::from_str(head.lines().next().unwrap_or_default()).unwrap_or_default();
    Ok(if line.get("pool").is_some_and(|schema| schema.is_u64()) {
        Some("a pool")
    } else if line.get("judgements").is_some_and(|schema| schema.is_u64()) {
        Some("a store of judgements")
    } else {
        None
    })
}

/// True if all lines are questions of an export.
fn is_export(mut file: impl BufRead) -> io::Result<bool> {
    loop {
        let mut line = Vec::new();
        if (&mut file).take(LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(true);
        }
        if !std::str::from_utf8(&line).is_ok_and(is_batch_line) {
            return Ok(false);
        }
    }
}
