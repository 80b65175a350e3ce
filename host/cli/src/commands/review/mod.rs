//! `mteb-host review`: people label rows again who do not see the labels, in a session in the
//! terminal or on a page, and what their agreement is worth.

mod html;
mod items;
mod note;
mod store;
mod summary;

use std::io::{self, BufRead};
use std::path::PathBuf;

use clap::Args;
use items::{Choices, Item, Items, read_items};
use mteb_card::TaskCard;
use mteb_registry::Origin;
use store::Store;

use super::arguments::{FilterArgs, FormatArgs, PlaceArgs, parse_whole};
use super::discover::discover;
use crate::exit::Exit;
use crate::output::{self, failed, usage};

/// Arguments of `review`.
#[derive(Args, Debug)]
#[command(group(clap::ArgGroup::new("what").args(["annotator", "summary"]).required(true).multiple(false)))]
pub struct ReviewArgs {
    /// Task, or one subset of it.
    #[arg(value_name = "NAME[:subset]")]
    task: String,
    /// Registry name, registry file or task card; may be repeated [default: all known registries].
    #[arg(long, value_name = "NAME|FILE")]
    registry: Vec<String>,
    /// Name of the annotator. Rows are shown without their labels, in the terminal or on a page
    /// (`--html`). Run the same command again to continue.
    #[arg(long, value_name = "NAME")]
    annotator: Option<String>,
    /// Show how well the annotators agree with each other and with the data, and which rows need a
    /// decision.
    #[arg(long)]
    summary: bool,
    /// Number of rows to label, sampled with `--seed`; all annotators get the same rows.
    #[arg(long, value_name = "N", default_value = "100", value_parser = parse_whole::<usize>(1, None))]
    rows: usize,
    /// Random seed of the sample.
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// Write a self-contained page for labelling; it saves a file for `--import`.
    #[arg(long, value_name = "FILE", requires = "annotator")]
    html: Option<PathBuf>,
    /// Import the labels from a file saved by such a page.
    #[arg(long, value_name = "FILE", requires = "annotator", conflicts_with = "html")]
    import: Option<PathBuf>,
    /// File with the annotation guideline, shown next to the texts.
    #[arg(long, value_name = "FILE")]
    guideline: Option<PathBuf>,
    /// Folder for the labels.
    #[arg(long, value_name = "DIR", default_value = "review")]
    output: PathBuf,
    /// Write the rows on which most annotators contradict the data, as JSON lines with file and
    /// position.
    #[arg(long, value_name = "FILE", requires = "summary")]
    corrections: Option<PathBuf>,
    /// Write the agreement to the `notes` of the task card.
    #[arg(long, requires = "summary")]
    write: bool,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl ReviewArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        self.try_run().unwrap_or_else(|exit| exit)
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        let (items, card, origin) = self.items()?;
        let store = Store::new(&self.output, &items.name);
        if self.summary {
            let ratings = store.read(&items).map_err(failed)?;
            let asked = summary::Asked {
                corrections: self.corrections.as_deref(),
                write: self.write,
                format: self.format,
            };
            return summary::say(&asked, &items, &ratings, &card, &origin);
        }
        let annotator = self.annotator.as_deref().unwrap_or_default();
        store::check_annotator(annotator).map_err(usage)?;
        let guideline = self.guideline.as_ref().map_or(Ok(String::new()), |path| {
            std::fs::read_to_string(path)
                .map_err(|error| usage(format!("`--guideline`: {}: cannot be read: {error}", path.display())))
        })?;
        if let Some(path) = &self.html {
            if path.exists() && !std::fs::read_to_string(path).is_ok_and(|found| html::is_page(&found)) {
                return Err(usage(format!(
                    "{}: expected no file or a page of `review`, found another file, which is not overwritten",
                    path.display()
                )));
            }
            let page =
                html::page(&items, annotator, &guideline, &store.labels_of(annotator).map_err(failed)?);
            mteb_files::write(path, page.as_bytes())
                .map_err(|error| failed(format!("{}: cannot be written: {error}", path.display())))?;
            return Ok(output::print(&format!(
                "{}: {} to label; save the file that the page writes, then run: mteb-host review {}{} --output \
                 {} --annotator {annotator} --import FILE",
                path.display(),
                output::count(items.all.len(), "row"),
                self.task,
                self.registry.iter().map(|registry| format!(" --registry {registry}")).collect::<String>(),
                self.output.display()
            )));
        }
        if let Some(path) = &self.import {
            let number = store.import(annotator, path, &items).map_err(usage)?;
            return Ok(output::print(&format!(
                "{}: {} of {annotator}",
                path.display(),
                output::count(number, "label")
            )));
        }
        label(&items, &store, annotator, &guideline)
    }

    /// The rows that are labelled, with the card of their task.
    fn items(&self) -> Result<(Items, TaskCard, Origin), Exit> {
        let settings = self.place.settings();
        let catalog = discover(&settings);
        let filter = FilterArgs {
            registry: self.registry.clone(),
            task: vec![self.task.clone()],
            ..FilterArgs::default()
        };
        let registries = filter.registries(&catalog)?;
        let selected = filter.select(&registries)?;
        let [task] = selected.as_slice() else {
            return Err(usage(format!("expected one task, found {} called {}", selected.len(), self.task)));
        };
        let units: Vec<(String, String)> =
            task.units().map(|(split, subset)| (split.to_owned(), subset.to_owned())).collect();
        let [(split, subset)] = units.as_slice() else {
            let shown: Vec<String> = units
                .iter()
                .map(|(split, subset)| format!("{}@{split}:{subset}", task.entry.card.name))
                .collect();
            return Err(usage(format!(
                "expected one split and subset, found {}; name one of them",
                shown.join(", ")
            )));
        };
        let mut sources = mteb_source::DataSources::new(settings, &catalog);
        let unit = sources.read_whole(&task.entry, split, subset).map_err(failed)?;
        let items = read_items(&task.entry.card, &unit, self.rows, self.seed).map_err(failed)?;
        Ok((items, TaskCard::clone(&task.entry.card), task.entry.origin.clone()))
    }
}

