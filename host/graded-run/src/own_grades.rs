//! The grades that a task itself brings for the pairs of a pool.

use std::sync::Arc;

use mteb_graded::pool::Pool;
use mteb_registry::TaskEntry;
use mteb_source::DataSources;
use mteb_tasks::task_types;

use super::data_name;

/// The grade of each pair of `pool`; NaN for pairs that the task does not judge. Of the `tasks` of its name that one is taken whose data
/// was pooled: a pool stays that of an earlier edition.
///
/// # Errors
/// One line: there is no task, the data cannot be read, or none of it is that of the pool.
pub fn own_grades(
    pool: &Pool,
    tasks: &[Arc<TaskEntry>],
    sources: &mut DataSources,
) -> Result<Vec<f64>, String> {
    let mut first = None;
    for task in tasks {
        match grades_of(pool, task, sources) {
            Ok(grades) => return Ok(grades),
            Err(fault) => first = first.or(Some(fault)),
        }
    }
    Err(first.unwrap_or_else(|| format!("expected a known task, found: {}", pool.provenance.task)))
}

fn grades_of(pool: &Pool, entry: &TaskEntry, sources: &mut DataSources) -> Result<Vec<f64>, String> {
    let from = &pool.provenance;
    let (unit, _, facts) =
        sources.read(entry, &from.split, &from.subset).map_err(|error| error.to_string())?;
    let data = data_name(&facts.data);
    if data != from.data {
        return Err(format!("{}: expected {}, the data of the pool, found: {data}", from.task, from.data));
    }
    let grades = task_types::own_grades(&unit).map_err(|error| error.to_string())?;
    let of_pair = |query: &String, document: &String| grades.get(&(query.clone(), document.clone())).copied();
    Ok(pool.pairs.iter().map(|pair| of_pair(&pair.query, &pair.document).unwrap_or(f64::NAN)).collect())
}
