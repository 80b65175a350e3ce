//! `mteb-host report`: a page of all results.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use mteb_report::page::{Graded, Language, page};

use super::board_args::BoardArgs;
use crate::exit::Exit;
use crate::output;
use crate::report::{graded_view, write_file};

/// Arguments of `report`.
#[derive(Args, Debug)]
pub struct ReportArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Folder of pools, judgements and evaluations of graded relevance, as `graded` leaves it, for a view of its own.
    #[arg(long, value_name = "DIR")]
    graded: Option<PathBuf>,
    /// Folder for the page; a file of its name there is replaced.
    #[arg(long, value_name = "DIR", default_value = "report")]
    output: PathBuf,
    /// Language in which the page opens; it carries both.
    #[arg(long, value_enum, default_value_t = PageLanguage::En)]
    page_language: PageLanguage,
}

/// Languages of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PageLanguage {
    /// English.
    En,
    /// Indonesian.
    Id,
}

impl ReportArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let scores = match self.board.read() {
            Ok(scores) => scores,
            Err(exit) => return exit,
        };
        let board = scores.board();
        BoardArgs::warn(&board);
        if board.is_empty() {
            return self.board.none();
        }
        let graded = match self.graded() {
            Ok(graded) => graded,
            Err(exit) => return exit,
        };
        let language = match self.page_language {
            PageLanguage::En => Language::English,
            PageLanguage::Id => Language::Indonesian,
        };
        let name = if board.name.is_empty() { "report" } else { &board.name };
        write(
            &self.output.join(format!("{}.html", file_name(name))),
            &page(&board, graded.as_ref(), language),
        )
    }
}

impl ReportArgs {
    fn graded(&self) -> Result<Option<Graded>, Exit> {
        let Some(folder) = &self.graded else { return Ok(None) };
        match graded_view(folder) {
            Ok((graded, warnings)) => {
                warnings.iter().for_each(output::warn);
                Ok(Some(graded))
            }
            Err(error) => {
                output::error(error);
                Err(Exit::Usage)
            }
        }
    }
}

fn write(path: &Path, html: &str) -> Exit {
    match write_file(path, html) {
        Ok(()) => output::print(&path.display().to_string()),
        Err(error) => {
            output::error(error);
            Exit::Failed
        }
    }
}

/// A name as a file name: letters, digits, `-`, `_` and full stops.
fn file_name(name: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    let name: String =
        name.chars().map(|character| if is_plain(character) { character } else { '-' }).collect();
    let parts: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).collect();
    let name = parts.join("-");
    if name.trim_matches('.').is_empty() { "report".to_owned() } else { name.chars().take(120).collect() }
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn a_name_of_a_benchmark_becomes_a_file_and_never_leaves_the_folder() {
        assert_eq!(file_name("MTEB(eng, v1)"), "MTEB-eng-v1");
        assert_eq!(file_name("../../etc/passwd"), "..-..-etc-passwd");
        assert_eq!((file_name("..").as_str(), file_name("//").as_str()), ("report", "report"));
    }
}
