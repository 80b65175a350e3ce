//! What is said of whole subsets: each thing once, and nothing is lost over another one.

use std::collections::BTreeMap;

use mteb_data::read_json_lines;

use super::*;

/// A task of this type, whose card ends with `quality`, and its data.
fn task(task_type: &str, quality: &str, parts: &[(Part, &str)]) -> (TaskCard, Unit) {
    let card = format!(
        "schema = 1\nname = \"T\"\ntype = \"{task_type}\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"d\"\n{quality}"
    );
    let card = TaskCard::from_toml(&card).unwrap();
    let table = |&(part, lines): &(Part, &str)| {
        (part, read_json_lines(&format!("{}.jsonl", part.as_str()), lines.as_bytes()).unwrap())
    };
    let parts: BTreeMap<Part, Table> = parts.iter().map(table).collect();
    let unit = Unit::of(&card, "test", "default", parts);
    (card, unit)
}

/// What is said of the data of a task of this type, whose card ends with `quality`.
fn examined(task_type: &str, quality: &str, parts: &[(Part, &str)]) -> Examination {
    let (card, unit) = task(task_type, quality, parts);
    examine(&card, "default", &[unit]).unwrap()
}

/// The faults that a check found, each with its rows.
fn found(examination: &Examination, check: &str) -> Vec<String> {
    let own = examination.faults.iter().filter(|fault| fault.check == check);
    own.map(ToString::to_string).collect()
}

fn noted(examination: &Examination, words: &str) -> usize {
    examination.notes.iter().filter(|note| note.contains(words)).count()
}

const DECLARED: &str = "[quality]\n";

#[test]
fn an_empty_query_and_an_empty_document_are_told_once() {
    let parts = [
        (Part::Queries, "{\"_id\": \"q1\", \"text\": \"apa\"}\n{\"_id\": \"q2\", \"text\": \" \"}\n"),
        (Part::Corpus, "{\"_id\": \"d1\", \"text\": \"isi\"}\n{\"_id\": \"d2\", \"text\": \"\"}\n"),
        (
            Part::Qrels,
            "{\"query-id\": \"q1\", \"corpus-id\": \"d1\", \"score\": 1}\n{\"query-id\": \"q2\", \"corpus-id\": \"d1\", \"score\": 1}\n",
        ),
    ];
    let declared = examined("Retrieval", DECLARED, &parts);
    assert_eq!(
        found(&declared, EMPTY_TEXTS),
        ["queries row 2", "corpus row 2"].map(|row| format!(
            "T, split test, {row}: expected a text in `text`, found an empty one; write the text or remove the row"
        ))
    );
    assert_eq!(noted(&declared, "scored as they are"), 0, "the faults say it: {:?}", declared.notes);
    let undeclared = examined("Retrieval", "", &parts);
    assert_eq!(found(&undeclared, EMPTY_TEXTS).len(), 0);
    assert_eq!(noted(&undeclared, "scored as they are"), 2, "{:?}", undeclared.notes);
}

#[test]
fn a_text_that_shows_nothing_is_empty_to_its_reader() {
    let rows = "{\"text\": \"baik\", \"label\": 1}\n{\"text\": \"\\u200b\\ufeff\", \"label\": 0}\n{\"text\": \"\", \"label\": 0}\n";
    let train = "{\"text\": \"bagus\", \"label\": 1}\n{\"text\": \"jelek\", \"label\": 0}\n";
    let limits = "[quality]\ncharacters = { text = [3, 9] }\n";
    let examination = examined("Classification", limits, &[(Part::Rows, rows), (Part::Train, train)]);
    assert_eq!(
        found(&examination, EMPTY_TEXTS),
        [
            "T, split test, test row 3: expected a text in `text`, found an empty one; write the text or remove the row",
            "T, split test, test row 2: expected a text in `text`, found one that holds only invisible characters; write the \
             text or remove the row",
        ]
    );
    assert_eq!(
        found(&examination, "lengths").len(),
        0,
        "it is not too short as well: {:?}",
        examination.faults
    );
    let undeclared = examined("Classification", "", &[(Part::Rows, rows), (Part::Train, train)]);
    assert_eq!(
        noted(&undeclared, "2 of 3, the first in rows.jsonl, line 2; 1 of them holds only invisible"),
        1
    );
}

