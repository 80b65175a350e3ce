//! The gate of artefacts: what gives the answer away without being read is planted in small sets, and found;
//! the bundled sets with instructions tell a model that follows them from one that ignores them.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;

use mteb_host_tests::{Run, host, root};
use serde_json::{Value, json};

/// Words without meaning for each other.
const WORDS: [&str; 40] = [
    "pagi", "kopi", "jalan", "motor", "hujan", "rumah", "pasar", "beras", "sawah", "kapal", "laut", "ikan",
    "guru", "buku", "meja", "pintu", "kucing", "pohon", "daun", "batu", "sungai", "perahu", "kota", "desa",
    "kereta", "tiket", "harga", "uang", "bank", "surat", "kantor", "lampu", "malam", "bulan", "awan",
    "angin", "gunung", "api", "asap", "kayu",
];

/// Texts of ten words, another one each time.
struct Texts(u64);

impl Texts {
    fn words(&mut self, count: usize) -> String {
        let mut word = || {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            WORDS[(self.0 >> 33) as usize % WORDS.len()]
        };
        (0..count).map(|_| word()).collect::<Vec<_>>().join(" ")
    }
}

/// A set in a folder of its own.
struct Set(tempfile::TempDir);

impl Set {
    /// A set of a type, with limits and, of a search, the names of its parts.
    fn new(task_type: &str, limits: &str, parts: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("data")).unwrap();
        let parts: String =
            parts.iter().map(|part| format!("parts.{part}.file = \"{part}.jsonl\"\n")).collect();
        let card = format!(
            "schema = 1\nname = \"Planted\"\ntype = \"{task_type}\"\ndescription = \"For tests.\"\nlanguages = [\"ind-Latn\"]\n\
             [dataset]\npath = \"data\"\n{parts}\n[quality]\nmax_similarity = 1.0\n{limits}\n"
        );
        fs::write(folder.path().join("card.toml"), card).unwrap();
        Self(folder)
    }

    fn with(self, part: &str, rows: &[Value]) -> Self {
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        fs::write(self.0.path().join(format!("data/{part}.jsonl")), lines).unwrap();
        self
    }

    fn gate(&self, more: &[&str]) -> Run {
        Run::of(host(self.0.path()).args(["validate", "--data", "card.toml"]).args(more)).unwrap()
    }

    /// The message of each fault that a check finds.
    fn faults(&self, check: &str) -> Vec<String> {
        let gate = self.gate(&["--json"]);
        let report = gate.json().unwrap_or_else(|error| panic!("{error}: {}", gate.stderr));
        let faults = report["tasks"][0]["examined"][0]["faults"].as_array().unwrap().clone();
        let own = faults.iter().filter(|fault| fault["check"] == check);
        own.map(|fault| fault["message"].as_str().unwrap().to_owned()).collect()
    }

    fn finds(&self, check: &str, message: &str) {
        let found = self.faults(check);
        assert!(
            found.len() == 1 && found[0].starts_with(message),
            "expected {check}: {message}, found {found:?}"
        );
    }
}

/// Rows of two labels in turn; `text` makes the text of a row from whether it has the second label.
fn make_rows(mut text: impl FnMut(&mut Texts, bool) -> String) -> Vec<Value> {
    let mut texts = Texts(1);
    let row = |row: usize| {
        let is_second = row % 2 == 1;
        json!({ "text": text(&mut texts, is_second), "label": if is_second { "senang" } else { "kesal" } })
    };
    (0..120).map(row).collect()
}

fn make_set(limits: &str, test: &[Value]) -> Set {
    let limits = format!("[quality.artefacts]\n{limits}");
    Set::new("Classification", &limits, &[])
        .with("test", test)
        .with("train", &make_rows(|texts, _| texts.words(12))[..20])
}

