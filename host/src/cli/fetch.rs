//! `mteb-host fetch`: brings datasets and a model to this machine, for runs without a network.

use std::path::Path;

use clap::Args;

use super::PlaceArgs;
use super::filter::FilterArgs;
use super::model::card_of;
use crate::exit::Exit;
use crate::output;
use crate::plugins::Catalog;
use crate::registry::Selected;
use crate::report::Progress;
use crate::settings::Settings;
use crate::source::{DataSources, model_folder};

/// Arguments of `fetch`.
#[derive(Args, Debug)]
pub struct FetchArgs {
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    place: PlaceArgs,
    /// Model on the hub; without a task or another filter, only the model is fetched.
    #[arg(long, value_name = "ID")]
    model: Option<String>,
    /// Revision of the model: a commit, branch or tag [default: that of its card, else the branch main].
    #[arg(long, value_name = "REVISION", requires = "model")]
    revision: Option<String>,
    /// Take data files as they are into the locks of their registries (`<registry>.lock.toml`).
    #[arg(long)]
    update_lock: bool,
    /// No progress bars.
    #[arg(long)]
    quiet: bool,
}

impl FetchArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.try_run() {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        let settings = Settings { update_lock: self.update_lock, ..self.place.settings() };
        let progress = Progress::new(self.quiet, false);
        let mut exit = Exit::Done;
        if let Some(model) = &self.model {
            exit = fetch_model(&settings, model, self.revision.clone(), &progress)?;
            if self.filter == FilterArgs::default() {
                return Ok(exit);
            }
        }
        let catalog = Catalog::discover(&settings);
        let registries = self.filter.registries(&catalog)?;
        let tasks = self.filter.select(&registries)?;
        let mut sources = DataSources::new(settings, &catalog).with_report(progress.downloads());
        for task in tasks.iter().flat_map(Selected::with_data) {
            if fetch_task(&task, &mut sources) == Exit::Failed {
                exit = Exit::Failed;
            }
        }
        Ok(exit)
    }
}

fn fetch_model(
    settings: &Settings,
    model: &str,
    revision: Option<String>,
    progress: &Progress,
) -> Result<Exit, Exit> {
    let card = card_of(model)?;
    let revision = revision.or_else(|| card.and_then(|found| found.card.revision));
    match model_folder(settings, model, revision.as_deref(), &*progress.downloads()) {
        Ok(Some(folder)) => Ok(output::print(&format!("{model}: {}", shown(&folder.path)))),
        Ok(None) => {
            output::error(format!("expected a model on the hub, as `organisation/name`, found: {model}"));
            Err(Exit::Usage)
        }
        Err(error) => {
            output::error(error);
            Ok(Exit::Failed)
        }
    }
}

fn fetch_task(task: &Selected, sources: &mut DataSources) -> Exit {
    let card = &task.entry.card;
    if let Some(reason) = &card.unsupported {
        return output::print(&format!("{}: passed over, it cannot be run: {reason}", card.name));
    }
    let mut units = 0;
    for (split, subset) in task.units() {
        if let Err(error) = sources.fetch(&task.entry, split, subset) {
            output::error(format!("{}, split {split}, subset {subset}: {error}", card.name));
            return Exit::Failed;
        }
        units += 1;
    }
    let units = if units == 1 { "1 unit is".to_owned() } else { format!("{units} units are") };
    output::print(&format!("{}: {units} here", card.name))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