#[test]
fn numbers_agree_with_what_they_count() {
    let rows = "{\"text\": \"baik\", \"label\": 1}\n{\"text\": \"bagus\", \"label\": 1}\n{\"text\": \"enak\", \"label\": 1}\n{\"text\": \"jelek\", \"label\": 0}\n";
    let train = "{\"text\": \"murah\", \"label\": 1}\n{\"text\": \"rusak\", \"label\": 0}\n";
    let examination = examined("Classification", DECLARED, &[(Part::Rows, rows), (Part::Train, train)]);
    let balance = found(&examination, "label balance");
    assert!(balance[0].contains("expected 2 rows with the label “0” in test, found 1; "), "{balance:?}");
}

#[test]
fn a_fault_of_all_labels_does_not_hide_empty_texts_or_too_few_rows() {
    let rows = "{\"text\": \"baik\", \"label\": \"ya\"}\n{\"text\": \"\", \"label\": \"tidak\"}\n";
    let train = "{\"text\": \"bagus\", \"label\": \"ya\"}\n{\"text\": \"jelek\", \"label\": \"tidak\"}\n";
    let parts = [(Part::Rows, rows), (Part::Train, train)];
    let declared = examined("Classification", "[quality]\nrecords = { test = 9 }\n", &parts);
    assert!(found(&declared, CHECK)[0].contains("positive class"), "{:?}", declared.faults);
    assert_eq!(found(&declared, EMPTY_TEXTS).len(), 1, "{:?}", declared.faults);
    assert!(found(&declared, "records")[0].contains("expected at least 9 rows in test, found 2"));
    assert_eq!(noted(&declared, "empty texts"), 0, "the fault says it: {:?}", declared.notes);
    let undeclared = examined("Classification", "", &parts);
    assert_eq!(found(&undeclared, CHECK).len(), 1);
    assert_eq!(noted(&undeclared, "empty texts in `text`"), 1, "{:?}", undeclared.notes);
}

#[test]
fn an_empty_text_of_a_row_that_has_no_label_either_is_told() {
    let rows = "{\"text\": \"baik\", \"label\": 1}\n{\"text\": \"\", \"label\": null}\n{\"text\": \"buruk\", \"label\": 0}\n";
    let train = "{\"text\": \"bagus\", \"label\": 1}\n{\"text\": \"jelek\", \"label\": 0}\n";
    let declared = examined("Classification", DECLARED, &[(Part::Rows, rows), (Part::Train, train)]);
    assert_eq!((found(&declared, CHECK).len(), found(&declared, EMPTY_TEXTS).len()), (1, 1));
}

#[test]
fn a_training_text_in_other_letters_is_told_once_and_a_rewritten_one_beside_it() {
    let rows = "{\"text\": \"HARGA BERAS DI PASAR NAIK LAGI PEKAN INI\", \"label\": 1}\n{\"text\": \"tim nasional menang tiga gol di surabaya lagi\", \"label\": 0}\n";
    let train = "{\"text\": \"Harga beras di pasar naik lagi pekan ini.\", \"label\": 1}\n{\"text\": \"tim nasional menang tiga gol di surabaya\", \"label\": 0}\n";
    let examination = examined("Classification", "", &[(Part::Rows, rows), (Part::Train, train)]);
    assert_eq!(
        noted(&examination, "1 training text among the evaluation texts"),
        1,
        "{:?}",
        examination.notes
    );
    let near = "1 evaluation text is nearly the same as training texts (at least 80 % of their character n-grams), the \
                first: “tim nasional menang tiga gol di surabaya lagi”";
    assert_eq!(noted(&examination, near), 1, "{:?}", examination.notes);
    let alone = rows.lines().next().unwrap();
    let examination = examined("Classification", "", &[(Part::Rows, alone), (Part::Train, train)]);
    assert_eq!(noted(&examination, "nearly the same"), 0, "{:?}", examination.notes);
}

