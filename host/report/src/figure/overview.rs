//! Figure 1 of the MTEB paper: which tasks a benchmark has of each type, and which of them are of several languages.

use plotters::prelude::*;

use super::canvas::{Area, Figure, FigureError, fault, label, svg};
use crate::grid::{Grid, Value};

/// Width of the figure, and where names begin beside the title of their type; in pixels.
const WIDTH: i32 = 1200;
const LEFT: i32 = 230;

/// Height of a line of names, and what lies between types.
const LINE: i32 = 30;
const GAP: i32 = 16;

/// Letters of a name, and pixels of a letter.
const LONGEST: usize = 60;
const LETTER: f64 = 7.1;

const ONE: RGBColor = RGBColor(236, 241, 247);
const SEVERAL: RGBColor = RGBColor(205, 180, 228);

/// A task on the overview.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskOfType {
    /// Its name.
    pub name: String,
    /// Its type.
    pub task_type: String,
    /// Languages that it has.
    pub languages: usize,
}

/// A name and where it begins in its type, from the left and from above.
type Placed<'a> = (&'a TaskOfType, (i32, i32));

/// Figure 1: the tasks of each type, in the order in which types first occur; those of several languages are shaded.
///
/// # Errors
/// If it cannot be drawn.
pub fn figure_1(tasks: &[TaskOfType]) -> Result<Figure, FigureError> {
    let mut types: Vec<(&str, Vec<&TaskOfType>)> = Vec::new();
    for task in tasks {
        match types.iter_mut().find(|(name, _)| *name == task.task_type) {
            Some((_, all)) => all.push(task),
            None => types.push((&task.task_type, vec![task])),
        }
    }
    let blocks: Vec<(&str, Vec<Placed>, i32)> = types
        .into_iter()
        .map(|(name, all)| {
            let (placed, height) = flow_names(&all);
            (name, placed, height)
        })
        .collect();
    let has_several = tasks.iter().any(|task| task.languages > 1);
    let height: i32 = 50 + blocks.iter().map(|(_, _, height)| height + GAP).sum::<i32>();
    let svg = svg((WIDTH as u32, (height + if has_several { 40 } else { 0 }) as u32), |area| {
        let text = format!("{} tasks of {} types", tasks.len(), blocks.len());
        area.draw(&Text::new(text, (14, 14), ("sans-serif", 17))).map_err(fault)?;
        let mut top = 50;
        for (name, placed, height) in &blocks {
            let title = format!("{} ({})", label(name, 24), placed.len());
            area.draw(&Text::new(title, (14, top + 5), ("sans-serif", 15))).map_err(fault)?;
            for (task, (x, y)) in placed {
                draw_name(area, &label(&task.name, LONGEST), task.languages > 1, (LEFT + x, top + y))?;
            }
            top += height + GAP;
        }
        if has_several { draw_name(area, "several languages", true, (14, top)) } else { Ok(()) }
    })?;
    let mut grid = Grid::new(["Task type", "Task", "Languages"]);
    for (name, placed, _) in &blocks {
        for (task, _) in placed {
            grid.rows.push(vec![(*name).into(), task.name.as_str().into(), Value::from(task.languages)]);
        }
    }
    Ok(Figure { svg, grid, missing: Vec::new() })
}

/// Names one behind the other, in as many lines as they need, and the height of these.
fn flow_names<'a>(tasks: &[&'a TaskOfType]) -> (Vec<Placed<'a>>, i32) {
    let (mut x, mut y) = (0, 0);
    let mut placed = Vec::with_capacity(tasks.len());
    for task in tasks {
        let wide = width(&label(&task.name, LONGEST));
        if x > 0 && LEFT + x + wide > WIDTH - 14 {
            (x, y) = (0, y + LINE);
        }
        placed.push((*task, (x, y)));
        x += wide + 8;
    }
    (placed, y + LINE)
}

/// Pixels of the box of a name. Letters of other scripts are up to twice as wide.
fn width(name: &str) -> i32 {
    let letters: f64 = name.chars().map(|letter| if letter as u32 > 0x2E7F { 2.0 } else { 1.0 }).sum();
    (letters * LETTER) as i32 + 16
}

fn draw_name(area: &Area, name: &str, is_shaded: bool, (x, y): (i32, i32)) -> Result<(), FigureError> {
    let ends = [(x, y), (x + width(name), y + LINE - 7)];
    area.draw(&Rectangle::new(ends, if is_shaded { SEVERAL } else { ONE }.filled())).map_err(fault)?;
    area.draw(&Text::new(name.to_owned(), (x + 8, y + 5), ("sans-serif", 13))).map_err(fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(count: usize) -> Vec<TaskOfType> {
        let task = |number: usize| TaskOfType {
            name: format!("TaskNumber{number}WithALongName"),
            task_type: if number.is_multiple_of(2) { "STS" } else { "Retrieval" }.to_owned(),
            languages: 1 + number % 3,
        };
        (0..count).map(task).collect()
    }

    #[test]
    fn tasks_stand_beside_their_type_and_none_leaves_the_figure() {
        for count in [1, 2, 300] {
            let figure = figure_1(&tasks(count)).unwrap();
            assert_eq!(figure.grid.rows.len(), count);
            let all = tasks(count);
            let (placed, height) = flow_names(&all.iter().collect::<Vec<_>>());
            for (task, (x, y)) in placed {
                assert!(LEFT + x + width(&task.name) <= WIDTH && y < height, "{}", task.name);
            }
            assert_eq!(figure.svg.contains("several languages"), count > 1);
        }
    }
}