#[test]
fn texts_whose_looks_tell_the_label_are_found() {
    let limits = "max_surface = 0.7";
    let planted =
        make_set(limits, &make_rows(|texts, is_second| texts.words(10) + if is_second { "!" } else { "." }));
    planted.finds(
        "surface only",
        "expected an accuracy of a classifier that sees only lengths, digits, punctuation, capitals and first \
         words at most 0.7, found 1.000 (chance 0.50)",
    );
    let said = planted.gate(&[]);
    assert_eq!(said.code, Some(1));
    assert!(
        said.stderr.contains("error: Planted, split test: expected an accuracy of a classifier"),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains("balance these over the labels or scores"), "{}", said.stderr);
    assert!(make_set(limits, &make_rows(|texts, _| texts.words(10))).faults("surface only").is_empty());
}

#[test]
fn texts_that_name_their_label_are_found() {
    let limits = "max_label_words = 0.1";
    let named = |texts: &mut Texts, is_second| {
        texts.words(5) + if is_second { " Senang " } else { " " } + &texts.words(4)
    };
    let planted = make_set(limits, &make_rows(named));
    planted.finds(
        "label words",
        "expected a share of the texts that contain their label at most 0.1, found 0.500",
    );
    assert!(make_set(limits, &make_rows(|texts, _| texts.words(10))).faults("label words").is_empty());
}

/// Pairs whose second text is made from the first and from whether they belong together.
fn pairs(limits: &str, mut second: impl FnMut(&mut Texts, &str, bool) -> String) -> Set {
    let mut texts = Texts(2);
    let row = |row: usize| {
        let (first, is_pair) = (texts.words(10), row % 2 == 1);
        json!({ "sentence1": first, "sentence2": second(&mut texts, &first, is_pair), "labels": usize::from(is_pair) })
    };
    let rows: Vec<Value> = (0..120).map(row).collect();
    Set::new("PairClassification", &format!("[quality.artefacts]\n{limits}"), &[]).with("test", &rows)
}

#[test]
fn pairs_of_which_one_text_says_enough_are_found() {
    let limits = "max_one_side = 0.75";
    let told = |texts: &mut Texts, _: &str, is_pair| {
        texts.words(5) + if is_pair { " " } else { " tidak " } + &texts.words(5)
    };
    let planted = pairs(limits, told);
    planted.finds(
        "one side",
        "expected an AUC of a classifier that sees only the second text of each pair at most 0.75, found 1.000 \
         (chance 0.50)",
    );
    assert!(pairs(limits, |texts, _, _| texts.words(10)).faults("one side").is_empty());
}

#[test]
fn pairs_that_share_words_where_they_should_not_are_found() {
    let limits = "tfidf = [0.3, 0.7]";
    let copied = |of: bool| {
        move |texts: &mut Texts, first: &str, is_pair: bool| {
            if is_pair == of { format!("{first} {}", texts.words(2)) } else { texts.words(12) }
        }
    };
    let said = "expected an AUC of similarity by character TF-IDF at";
    pairs(limits, copied(true)).finds("TF-IDF", &format!("{said} most 0.7, found 1.000 (chance 0.50)"));
    pairs(limits, copied(false)).finds("TF-IDF", &format!("{said} least 0.3, found 0.000 (chance 0.50)"));
    assert!(pairs(limits, |texts, _, _| texts.words(12)).faults("TF-IDF").is_empty());
}

/// Thirty queries with six candidates each, of which the first two are relevant, of grade 2 and 1; `document` makes a document
/// from its query and its grade.
fn reranking(limits: &str, mut document: impl FnMut(&mut Texts, &str, usize) -> String) -> Set {
    let mut texts = Texts(3);
    let (mut queries, mut corpus, mut qrels, mut lists) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for query in 0..30 {
        let (name, text) = (format!("q{query}"), texts.words(5));
        let ids: Vec<String> = (0..6).map(|place| format!("d{query}-{place}")).collect();
        for (place, id) in ids.iter().enumerate() {
            let grade = 2_usize.saturating_sub(place);
            corpus.push(json!({ "_id": id, "title": "", "text": document(&mut texts, &text, grade) }));
            if place < 5 {
                qrels.push(json!({ "query-id": name, "corpus-id": id, "score": grade }));
            }
        }
        queries.push(json!({ "_id": name, "text": text }));
        lists.push(json!({ "query-id": name, "corpus-ids": ids }));
    }
    let parts = [("queries", &queries), ("corpus", &corpus), ("qrels", &qrels), ("top_ranked", &lists)];
    let set = Set::new("Reranking", &format!("[quality.artefacts]\n{limits}"), &parts.map(|(part, _)| part));
    parts.into_iter().fold(set, |set, (part, rows)| set.with(part, rows))
}

