//! Examples of a unit as a person would read them: rows, or queries each with the best of what answers it.

use std::collections::{HashMap, HashSet};

use mteb_data::{DataError, Table};
use mteb_tasks::{Part, Unit};
use serde_json::{Map, Value};

use crate::stats::{id_column, ids};

/// Columns of one example in their order.
pub type Sample = Map<String, Value>;

/// At most `count` examples, taken at equal steps from the first row or judged query on, so that they are the same each time and not
/// all of one kind.
///
/// Of tasks that search an example is a query with the document of its highest grade, and with its instruction if it has one.
///
/// # Errors
/// If a part or column that the task type has is absent, or holds something else.
pub fn samples(unit: &Unit, count: usize) -> Result<Vec<Sample>, DataError> {
    let none: Option<std::iter::Empty<Result<Table, DataError>>> = None;
    samples_of(unit, none, count)
}

/// The same of a unit whose corpus may not be in it: `corpus` gives its chunks, of which no more are read than hold the documents.
///
/// # Errors
/// As [`samples`]; or if the corpus cannot be read.
pub fn samples_of<E: From<DataError>>(
    unit: &Unit,
    corpus: Option<impl Iterator<Item = Result<Table, E>>>,
    count: usize,
) -> Result<Vec<Sample>, E> {
    match unit.get(Part::Rows) {
        Some(rows) => Ok(steps(rows.rows(), count).map(|row| cells(rows, row)).collect()),
        None => searches(unit, corpus, count),
    }
}

fn searches<E: From<DataError>>(
    unit: &Unit,
    corpus: Option<impl Iterator<Item = Result<Table, E>>>,
    count: usize,
) -> Result<Vec<Sample>, E> {
    let queries = unit.part(Part::Queries)?;
    let best = best_documents(unit.part(Part::Qrels)?)?;
    let query_ids = ids(queries, id_column(queries))?;
    let texts = queries.column("text")?;
    let instructions = instructions(unit)?;
    let answered: Vec<(usize, &Best)> =
        query_ids.iter().enumerate().filter_map(|(row, id)| Some((row, best.get(id)?))).collect();
    let taken: Vec<(usize, &Best)> = steps(answered.len(), count).map(|place| answered[place]).collect();
    let wanted: HashSet<&str> = taken.iter().map(|(_, best)| best.document.as_str()).collect();
    let mut documents: HashMap<String, Sample> = HashMap::new();
    match corpus {
        Some(chunks) => {
            for chunk in chunks {
                add_documents(&chunk?, &wanted, &mut documents)?;
                if documents.len() == wanted.len() {
                    break;
                }
            }
        }
        None => add_documents(unit.part(Part::Corpus)?, &wanted, &mut documents)?,
    }
    let sample = |(row, best): (usize, &Best)| {
        let mut sample = Sample::new();
        sample.insert("query-id".to_owned(), query_ids[row].into());
        sample.insert("query".to_owned(), texts.value(row));
        if let Some(instruction) = instructions.get(&query_ids[row]) {
            sample.insert("instruction".to_owned(), instruction.clone());
        }
        sample.insert("corpus-id".to_owned(), best.document.as_str().into());
        sample.insert("score".to_owned(), best.grade.into());
        sample.extend(documents.get(&best.document).cloned().unwrap_or_default());
        sample
    };
    Ok(taken.into_iter().map(sample).collect())
}

/// Adds titles and texts of the documents `wanted`, by their ids.
fn add_documents(
    corpus: &Table,
    wanted: &HashSet<&str>,
    found: &mut HashMap<String, Sample>,
) -> Result<(), DataError> {
    for (row, id) in ids(corpus, id_column(corpus))?.iter().enumerate() {
        if wanted.contains(id) {
            let of_document = cells(corpus, row).into_iter();
            let shown = of_document.filter(|(name, _)| name == "title" || name == "text").collect();
            found.insert(id.to_owned(), shown);
        }
    }
    Ok(())
}

/// The document of a query with the highest grade, of equal ones the first.
struct Best {
    document: String,
    grade: f64,
}

