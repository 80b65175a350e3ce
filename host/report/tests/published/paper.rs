//! The paper's own result files give the averages of its tables 1 and 11.

use crate::page::board;

/// Models of the paper, and their averages over its 56 English datasets.
/// Source: Muennighoff et al. 2023, table 1.
const AVERAGES: [(&str, &str); 5] = [
    ("sentence-transformers/gtr-t5-base", "56.19"),
    ("sentence-transformers/gtr-t5-xl", "58.42"),
    ("sentence-transformers/gtr-t5-xxl", "58.97"),
    ("sentence-transformers/sentence-t5-xl", "57.87"),
    ("sentence-transformers/sentence-t5-xxl", "59.51"),
];

#[test]
fn old_files_give_the_papers_averages_and_say_what_was_read_in_them() {
    let Some(board) = board("MTEB(eng, v1)") else { return };
    for (model, expected) in AVERAGES {
        let row = board.rows_of(model)[0];
        let missing: Vec<&str> = row
            .cells
            .iter()
            .zip(&board.columns)
            .filter(|(cell, _)| cell.complete.is_none())
            .map(|(_, column)| column.task.name.as_str())
            .collect();
        assert_eq!(missing, Vec::<&str>::new(), "{model}");
        assert_eq!(row.mean.map(|mean| format!("{:.2}", 100.0 * mean)).as_deref(), Some(expected), "{model}");
        // What was read under another name is marked.
        for (cell, column) in row.cells.iter().zip(&board.columns) {
            if column.task.task_type == "Reranking" {
                assert!(
                    cell.is_marked && cell.notes.iter().any(|note| note.why().contains("`map`")),
                    "{:?}",
                    cell.notes
                );
            }
        }
    }
    let toxic =
        board.columns.iter().position(|column| column.task.name == "ToxicConversationsClassification");
    let cell = &board.rows_of("sentence-transformers/gtr-t5-base")[0].cells[toxic.unwrap()];
    assert_eq!(cell.complete.map(|score| format!("{:.2}", 100.0 * score)).as_deref(), Some("66.60"));
    assert!(cell.notes.iter().any(|note| note.why().contains("`ap`")), "{:?}", cell.notes);
}