/// A document that shares no more with its query than others do.
fn foreign(texts: &mut Texts, _: &str, _: usize) -> String {
    texts.words(10)
}

/// A document that has as many words of its query as its grade says.
fn make_graded(texts: &mut Texts, query: &str, grade: usize) -> String {
    let shared: Vec<&str> = query.split(' ').take(2 * grade).collect();
    format!("{} {}", shared.join(" "), texts.words(10 - shared.len()))
}

#[test]
fn documents_that_are_told_without_the_query_are_found() {
    let limits = "max_query_blind = 0.8";
    let told = |texts: &mut Texts, _: &str, grade| {
        if grade > 0 { "cara " } else { "" }.to_owned() + &texts.words(10)
    };
    reranking(limits, told).finds(
        "query-blind",
        "expected a MAP of a classifier that sees the documents but not the query at most 0.8, found 1.000 \
         (chance 0.59)",
    );
    assert!(reranking(limits, foreign).faults("query-blind").is_empty());
}

#[test]
fn rankings_that_shared_words_solve_or_invert_are_found() {
    let (limits, alike) =
        ("bm25 = [0.3, 0.8]\ntfidf = [0.3, 0.8]", |_: &mut Texts, query: &str, grade| query.repeat(grade));
    let planted =
        reranking(limits, move |texts, query, grade| alike(texts, query, grade) + " " + &texts.words(8));
    for (check, of) in [("BM25", "BM25"), ("TF-IDF", "similarity by character TF-IDF")] {
        planted.finds(check, &format!("expected an nDCG@10 of {of} at most 0.8, found "));
        assert!(reranking("bm25 = [0.3, 1.0]\ntfidf = [0.3, 1.0]", make_graded).faults(check).is_empty());
    }
    let high = reranking("bm25 = [0.99, 1.0]", foreign);
    high.finds("BM25", "expected an nDCG@10 of BM25 at least 0.99, found ");
}

#[test]
fn what_bm25_finds_and_nobody_judged_is_found() {
    // One of six candidates has no judgement.
    reranking("max_unjudged = 0.1", foreign).finds(
        "unjudged",
        "expected a share of the unjudged ones among the ten best documents by BM25 at most 0.1, found 0.167",
    );
    assert!(reranking("max_unjudged = 0.2", foreign).faults("unjudged").is_empty());
}

#[test]
fn grades_that_fall_where_they_should_rise_are_found() {
    let limits = "grades_rise = true";
    let fallen = |texts: &mut Texts, query: &str, grade| make_graded(texts, query, 2 - grade);
    reranking(limits, fallen).finds(
        "grade order",
        "expected documents of grade 1 to be at least as similar to their query as those of grade 0, found a mean",
    );
    assert!(reranking(limits, make_graded).faults("grade order").is_empty());
}