#[test]
fn documents_of_one_text_and_two_titles_are_two_documents() {
    let queries = "{\"_id\": \"q1\", \"text\": \"apa\"}\n";
    let qrels = "{\"query-id\": \"q1\", \"corpus-id\": \"d1\", \"score\": 1}\n";
    let corpus = |titles: [&str; 2]| {
        let line = |(id, title)| {
            format!("{{\"_id\": \"{id}\", \"title\": \"{title}\", \"text\": \"Pasal ini dihapus.\"}}\n")
        };
        ["d1", "d2"].into_iter().zip(titles).map(line).collect::<String>()
    };
    let faults = |titles: [&str; 2]| {
        let corpus = corpus(titles);
        let parts = [(Part::Queries, queries), (Part::Qrels, qrels), (Part::Corpus, corpus.as_str())];
        found(&examined("Retrieval", DECLARED, &parts), "duplicates")
    };
    let of_two: [String; 0] = [];
    assert_eq!(faults(["Undang-undang kehutanan nomor empat", "Peraturan menteri perdagangan"]), of_two);
    assert_eq!(
        faults(["Hutan", "HUTAN"]),
        [
            "T, split test, corpus rows 1 and 2: the same text: “Hutan Pasal ini dihapus.” and “HUTAN Pasal ini dihapus.”; \
             remove or rewrite one of them"
        ]
    );
}

#[test]
fn judgements_that_lead_nowhere_fill_no_set() {
    let queries = "{\"_id\": \"q1\", \"text\": \"apa\"}\n";
    let corpus = "{\"_id\": \"d1\", \"text\": \"isi\"}\n{\"_id\": \"d2\", \"text\": \"lain\"}\n";
    let qrels = "{\"query-id\": \"q1\", \"corpus-id\": \"d1\", \"score\": 1}\n{\"query-id\": \"q1\", \"corpus-id\": \"gone\", \"score\": 2}\n{\"query-id\": \"gone\", \"corpus-id\": \"d1\", \"score\": 2}\n";
    let limits = "[quality]\nrecords = { qrels = 3 }\ntop_grade = 2\n";
    let parts = [(Part::Queries, queries), (Part::Qrels, qrels), (Part::Corpus, corpus)];
    let examination = examined("Retrieval", limits, &parts);
    let records = found(&examination, "records");
    assert!(
        records[0].contains("expected at least 3 rows in qrels, found 1 whose query and document exist; "),
        "{records:?}"
    );
    let grades = found(&examination, "grades");
    assert!(grades[0].contains("expected a document with grade 2 for query q1, found none"), "{grades:?}");
    assert_eq!(found(&examination, "ids").len(), 2, "each is named: {:?}", examination.faults);
}

#[test]
fn a_query_may_lack_both_the_top_grade_and_enough_grades() {
    let queries = "{\"_id\": \"q1\", \"text\": \"apa\"}\n";
    let corpus = "{\"_id\": \"d1\", \"text\": \"isi\"}\n";
    let qrels = "{\"query-id\": \"q1\", \"corpus-id\": \"d1\", \"score\": 1}\n";
    let limits = "[quality]\ntop_grade = 2\nmin_grades = 3\n";
    let parts = [(Part::Queries, queries), (Part::Qrels, qrels), (Part::Corpus, corpus)];
    let grades = found(&examined("Retrieval", limits, &parts), "grades");
    let expected = [
        "a document with grade 2 for query q1, found none",
        "at least 3 different grades for query q1, found 1",
    ];
    assert_eq!(grades.len(), expected.len(), "{grades:?}");
    for (grade, expected) in grades.iter().zip(expected) {
        assert!(grade.contains(&format!("expected {expected}; ")), "{grade}");
    }
}

