//! `mteb-host results export`: results as the public results repository takes them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use mteb_registry::Registries;
use mteb_report::table::{Column, Row};
use mteb_results::{META, read_checked, read_json};

use crate::commands::arguments::BoardArgs;
use crate::commands::discover::discover;
use crate::exit::Exit;
use crate::output;

/// The registry of the reference's tasks.
const REFERENCE: &str = "mteb";

/// Keys of a result file that the reference does not have.
const OURS: [&str; 2] = ["mteb_host", "footprint"];

/// Arguments of `results export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// Repository whose layout to write.
    #[arg(long = "for", value_enum, default_value_t = For::Mteb)]
    whom: For,
    /// Folder in which to write `results/MODEL/REVISION/`, e.g. a clone of the results repository.
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    board: BoardArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum For {
    /// The results repository of the Python package mteb.
    Mteb,
}

impl ExportArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        self.try_run().unwrap_or_else(|exit| exit)
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        let For::Mteb = self.whom;
        let catalog = discover(&self.board.place.settings());
        let reference = Registries::load(&[REFERENCE.to_owned()], &catalog).tasks();
        let known: BTreeSet<&str> = reference.iter().map(|task| task.card.name.as_str()).collect();
        let scores = self.board.read()?;
        let board = scores.board();
        BoardArgs::warn(&board);
        let (mut written, mut left_out) = (0, 0);
        for row in &board.rows {
            for (column, cell) in
                board.columns.iter().zip(&row.cells).filter(|(_, cell)| cell.partial.is_some())
            {
                let pinned = || reference.iter().find(|task| task.card.name == column.task.name);
                let why = if !known.contains(column.task.name.as_str()) {
                    Some("the repository has no task of this name".to_owned())
                } else if let Some(note) = cell.notes.first() {
                    Some(note.to_string())
                } else {
                    pinned().and_then(|task| {
                        find_other_revision(task.card.dataset.revision.as_deref(), cell.revision.as_deref())
                    })
                };
                match why {
                    Some(why) => {
                        output::warn(format!("{}, {}: left out: {why}", row.name, column.task.name));
                        left_out += 1;
                    }
                    None => written += self.write(row, column)?,
                }
            }
        }
        if written == 0 {
            return Err(output::failed(format!(
                "expected results of tasks that mteb has, found none that can be submitted, {left_out} left out"
            )));
        }
        Ok(output::print(&format!(
            "{} written below {}; look at them with `git diff`, and open a pull request to \
             https://github.com/embeddings-benchmark/results",
            output::count(written, "result"),
            self.output.join("results").display()
        )))
    }

    /// Writes the result of a task and the model's `model_meta.json`.
    fn write(&self, row: &Row, column: &Column) -> Result<usize, Exit> {
        let mut count = 0;
        for place in &row.places {
            let path = place.join(format!("{}.json", column.task.name));
            // Another revision of the model, or an experiment, has a folder of its own.
            if !path.is_file() {
                continue;
            }
            let to = self.folder_of(place);
            let failed = |what: &Path, why: String| output::failed(format!("{}: {why}", what.display()));
            let file = read_checked(&path).map_err(|why| failed(&path, why.to_string()))?;
            let mut json = file.to_json();
            OURS.iter().for_each(|key| json.remove(key));
            let meta_path = place.join(META);
            if !meta_path.is_file() {
                let line = format!("{}: left out: expected `{META}` next to it, found none", path.display());
                output::warn(format!("{line}; `mteb-host run` writes it"));
                continue;
            }
            let meta = read_json(&meta_path).map_err(|why| failed(&meta_path, why.to_string()))?;
            for (name, json) in [(format!("{}.json", column.task.name), &json), (META.to_owned(), &meta)] {
                let target = to.join(name);
                mteb_files::write(&target, (json.to_python(2) + "\n").as_bytes())
                    .map_err(|error| failed(&target, format!("cannot be written: {error}")))?;
            }
            count += 1;
        }
        Ok(count)
    }

    /// `results/MODEL/REVISION`, with what is below that for experiments.
    fn folder_of(&self, place: &Path) -> PathBuf {
        let root = self.board.results.iter().find_map(|root| place.strip_prefix(root).ok());
        let names: PathBuf = match root {
            Some(names) => names.to_owned(),
            None => place.components().rev().take(2).collect::<Vec<_>>().into_iter().rev().collect(),
        };
        self.output.join("results").join(names)
    }
}

/// Why a result of this revision of the data is none of the task, if so.
fn find_other_revision(pinned: Option<&str>, found: Option<&str>) -> Option<String> {
    let (pinned, found) = (pinned?, found?);
    (pinned != found).then(|| format!("expected data of revision {pinned}, as mteb pins it, found: {found}"))
}