#[test]
fn texts_may_repeat_where_the_card_says_so() {
    let twins = |limits: &str| {
        let rows = ["a", "b"]
            .map(|score| json!({ "sentence1": format!("satu {score}"), "sentence2": "dua tiga empat lima" }));
        Set::new("BitextMining", limits, &[]).with("test", &rows)
    };
    assert_eq!(twins("").faults("duplicates").len(), 1);
    assert!(twins("may_repeat = [\"sentence2\"]").faults("duplicates").is_empty());
    assert_eq!(twins("may_repeat = [\"sentence1\"]").faults("duplicates").len(), 1);
    let unknown = twins("may_repeat = [\"sentence3\"]").gate(&[]);
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown
            .stderr
            .contains("expected one of the columns of texts sentence1, sentence2, found: sentence3"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn figures_are_shown_with_their_limits_and_limits_of_other_types_are_refused() {
    let set = make_set("max_surface = 0.9", &make_rows(|texts, _| texts.words(10)));
    let figures = set.gate(&["--json"]).json().unwrap()["tasks"][0]["examined"][0]["artefacts"].clone();
    let names: Vec<&str> =
        figures.as_array().unwrap().iter().map(|figure| figure["check"].as_str().unwrap()).collect();
    assert_eq!(names, ["surface only", "label words", "TF-IDF"]);
    assert_eq!((&figures[0]["most"], &figures[0]["chance"]), (&json!(0.9), &json!(0.5)));
    let shown = set.gate(&[]).stdout;
    assert!(shown.contains("Planted: surface only: accuracy 0."), "{shown}");
    assert!(shown.contains("(chance 0.50, at most 0.9)"), "{shown}");
    let refused = make_set("bm25 = [0.9, 0.1]\nmax_one_side = 2.0", &[]).gate(&[]);
    assert_eq!(refused.code, Some(2));
    for message in [
        "a task of type Classification has no option `bm25`",
        "a task of type Classification has no option `max_one_side`",
        "expected a number from 0 to 1, found 2",
        "expected the least and the most, from -1 to 1, found 0.9 and 0.1",
    ] {
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
    }
}

const SETS: [&str; 3] = [
    "IndonesianInstructionRetrieval",
    "IndonesianPolicyInstructionRetrieval",
    "IndonesianLawHealthInstructionRetrieval",
];

/// Relevance of a document to a query, by both ids.
type Judged = HashMap<(String, String), i64>;

fn rows(set: &str, part: &str) -> Vec<Value> {
    let text = fs::read_to_string(root().join(format!("indonesia/data/{set}/{part}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(row: &Value, key: &str) -> String {
    row[key].as_str().unwrap().to_owned()
}

/// The p-MRR in percent of candidates that are ordered by what `relevance` says of a query and a document.
fn p_mrr(set: &str, relevance: impl Fn(&Judged, &str, &str) -> i64) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let qrels = rows(set, "qrels");
    let judged = qrels
        .iter()
        .map(|row| ((text(row, "query-id"), text(row, "corpus-id")), row["score"].as_i64().unwrap()));
    let judged: Judged = judged.collect();
    let mut run = String::new();
    for row in rows(set, "top_ranked") {
        let query = text(&row, "query-id");
        let mut documents: Vec<&str> =
            row["corpus-ids"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        documents.sort_by_key(|document| -relevance(&judged, &query, document));
        for (place, document) in documents.iter().enumerate() {
            writeln!(run, "{query} Q0 {document} {} {} control", place + 1, 1000 - place).unwrap();
        }
    }
    fs::write(folder.path().join("control.trec"), run).unwrap();
    let arguments =
        ["score", "--rankings", "control.trec", "--task", set, "--registry", "indonesia", "--json"];
    let scored = Run::of(host(folder.path()).args(arguments)).unwrap();
    let scores = scored.json().unwrap_or_else(|_| panic!("{}", scored.stderr));
    100.0 * scores["scores"]["p-MRR"].as_f64().unwrap()
}

fn of(judged: &Judged, query: &str, document: &str) -> i64 {
    judged.get(&(query.to_owned(), document.to_owned())).copied().unwrap_or_default()
}

/// With twenty candidates a document can fall to the twentieth place at most, so that the most is short of 100.
#[test]
fn a_follower_is_far_above_a_model_that_ignores_instructions() {
    for set in SETS {
        let follower = p_mrr(set, of);
        assert!(follower > 60.0, "{set}: {follower}");
        let ignorer = p_mrr(set, |judged, query, document| {
            let topic = query.rsplit_once('-').unwrap().0;
            of(judged, &format!("{topic}-og"), document)
        });
        assert_eq!(ignorer, 0.0, "{set}");
        let contrary = p_mrr(set, |judged, query, document| {
            let (topic, version) = query.rsplit_once('-').unwrap();
            let other = if version == "og" { "changed" } else { "og" };
            of(judged, &format!("{topic}-{other}"), document)
        });
        assert!(contrary < -60.0, "{set}: {contrary}");
    }
}
