//! The columns of the parts of a search: ids, texts, judgements.

use mteb_data::Table;
use mteb_tasks::Part;

use super::columns::Taken;

/// What others call a column of a part.
const CALLED: [(&str, &[&str]); 8] = [
    (
        "_id",
        &[
            "id",
            "docid",
            "doc_id",
            "document_id",
            "corpus-id",
            "corpus_id",
            "pid",
            "did",
            "passage_id",
            "qid",
            "query_id",
            "query-id",
        ],
    ),
    (
        "text",
        &[
            "content", "contents", "body", "passage", "document", "abstract", "query", "question",
            "sentence", "teks", "isi",
        ],
    ),
    ("title", &["headline", "judul"]),
    ("query-id", &["query_id", "queryid", "qid", "topic", "topic_id", "query"]),
    (
        "corpus-id",
        &["corpus_id", "corpusid", "docid", "doc_id", "document_id", "did", "pid", "passage_id", "document"],
    ),
    ("score", &["relevance", "grade", "rel", "label", "judgement", "rating"]),
    ("corpus-ids", &["corpus_ids", "docids", "doc_ids", "candidates", "documents"]),
    ("instruction", &["instruct", "narrative"]),
];

/// The columns that `part` needs and `table` calls otherwise; `Err` with the first one for which nothing can be meant.
///
/// # Errors
/// The name of the column that is absent.
pub fn part_columns(part: Part, table: &Table) -> Result<Vec<Taken>, &'static str> {
    let mut taken = Vec::new();
    for &column in needed(part) {
        // Ids may be called `id`, which the host reads too.
        if table.get(column).is_some() || (column == "_id" && table.get("id").is_some()) {
            continue;
        }
        let names =
            CALLED.iter().find(|(name, _)| *name == column).map_or(&[] as &[&str], |(_, names)| names);
        let found =
            names.iter().find_map(|name| table.names().find(|found| found.eq_ignore_ascii_case(name)));
        match found {
            Some(from) => taken.push(Taken { column, from: from.to_owned() }),
            None if column == "title" => {}
            None => return Err(column),
        }
    }
    Ok(taken)
}

fn needed(part: Part) -> &'static [&'static str] {
    match part {
        Part::Corpus => &["_id", "text", "title"],
        Part::Queries => &["_id", "text"],
        Part::Qrels => &["query-id", "corpus-id", "score"],
        Part::TopRanked | Part::Excluded | Part::QrelDiff => &["query-id", "corpus-ids"],
        Part::Instruction => &["query-id", "instruction"],
        Part::Rows | Part::Train => &[],
    }
}
