//! The maps of a page: texts of tasks in two dimensions, encoded when the page is made.

use clap::Args;
use mteb_models::model::ModelChoice;
use mteb_report::page::TextMap;
use mteb_source::DataSources;

use super::arguments::{BoardArgs, FilterArgs};
use super::discover::{discover, say_refusals};
use super::encoder::start_encoder;
use super::figure::{MethodName, TEXTS, mapped};
use super::locks::check_locks;
use crate::exit::Exit;
use crate::output::failed;
use crate::view::may_show_texts;

/// Which maps a page has.
#[derive(Args, Debug)]
pub struct MapArgs {
    /// Add a view with 1,000 texts of this task in two dimensions, coloured by label; may be
    /// repeated. Needs its data.
    #[arg(long, value_name = "TASK", requires = "map_model")]
    map: Vec<String>,
    /// Model that encodes the texts of `--map`.
    #[arg(long, value_name = "NAME", requires = "map")]
    map_model: Option<String>,
    /// Dimensionality reduction for `--map`.
    #[arg(long, value_enum, default_value_t = MethodName::Pca)]
    map_method: MethodName,
}

impl MapArgs {
    /// The maps of the tasks that were named, from the registries of `board`.
    ///
    /// # Errors
    /// The exit code, after the fault was said.
    pub fn maps(&self, board: &BoardArgs) -> Result<Vec<TextMap>, Exit> {
        let Some(model) = &self.map_model else { return Ok(Vec::new()) };
        let settings = board.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let filter = FilterArgs {
            registry: board.filter.registry.clone(),
            task: self.map.clone(),
            ..FilterArgs::default()
        };
        let tasks = filter.select(&filter.registries(&catalog)?)?;
        check_locks(&tasks, None)?;
        let mut client = start_encoder(&ModelChoice::new(model), &catalog, &settings)?;
        let name = client.info().identity.name.clone();
        let mut sources = DataSources::new(settings, &catalog);
        let mut maps = Vec::new();
        for task in &tasks {
            let card = &task.entry.card.name;
            let texts = mapped(task, &mut client, &mut sources, TEXTS).map_err(failed)?;
            let map = TextMap::new((card, &name), &texts, self.map_method.method(), may_show_texts(task));
            maps.push(map.map_err(|error| failed(format!("{card}: {error}")))?);
        }
        Ok(maps)
    }
}
