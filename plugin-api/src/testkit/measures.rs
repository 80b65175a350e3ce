//! What the measures of a pack must do, tried on made rankings.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::json;

use crate::v1::{Library, TaskHandle};
use mteb_card::{
    MEASURE, MEASURES, MeasureAnswer, MeasureDeclaration, MeasureQuestion, MeasuredUnit, Place, RankedPlaces,
};

/// Grades of what was found (none of what nobody judged), and of all that is judged: whatever a ranking can be.
const QUERIES: [Query; 8] = [
    (&[Some(1.0), None, Some(0.0)], &[1.0, 1.0, 0.0]),
    (&[], &[1.0]),
    (&[None], &[1.0]),
    (&[Some(1.0)], &[1.0]),
    (&[Some(0.0)], &[0.0]),
    (&[Some(3.0), Some(2.0), Some(1.0), Some(0.0)], &[3.0, 2.0, 1.0, 0.0]),
    (&[None, None, Some(0.5)], &[0.5]),
    (&[Some(-1.0), Some(1.0)], &[1.0, -1.0]),
];

const CUTS: [usize; 3] = [1, 3, 1000];

/// Faults of the measures that the pack declares.
pub fn faults(library: &Library) -> Vec<String> {
    let task = match library.new_task(MEASURES) {
        Ok(task) => task,
        Err(error) => {
            return vec![format!("the task `{MEASURES}`, whose feature the manifest lists: {error}")];
        }
    };
    let asked = || task.call(MEASURES, "");
    let declared = match (asked(), asked()) {
        (Ok(first), Ok(again)) if first == again => first,
        (Ok(_), Ok(_)) => return vec!["measures: expected one declaration, found two".to_owned()],
        (Err(error), _) | (_, Err(error)) => {
            return vec![format!("measures: expected a declaration, found: {error}")];
        }
    };
    let declared: BTreeMap<String, MeasureDeclaration> = match serde_json::from_str(&declared) {
        Ok(declared) => declared,
        Err(error) => return vec![format!("measures: {error}")],
    };
    if declared.is_empty() {
        return vec!["measures: expected at least one, found none".to_owned()];
    }
    declared.iter().flat_map(|(name, declaration)| of_measure(&task, name, declaration)).collect()
}

fn of_measure(task: &TaskHandle, name: &str, declaration: &MeasureDeclaration) -> Vec<String> {
    let faults: Vec<String> = declaration
        .faults()
        .into_iter()
        .map(|(path, message)| format!("measure {name}, {}: {message}", path.join(".")))
        .collect();
    if !faults.is_empty() {
        return faults;
    }
    // Each parameter at its default and at both ends of its range.
    let ends = declaration.parameters.iter().flat_map(|(parameter, range)| {
        [range.low, range.high].map(|value| BTreeMap::from([(parameter.clone(), value)]))
    });
    let settings = [BTreeMap::new()].into_iter().chain(ends);
    let mut faults = Vec::new();
    for own in settings {
        let parameters = declaration.parameters_with(&own);
        let said = describe_measure(name, &parameters);
        match values(task, (name, declaration), &parameters, &QUERIES) {
            Ok(all) => faults.extend(
                value_faults(task, (name, declaration), &parameters, &all)
                    .map(|fault| format!("{said}: {fault}")),
            ),
            Err(fault) => faults.push(format!("{said}: {fault}")),
        }
    }
    faults
}

/// Faults of `all`, the values of all queries at each cut.
fn value_faults(
    task: &TaskHandle,
    measure: (&str, &MeasureDeclaration),
    parameters: &BTreeMap<String, f64>,
    all: &[Vec<Option<f64>>],
) -> impl Iterator<Item = String> {
    let (_, declaration) = measure;
    let mut faults = Vec::new();
    let in_range = |value: &Option<f64>| {
        value.is_some_and(|value| (declaration.low - 1e-9..=declaration.high + 1e-9).contains(&value))
    };
    for (cut, query, value) in all
        .iter()
        .enumerate()
        .flat_map(|(cut, of_cut)| of_cut.iter().enumerate().map(move |(query, value)| (cut, query, value)))
    {
        if !in_range(value) {
            let (found, judged) = QUERIES[query];
            faults.push(format!(
                "expected a value from {} to {}, found {} for found grades {}, judged {}, cut {}",
                declaration.low,
                declaration.high,
                list_numbers([*value]),
                list_numbers(found.iter().copied()),
                list_numbers(judged.iter().copied().map(Some)),
                CUTS[cut.min(CUTS.len() - 1)]
            ));
        }
    }
    if values(task, measure, parameters, &QUERIES).as_deref() != Ok(all) {
        faults.push(
            "expected the same values for the same rankings, found different ones the second time".to_owned(),
        );
    }
    let mut turned = QUERIES;
    turned.reverse();
    let reversed: Vec<Vec<Option<f64>>> =
        all.iter().map(|of_cut| of_cut.iter().rev().copied().collect()).collect();
    if values(task, measure, parameters, &turned).as_ref() != Ok(&reversed) {
        faults.push(
            "expected values that do not depend on the order of queries, found different ones in another order"
                .to_owned(),
        );
    }
    if let Err(fault) = values(task, measure, parameters, &[]) {
        faults.push(format!("no queries: {fault}"));
    }
    faults.into_iter()
}

