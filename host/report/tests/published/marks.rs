//! What others published and contradicts itself: it is marked where nobody can tell which number is wrong, and no such score is lost.

use mteb_report::reading::Checks;
use mteb_report::table::{Board, BoardWarning, CellNote, Tasks};

use crate::facts::Fixture;
use crate::reading::collection_with;

#[test]
fn scores_that_their_parts_contradict_are_marked_and_none_of_them_is_left_out() {
    let Some(collection) = collection_with(Checks::All) else { return };
    let (fixture, similar) = (Fixture::read(), Fixture::read().similar());
    let benchmark = fixture.benchmark("MTEB(eng, v1)");
    let board = Board::new(&benchmark, Tasks::Selected, &collection, &fixture.facts(), &similar, Checks::All);
    let doubtful = |task_type: &str| {
        let of_row = |cells: &[mteb_report::table::Cell]| {
            let of_type = board.columns.iter().zip(cells);
            let of_type = of_type.filter(|(column, _)| column.task.task_type == task_type);
            of_type.filter(|(_, cell)| cell.notes.iter().any(CellNote::is_doubt)).count()
        };
        board.rows.iter().map(|row| of_row(&row.cells)).sum::<usize>()
    };
    assert_eq!((doubtful("Clustering"), doubtful("PairClassification")), (33, 3));
    let types = ["Clustering", "PairClassification"];
    let is_of_types = |task: &str| {
        board
            .columns
            .iter()
            .any(|column| column.task.name == task && types.contains(&column.task.task_type.as_str()))
    };
    let is_lost =
        |warning: &&BoardWarning| matches!(warning, BoardWarning::Score(score) if is_of_types(&score.task));
    assert_eq!(board.warnings.iter().find(is_lost), None);
}
