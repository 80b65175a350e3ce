//! Figure 1: the tasks that were selected, by type; their data is not needed.

use mteb_registry::Selected;
use mteb_report::figure::{TaskOfType, figure_1};

use super::arguments::FigureArgs;
use crate::commands::discover::discover;
use crate::exit::Exit;

impl FigureArgs {
    pub(super) fn overview(&self) -> Exit {
        let catalog = discover(&self.board.place.settings());
        match self.chosen_whole(&catalog) {
            Ok(tasks) => {
                let tasks: Vec<TaskOfType> = tasks.iter().map(of_type).collect();
                self.write("overview", figure_1(&tasks))
            }
            Err(exit) => exit,
        }
    }
}

fn of_type(task: &Selected) -> TaskOfType {
    let card = &task.entry.card;
    TaskOfType {
        name: card.name.clone(),
        task_type: card.task_type.to_string(),
        languages: task.languages().len(),
    }
}
