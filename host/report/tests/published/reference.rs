//! The reference's tables of the published results: the same models, and every figure of each.

use std::collections::BTreeMap;

use mteb_report::table::{ReferenceRow, ReferenceTable};

use crate::facts::Fixture;
use crate::reading::collection;
use crate::shared::shared;

/// Room for the order of additions.
const ROUNDING: f64 = 1e-9;

#[test]
fn the_table_of_mteb_eng_v1_equals_the_reference_without_an_exception() {
    assert_equal("MTEB(eng, v1)", "golden_mteb_eng_v1.csv", 308);
}

#[test]
fn the_table_of_mteb_kor_v1_equals_the_reference_without_an_exception() {
    assert_equal("MTEB(kor, v1)", "golden_mteb_kor_v1.csv", 165);
}

fn assert_equal(benchmark: &str, golden: &str, models: usize) {
    let Some(collection) = collection() else { return };
    let fixture = Fixture::read();
    let table =
        ReferenceTable::new(&fixture.benchmark(benchmark), &collection, &fixture.facts(), &fixture.similar());
    let rows: BTreeMap<&str, &ReferenceRow> =
        table.rows.iter().map(|row| (row.model.as_str(), row)).collect();
    let mut reader = csv::Reader::from_path(shared().unwrap().join(golden)).unwrap();
    let titles = reader.headers().unwrap().clone();
    let mut faults = Vec::new();
    let mut seen = 0;
    for record in reader.records() {
        let record = record.unwrap();
        let expected: BTreeMap<&str, &str> = titles.iter().zip(record.iter()).collect();
        seen += 1;
        match rows.get(expected["Model"]) {
            Some(row) => faults.extend(differences(&table.types, row, &expected)),
            None => faults.push(format!("{}: expected, not found", expected["Model"])),
        }
    }
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!((seen, table.rows.len(), table.types.len()), (models, models, titles.len() - 11));
}

fn differences(types: &[String], row: &ReferenceRow, expected: &BTreeMap<&str, &str>) -> Vec<String> {
    let mut found = vec![
        ("Rank (Borda)", Some(row.rank as f64)),
        ("Zero-shot", Some(row.zero_shot as f64)),
        ("Active Parameters (B)", row.active_parameters),
        ("Total Parameters (B)", row.parameters),
        ("Embedding Dimensions", row.dimension.map(f64::from)),
        ("Max Tokens", row.max_tokens.map(f64::from)),
        ("Mean (Task)", row.mean_task),
        ("Mean (TaskType)", row.mean_task_type),
    ];
    found.extend(types.iter().map(String::as_str).zip(row.types.iter().copied()));
    let mut faults: Vec<String> = found
        .into_iter()
        .filter_map(|(title, found)| {
            let expected = expected[title].parse::<f64>().ok();
            let is_equal = match (expected, found) {
                (Some(expected), Some(found)) => (expected - found).abs() <= ROUNDING,
                (expected, found) => expected == found,
            };
            (!is_equal).then(|| format!("{}, {title}: expected {expected:?}, found {found:?}", row.model))
        })
        .collect();
    let date = row.release_date.as_deref().unwrap_or_default();
    if date != expected["Release Date"] {
        faults.push(format!("{}: expected the date {}, found {date}", row.model, expected["Release Date"]));
    }
    faults
}
