//! What others published and contradicts itself: it is marked where nobody can tell which number is wrong, and no published score is lost.

use std::collections::BTreeMap;

use mteb_report::reading::{Checks, Collection};
use mteb_report::table::{Board, BoardWarning, CellNote, Tasks};

use crate::facts::Fixture;
use crate::reading::collection_with;

fn board(name: &str, collection: &Collection) -> Board {
    let fixture = Fixture::read();
    let benchmark = fixture.benchmark(name);
    Board::new(&benchmark, Tasks::Selected, collection, &fixture.facts(), &fixture.similar(), Checks::All)
}

#[test]
fn explore() {
    let Some(collection) = collection_with(Checks::All) else { return };
    for name in ["MTEB(eng, v1)", "MTEB(kor, v1)"] {
        let board = board(name, &collection);
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for row in &board.rows {
            for (column, cell) in board.columns.iter().zip(&row.cells) {
                for note in &cell.notes {
                    let kind = match note {
                        CellNote::Data(_) => "data".to_owned(),
                        CellNote::Measure(why) => why.clone(),
                        CellNote::Doubt(_) => "doubt".to_owned(),
                        _ => "?".to_owned(),
                    };
                    *counts
                        .entry(format!("{} {} {kind}", column.task.task_type, column.task.main_score))
                        .or_default() += 1;
                }
            }
        }
        println!("{name} {counts:#?}");
        for warning in board
            .warnings
            .iter()
            .filter(|warning| matches!(warning, BoardWarning::Score(_) | BoardWarning::File(_)))
        {
            println!("LEFT {warning}");
        }
    }
}