#[test]
fn each_query_has_a_list_of_candidates_that_exist_and_are_not_repeated() {
    let queries =
        ["q1", "q2", "q3", "q4"].map(|id| format!("{{\"_id\": \"{id}\", \"text\": \"apa {id}\"}}\n"));
    let corpus = ["d1", "d2"].map(|id| format!("{{\"_id\": \"{id}\", \"text\": \"isi {id}\"}}\n"));
    let qrels = ["q1", "q2", "q3", "q4"]
        .map(|id| format!("{{\"query-id\": \"{id}\", \"corpus-id\": \"d1\", \"score\": 1}}\n"));
    let lists = [("q1", "\"d1\", \"d2\""), ("q2", "\"d1\", \"gone\""), ("q3", "\"d1\", \"d2\", \"d1\"")]
        .map(|(id, listed)| format!("{{\"query-id\": \"{id}\", \"corpus-ids\": [{listed}]}}\n"));
    let parts = [
        (Part::Queries, &*queries.concat()),
        (Part::Qrels, &*qrels.concat()),
        (Part::Corpus, &*corpus.concat()),
        (Part::TopRanked, &*lists.concat()),
    ];
    let examination = examined("Reranking", "[quality]\nmin_candidates = 2\n", &parts);
    assert_eq!(
        found(&examination, "candidates"),
        [
            "T, split test, top_ranked row 2: expected at least 2 different candidates, found 1; complete the list",
            "T, split test, top_ranked row 3: expected each candidate once, found 1 repeated one among 3; complete the list",
            "T, split test, queries row 4: expected at least 2 different candidates of query q4, found no list of it; add a \
             list, or remove the query",
        ]
    );
}

#[test]
fn the_card_says_how_far_apart_values_of_one_text_may_be() {
    let rows = "{\"text\": \"murah\", \"value\": 1}\n{\"text\": \"mahal\", \"value\": 9}\n{\"text\": \"sedang\", \"value\": 5}\n{\"text\": \"sedang\", \"value\": 7}\n";
    let train = "{\"text\": \"lama\", \"value\": 2}\n{\"text\": \"baru\", \"value\": 8}\n";
    let parts = [(Part::Rows, rows), (Part::Train, train)];
    let told = |quality: &str| found(&examined("Regression", quality, &parts), "contradictions");
    assert_eq!(told(DECLARED).len(), 0);
    assert_eq!(
        told("[quality]\nmax_difference = 0.5\n"),
        [
            "T, split test, test rows 3 and 4: the same text with the values 5 and 7: “sedang”; correct one of them, or remove the \
             row"
        ]
    );
    let undeclared =
        examined("Regression", "", &[(Part::Rows, &rows.replace("7}", "9}")), (Part::Train, train)]);
    assert_eq!(noted(&undeclared, "1 text has rows that contradict each other"), 1, "{:?}", undeclared.notes);
}

/// Rows of pairs with scores.
fn pairs(rows: &[(&str, &str, f64)]) -> String {
    let line = |(left, right, score): &(&str, &str, f64)| {
        format!("{{\"sentence1\": \"{left}\", \"sentence2\": \"{right}\", \"score\": {score}}}\n")
    };
    rows.iter().map(line).collect()
}

#[test]
fn a_repeated_pair_is_one_fault() {
    let rows =
        pairs(&[("apa kabar", "baik saja", 4.0), ("hujan", "panas", 0.0), ("Apa kabar?", "Baik saja.", 4.5)]);
    let examination = examined("STS", DECLARED, &[(Part::Rows, &rows)]);
    assert_eq!(
        found(&examination, "duplicates"),
        [
            "T, split test, test rows 1 and 3: the same texts in `sentence1` and `sentence2`: “apa kabar” and “baik saja”; remove \
             or rewrite one of them"
        ]
    );
    let turned =
        pairs(&[("apa kabar", "baik saja", 4.0), ("hujan", "panas", 0.0), ("baik saja", "apa kabar", 4.5)]);
    assert_eq!(found(&examined("STS", DECLARED, &[(Part::Rows, &turned)]), "duplicates").len(), 1);
    let half =
        pairs(&[("apa kabar", "baik saja", 4.0), ("hujan", "panas", 0.0), ("apa kabar", "siapa itu", 4.5)]);
    let half = found(&examined("STS", DECLARED, &[(Part::Rows, &half)]), "duplicates");
    assert!(half.len() == 1 && half[0].contains("the same text in `sentence1`: “apa kabar”"), "{half:?}");
}