/// Shows each row that `annotator` has not labelled and takes an answer, from a terminal or a pipe.
pub fn label(items: &Items, store: &Store, annotator: &str, guideline: &str) -> Result<Exit, Exit> {
    let done = store.labels_of(annotator).map_err(failed)?;
    let open: Vec<_> = items.all.iter().filter(|item| !done.contains_key(&item.key)).collect();
    output::say(format!("{}: {}", items.name, items.description));
    guideline.lines().for_each(output::say);
    output::say(match &items.choices {
        Choices::Labels(labels) => {
            let numbered: Vec<String> =
                labels.iter().enumerate().map(|(place, label)| format!("{} {label}", place + 1)).collect();
            format!(
                "Answer with a number or a name: {}. An empty answer leaves the row for later; `q` quits.",
                numbered.join(", ")
            )
        }
        Choices::Scale([low, high]) => {
            format!(
                "Answer with a number from {low} to {high}. An empty answer leaves the row for later; `q` \
                     quits."
            )
        }
    });
    let mut lines = io::stdin().lock().lines();
    let mut labelled = 0;
    'rows: for (number, item) in open.iter().enumerate() {
        output::say(format!("{} of {}", done.len() + number + 1, items.all.len()));
        item.texts.iter().for_each(|(name, text)| output::say(format!("  {name}: {text}")));
        loop {
            output::ask("> ");
            let Some(Ok(line)) = lines.next() else { break 'rows };
            match line.trim() {
                "q" => break 'rows,
                "" => break,
                answer => match find_label(items, answer) {
                    Some(label) => {
                        store.add(annotator, &item.key, &label).map_err(failed)?;
                        labelled += 1;
                        break;
                    }
                    None => output::say(format!("expected one of the answers above, found: {answer}")),
                },
            }
        }
    }
    let all = done.len() + labelled;
    let left = if all < items.all.len() { "; run the same command again to continue" } else { "" };
    Ok(output::print(&format!(
        "{} labelled now, {all} of {}{left}",
        output::count(labelled, "row"),
        items.all.len()
    )))
}

/// The label that is meant: its name goes before its number.
fn find_label(items: &Items, answer: &str) -> Option<String> {
    if items.number(answer).is_some() {
        return Some(answer.replace(',', "."))
            .filter(|_| matches!(items.choices, Choices::Scale(_)))
            .or(Some(answer.to_owned()));
    }
    let Choices::Labels(labels) = &items.choices else { return None };
    let place: usize = answer.parse().ok()?;
    labels.get(place.checked_sub(1)?).cloned()
}
