//! `figure map`: encodes the texts of a task and draws them in two dimensions.

use mteb_report::figure::figure_map;
use mteb_source::DataSources;

use super::arguments::FigureArgs;
use super::mapped::{TEXTS, mapped};
use crate::commands::discover::{discover, say_refusals};
use crate::commands::locks::check_locks;
use crate::exit::Exit;
use crate::output;

impl FigureArgs {
    pub(super) fn map(&self) -> Exit {
        self.try_map().unwrap_or_else(|exit| exit)
    }

    fn try_map(&self) -> Result<Exit, Exit> {
        let settings = self.board.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let tasks = self.chosen(&catalog)?;
        let [task] = &tasks[..] else {
            output::error(format!(
                "expected one task to draw, found {}; name it with `--task NAME`, and a subset with \
                 `--task NAME:SUBSET`",
                tasks.len()
            ));
            return Err(Exit::Usage);
        };
        check_locks(&tasks, None)?;
        let mut client = self.start_encoder(&catalog, &settings)?;
        let mut sources = DataSources::new(settings, &catalog);
        let count = self.texts.texts.unwrap_or(TEXTS);
        let texts = mapped(task, &mut client, &mut sources, count).map_err(|error| {
            output::error(error);
            Exit::Failed
        })?;
        let (name, model) = (&task.entry.card.name, &client.info().identity.name);
        let title = format!("{name}, {} texts, {model}", texts.texts.len());
        Ok(self.write("map", figure_map(&texts, self.texts.method.method(), &title)))
    }
}