#[test]
fn sides_that_are_the_same_are_told_whatever_other_rows_hold() {
    let told = |rows: &[(&str, &str, f64)], row: usize| {
        let told = found(&examined("STS", DECLARED, &[(Part::Rows, &pairs(rows))]), "duplicates");
        let fault = format!("test row {row}: the two texts are the same: “Kucing tidur”; rewrite one");
        told.iter().filter(|other| other.contains(&fault)).count()
    };
    let same = ("Kucing tidur", "Kucing tidur", 5.0);
    let others = [("Kucing tidur", "Anjing lari", 3.0), ("Kucing tidur", "Burung", 1.0)];
    assert_eq!(told(&[others[0], same], 2), 1);
    assert_eq!(told(&[others[0], others[1], others[0], same], 4), 1);
    assert_eq!(told(&[same, others[0], others[1]], 1), 1);
}

/// Two texts with a similarity of 0.83.
const RICE: &str = "harga beras di pasar naik lagi pekan ini";
const NEARLY: &str = "harga beras di pasar naik lagi pekan lalu";

#[test]
fn a_text_that_is_nearly_the_same_as_many_equal_ones_is_told_once() {
    let row = |text: &str| format!("{{\"text\": \"{text}\", \"label\": 1}}\n");
    let rows = row(RICE).repeat(20_000) + &row(NEARLY);
    let (card, unit) = task("Classification", DECLARED, &[(Part::Rows, &rows)]);
    let units = [unit];
    let data = SubsetData::new(&card, &units).unwrap();
    let faults = duplicates::check(&data, &Contradicted::default()).faults;
    let count = |check: &str| faults.iter().filter(|fault| fault.check == check).count();
    assert_eq!([count("duplicates"), count("near duplicates")], [19_999, 1]);
}

#[test]
fn a_text_that_is_there_twice_is_near_what_one_of_the_two_may_be_near() {
    let near = |quality: &str, rows: &[(&str, &str, f64)]| {
        found(&examined("STS", quality, &[(Part::Rows, &pairs(rows))]), "near duplicates")
    };
    let (train, panda, goals) = ("kereta malam terlambat", "bayi panda lahir", "tim nasional menang");
    assert_eq!(near(DECLARED, &[(RICE, NEARLY, 4.0), (goals, train, 0.0)]).len(), 0, "one row");
    let twice = near(DECLARED, &[(RICE, NEARLY, 4.0), (RICE, train, 0.0)]);
    assert!(twice.len() == 1 && twice[0].contains("test rows 2 and 1: nearly the same text"), "{twice:?}");
    // The column may repeat, and the text is in the other one, too.
    let rows = [(RICE, train, 0.0), (NEARLY, panda, 0.0), (goals, RICE, 0.0)];
    let may_repeat = "[quality]\nmay_repeat = [\"sentence1\"]\n";
    assert_eq!([near(DECLARED, &rows).len(), near(may_repeat, &rows).len()], [2, 1]);
}

#[test]
fn a_contradiction_says_that_the_texts_are_the_same() {
    let rows =
        pairs(&[("apa kabar", "baik saja", 5.0), ("hujan", "panas", 0.0), ("apa kabar", "baik saja", 1.0)]);
    let examination = examined("STS", DECLARED, &[(Part::Rows, &rows)]);
    assert_eq!(found(&examination, "contradictions").len(), 1);
    assert_eq!(found(&examination, "duplicates").len(), 0, "{:?}", examination.faults);
}

#[test]
fn a_contradicted_leak_is_one_fault_and_another_copy_is_told() {
    let rows = "{\"text\": \"enak\", \"label\": 1}\n{\"text\": \"hambar\", \"label\": 0}\n{\"text\": \"enak!\", \"label\": 1}\n";
    let train = "{\"text\": \"enak\", \"label\": 0}\n{\"text\": \"lezat\", \"label\": 1}\n{\"text\": \"hambar\", \"label\": 0}\n";
    let examination = examined("Classification", DECLARED, &[(Part::Rows, rows), (Part::Train, train)]);
    assert_eq!(
        found(&examination, "contradictions"),
        [
            "T, split test, test row 1 and train row 1: the same text with the labels 0 and 1: “enak”; remove or rewrite the \
             training row, and correct the other one if it is wrong"
        ]
    );
    let leaks = found(&examination, "train/test overlap");
    assert!(leaks.len() == 1 && leaks[0].contains("test row 2 and train row 3"), "{leaks:?}");
    let copies = found(&examination, "duplicates");
    assert!(copies.len() == 1 && copies[0].contains("test rows 1 and 3"), "{copies:?}");
}