/// A measure as a card names it.
fn describe_measure(name: &str, parameters: &BTreeMap<String, f64>) -> String {
    let parameters: Vec<String> =
        parameters.iter().map(|(parameter, value)| format!("{parameter}={value}")).collect();
    match parameters.is_empty() {
        true => format!("measure {name}"),
        false => format!("measure {name}({})", parameters.join(", ")),
    }
}

/// Numbers in a row as a message has them.
fn list_numbers(numbers: impl IntoIterator<Item = Option<f64>>) -> String {
    let numbers = numbers
        .into_iter()
        .map(|number| number.map_or_else(|| "none".to_owned(), |number| number.to_string()));
    let numbers: Vec<String> = numbers.collect();
    if numbers.is_empty() { "none".to_owned() } else { numbers.join(", ") }
}

type Query = (&'static [Option<f64>], &'static [f64]);

/// The values of `queries` at each cut.
fn values(
    task: &TaskHandle,
    (name, declaration): (&str, &MeasureDeclaration),
    parameters: &BTreeMap<String, f64>,
    queries: &[Query],
) -> Result<Vec<Vec<Option<f64>>>, String> {
    let mut memory = Laid::default();
    let found = |query: &Query| query.0.iter().map(|grade| grade.unwrap_or(f64::NAN)).collect::<Vec<_>>();
    let found: Vec<Vec<f64>> = queries.iter().map(found).collect();
    let judged: Vec<Vec<f64>> = queries.iter().map(|(_, judged)| judged.to_vec()).collect();
    let scores: Vec<f64> =
        found.iter().flat_map(|found| (0..found.len()).map(|rank| 1.0 - rank as f64 / 10.0)).collect();
    let ranked = RankedPlaces {
        found_begins: memory.places(&begins(&found)),
        found_grades: memory.doubles(&found.concat()),
        found_scores: memory.doubles(&scores),
        judged_begins: memory.places(&begins(&judged)),
        judged_grades: memory.doubles(&judged.concat()),
        ..RankedPlaces::default()
    };
    let cuts = if declaration.at_cuts { CUTS.to_vec() } else { vec![CUTS[2]] };
    let file = memory.write(name)?;
    let question = MeasureQuestion {
        unit: MeasuredUnit { memory: file.to_string_lossy().into_owned(), ..MeasuredUnit::default() },
        measure: name.to_owned(),
        parameters: parameters.clone(),
        cuts: cuts.clone(),
        threshold: 1.0,
        ranked,
    };
    let answer = task.call(MEASURE, &json!(question).to_string());
    let _ = fs::remove_file(&file);
    let MeasureAnswer { values } =
        serde_json::from_str(&answer.map_err(|error| error.message)?).map_err(|error| error.to_string())?;
    let counts: Vec<usize> = values.iter().map(Vec::len).collect();
    if counts == vec![queries.len(); cuts.len()] {
        Ok(values)
    } else {
        Err(format!(
            "expected {} values at each of {} cut-offs, found {}",
            queries.len(),
            cuts.len(),
            list_numbers(counts.iter().map(|count| Some(*count as f64)))
        ))
    }
}

fn begins(lists: &[Vec<f64>]) -> Vec<u32> {
    let ends = lists.iter().scan(0, |end, list| {
        *end += list.len() as u32;
        Some(*end)
    });
    [0].into_iter().chain(ends).collect()
}

/// Numbers as the host lays them: each block on a line of the cache of its own.
#[derive(Default)]
struct Laid(Vec<u8>);

impl Laid {
    fn places(&mut self, numbers: &[u32]) -> Place {
        self.block(numbers.iter().flat_map(|number| number.to_ne_bytes()).collect(), numbers.len())
    }

    fn doubles(&mut self, numbers: &[f64]) -> Place {
        self.block(numbers.iter().flat_map(|number| number.to_ne_bytes()).collect(), numbers.len())
    }

    fn block(&mut self, bytes: Vec<u8>, rows: usize) -> Place {
        let offset = self.0.len();
        let place =
            Place { offset: offset as u64, bytes: bytes.len() as u64, rows: rows as u64, dimension: 1 };
        self.0.extend(bytes);
        self.0.resize(self.0.len().next_multiple_of(64), 0);
        place
    }

    fn write(&self, name: &str) -> Result<PathBuf, String> {
        let file = std::env::temp_dir().join(format!("mteb-measure-{}-{name}", std::process::id()));
        fs::write(&file, &self.0).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(file)
    }
}