fn best_documents(qrels: &Table) -> Result<HashMap<String, Best>, DataError> {
    let (queries, documents) = (ids(qrels, "query-id")?, ids(qrels, "corpus-id")?);
    let mut best: HashMap<String, Best> = HashMap::new();
    for (row, grade) in qrels.written_floats("score")?.into_iter().enumerate() {
        let found = best.get(&queries[row]);
        if found.is_none_or(|found| found.grade < grade) {
            best.insert(queries[row].to_owned(), Best { document: documents[row].to_owned(), grade });
        }
    }
    Ok(best)
}

/// Instructions by query.
fn instructions(unit: &Unit) -> Result<HashMap<String, Value>, DataError> {
    let Some(table) = unit.get(Part::Instruction) else { return Ok(HashMap::new()) };
    let instructions = table.column("instruction")?;
    let queries = ids(table, "query-id")?;
    Ok(queries.iter().enumerate().map(|(row, query)| (query.to_owned(), instructions.value(row))).collect())
}

/// All columns of a row.
pub fn cells(table: &Table, row: usize) -> Sample {
    let cell = |name: &str| Some((name.to_owned(), table.get(name)?.value(row)));
    table.names().filter_map(cell).collect()
}

/// At most `count` of `all` places, at equal steps.
fn steps(all: usize, count: usize) -> impl Iterator<Item = usize> {
    let count = count.min(all);
    (0..count).map(move |place| place * all / count)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mteb_data::read_json_lines;
    use serde_json::json;

    use super::*;

    fn table(rows: &[Value]) -> Table {
        let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
        read_json_lines("f.jsonl", lines.join("\n").as_bytes()).unwrap()
    }

    fn unit(parts: impl IntoIterator<Item = (Part, Table)>) -> Unit {
        Unit {
            is_own: true,
            ..Unit::new(["T", "test", "default"], parts.into_iter().collect::<BTreeMap<_, _>>())
        }
    }

    #[test]
    fn rows_are_taken_at_equal_steps() {
        let rows: Vec<Value> = (0..7).map(|row| json!({"text": format!("t{row}"), "label": row})).collect();
        let found = samples(&unit([(Part::Rows, table(&rows))]), 3).unwrap();
        let expected =
            json!([{"text": "t0", "label": 0}, {"text": "t2", "label": 2}, {"text": "t4", "label": 4}]);
        assert_eq!(json!(found), expected);
    }

    #[test]
    fn no_more_rows_are_shown_than_there_are() {
        let found = samples(&unit([(Part::Rows, table(&[json!({"text": "t"})]))]), 5).unwrap();
        assert_eq!(json!(found), json!([{"text": "t"}]));
    }

    #[test]
    fn a_query_comes_with_its_best_document_and_its_instruction() {
        let unit = unit([
            (
                Part::Queries,
                table(&[json!({"id": "q0", "text": "nobody judged"}), json!({"id": "q1", "text": "apa?"})]),
            ),
            (
                Part::Corpus,
                table(&[
                    json!({"id": "d1", "title": "a", "text": "x"}),
                    json!({"id": "d2", "title": "b", "text": "y"}),
                ]),
            ),
            (
                Part::Qrels,
                table(&[
                    json!({"query-id": "q1", "corpus-id": "d1", "score": 1}),
                    json!({"query-id": "q1", "corpus-id": "d2", "score": 2}),
                ]),
            ),
            (Part::Instruction, table(&[json!({"query-id": "q1", "instruction": "jawab"})])),
        ]);
        let expected = json!([{
            "query-id": "q1", "query": "apa?", "instruction": "jawab",
            "corpus-id": "d2", "score": 2.0, "title": "b", "text": "y",
        }]);
        assert_eq!(json!(samples(&unit, 3).unwrap()), expected);
    }

    #[test]
    fn a_corpus_is_read_no_further_than_to_the_documents_of_the_examples() {
        let unit = unit([
            (Part::Queries, table(&[json!({"id": "q", "text": "apa?"})])),
            (Part::Qrels, table(&[json!({"query-id": "q", "corpus-id": "d", "score": 1})])),
        ]);
        let chunk = |id: &str| table(&[json!({"id": id, "title": "", "text": format!("text {id}")})]);
        let source = std::io::Error::other("read too far");
        let end = Err(DataError::Io { path: "corpus".into(), source });
        let chunks = [Ok(chunk("c")), Ok(chunk("d")), end];
        let found = samples_of(&unit, Some(chunks.into_iter()), 3).unwrap();
        assert_eq!(found[0]["text"], "text d");
    }
}
