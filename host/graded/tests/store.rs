//! What was paid for is kept: torn, damaged and foreign lines are named, and the others count.

use std::fs;
use std::path::{Path, PathBuf};
use std::slice::from_ref;

use mteb_graded::PairId;
use mteb_graded::judge::work;
use mteb_graded::store::{Contents, Judgement, StoreHead, StoreWriter, Tokens, Verdict, read_store};

use super::pool;

fn head() -> StoreHead {
    StoreHead::new("reader", "m-1", "en-1")
}

fn judgement(document: &str, verdict: Verdict) -> Judgement {
    let pair = PairId::new(("q1", "text of q1"), (document, &format!("text of {document}")));
    let tokens = Tokens { input: 10, cached: 5, output: 2 };
    Judgement { pair, query: "q1".to_owned(), document: document.to_owned(), verdict, tokens }
}

fn scored(document: &str, score: f64) -> Judgement {
    judgement(document, Verdict::Score { score, reasoning: "\"because\"\nof that".to_owned() })
}

fn failed(document: &str) -> Judgement {
    judgement(document, Verdict::Failed { reason: "cut".to_owned() })
}

/// A store of these judgements.
fn store(folder: &Path, judgements: &[Judgement]) -> PathBuf {
    let path = folder.join("store.jsonl");
    let (mut writer, _) = StoreWriter::open(&path, &head()).unwrap();
    judgements.iter().for_each(|judgement| writer.append(judgement).unwrap());
    writer.flush().unwrap();
    path
}

fn faults(contents: &Contents, path: &Path) -> Vec<String> {
    let folder = format!("{}/", path.parent().unwrap().display());
    contents.faults.iter().map(|fault| fault.to_string().replace(&folder, "")).collect()
}

fn score(contents: &Contents, document: &str) -> Option<f64> {
    contents.judgements.get(&failed(document).pair).and_then(Judgement::score)
}

#[test]
fn a_torn_last_line_is_named_and_what_is_added_later_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = store(folder.path(), &[scored("a", 7.25), scored("b", 3.0)]);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
    let (mut writer, contents) = StoreWriter::open(&path, &head()).unwrap();
    let torn = "store.jsonl, line 3: incomplete, because its writer was stopped while writing it; the other lines are kept";
    assert_eq!(faults(&contents, &path), [torn]);
    assert_eq!((score(&contents, "a"), score(&contents, "b")), (Some(7.25), None));
    writer.append(&scored("b", 4.0)).unwrap();
    drop(writer);
    let contents = read_store(&path).unwrap();
    assert_eq!(score(&contents, "b"), Some(4.0));
    assert_eq!(
        faults(&contents, &path),
        ["store.jsonl, line 3: damaged: expected JSON; the other lines are kept"]
    );
}

#[test]
fn damaged_and_foreign_lines_are_named_and_the_rest_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path =
        store(folder.path(), &[scored("a", 1.0), scored("b", 2.0), scored("c", 3.0), scored("a", 9.0)]);
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let damaged = lines[2].replace("\"pair\":", "\"pair\u{1}:");
    lines[2] = &damaged;
    let out_of_range = lines[3].replace("3.0", "30.0");
    lines.extend([r#"{"_id": "d1", "text": "a row of data"}"#, &out_of_range]);
    let mut bytes = lines.join("\n").into_bytes();
    bytes.extend(b"\n\xff\xfe\n");
    fs::write(&path, bytes).unwrap();
    let contents = read_store(&path).unwrap();
    assert_eq!(
        (score(&contents, "a"), score(&contents, "b"), score(&contents, "c")),
        (Some(1.0), None, Some(3.0))
    );
    let faults = faults(&contents, &path);
    let damaged =
        "store.jsonl, line 3: damaged: expected JSON (and 1 more line like it); the other lines are kept";
    assert_eq!(faults[0], damaged);
    assert!(faults[1].contains("line 5: pair ") && faults[1].contains("already has a score"), "{faults:?}");
    assert!(faults[2].starts_with("store.jsonl, line 6: no judgement: "), "{faults:?}");
    assert!(faults[2].ends_with(" (and 1 more line like it); the other lines are kept"), "{faults:?}");
    assert_eq!(faults.len(), 3);
}

#[test]
fn a_score_that_cannot_be_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = store(folder.path(), &[scored("a", 1.0), scored("b", 3.0)]);
    let text = fs::read_to_string(&path).unwrap().replace("3.0", "30.0");
    fs::write(&path, text).unwrap();
    let contents = read_store(&path).unwrap();
    assert_eq!((score(&contents, "a"), score(&contents, "b")), (Some(1.0), None));
    let faults = faults(&contents, &path);
    assert!(
        faults[0].contains("line 3: no judgement: expected a score from 0 to 10, found: 30"),
        "{faults:?}"
    );
}

#[test]
fn lines_that_are_wrong_alike_are_named_once_with_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = store(folder.path(), &[scored("a", 1.0)]);
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str(&"{\n".repeat(1000));
    fs::write(&path, text).unwrap();
    let contents = read_store(&path).unwrap();
    assert_eq!(score(&contents, "a"), Some(1.0));
    let expected =
        "store.jsonl, line 3: damaged: expected JSON (and 999 more lines like it); the other lines are kept";
    assert_eq!(faults(&contents, &path), [expected]);
}

#[test]
fn a_foreign_file_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.jsonl");
    fs::write(&path, "{\"note\": 1}\n").unwrap();
    let message = StoreWriter::open(&path, &head()).unwrap_err().to_string();
    let expected =
        "notes.jsonl, line 1: expected the head of a store of judgements of schema 1, found: {\"note\": 1}";
    assert!(message.contains(expected), "{message}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"note\": 1}\n");
}

#[test]
fn the_store_of_another_prompt_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = store(folder.path(), &[]);
    let other = StoreHead::new("reader", "m-1", "id-1");
    let message = StoreWriter::open(&path, &other).unwrap_err().to_string();
    let expected = "store.jsonl: expected judgements of reader (m-1, prompt id-1), found: reader (m-1, prompt en-1); `--judge ";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn two_runs_cannot_add_to_one_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.jsonl");
    let _first = StoreWriter::open(&path, &head()).unwrap();
    let message = StoreWriter::open(&path, &head()).unwrap_err().to_string();
    assert!(message.ends_with("another run is writing to it; wait until that ends"), "{message}");
}

#[test]
fn a_failure_is_never_a_score_and_is_asked_again_only_when_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let path = store(folder.path(), &[failed("a"), scored("b", 0.0), failed("c"), scored("c", 5.0)]);
    let contents = read_store(&path).unwrap();
    assert_eq!(
        (score(&contents, "a"), score(&contents, "b"), score(&contents, "c")),
        (None, Some(0.0), Some(5.0))
    );
    assert!(contents.faults.is_empty(), "{:?}", contents.faults);
    let pool = pool(&[("q1", &["d", "a", "b", "c"])]);
    let open = |again| {
        let work = work(&pool, &contents, again);
        let open: Vec<String> = work.open.iter().map(|pair| pair.document.clone()).collect();
        (open.concat(), work.answered, work.failed)
    };
    assert_eq!(open(false), ("d".to_owned(), 2, 1));
    assert_eq!(open(true), ("ad".to_owned(), 2, 0));
}

/// The bytes of a store into which these parts were merged one after the other.
fn merged(parts: &[&[Judgement]], order: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.jsonl");
    let order: Vec<PairId> = order.iter().map(|document| failed(document).pair).collect();
    for part in parts {
        let (writer, _) = StoreWriter::open(&path, &head()).unwrap();
        writer.merge(part.to_vec(), &order).unwrap();
    }
    fs::read(&path).unwrap()
}

#[test]
fn merged_stores_have_the_same_bytes_whatever_was_merged_first() {
    let (a, b, c) = (scored("a", 1.0), scored("b", 2.0), scored("c", 3.0));
    let order = ["a", "b", "c"];
    let all = merged(&[&[a.clone(), b.clone(), c.clone()]], &order);
    assert_eq!(merged(&[from_ref(&c), &[failed("a"), b.clone()], from_ref(&a)], &order), all);
    // Both have judged the same pair: one of the scores counts, and always the same.
    let again = scored("b", 9.0);
    let twice = merged(&[&[a.clone(), b.clone()], &[again.clone(), c.clone()]], &order);
    assert_eq!(twice, merged(&[&[again, c], &[b, a]], &order));
}

#[test]
fn a_merge_keeps_what_cannot_be_read_and_says_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let path = store(folder.path(), &[failed("a"), scored("b", 2.0)]);
    let damaged = fs::read_to_string(&path).unwrap() + "{\"foreign\": 1}\n";
    fs::write(&path, &damaged).unwrap();
    let (writer, _) = StoreWriter::open(&path, &head()).unwrap();
    let order = ["b", "a"].map(|document| failed(document).pair);
    let done = writer.merge(vec![scored("a", 1.0), scored("b", 2.5), failed("x")], &order).unwrap();
    assert_eq!((done.added, done.rivals), (2, 1));
    let lines: Vec<String> = fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert_eq!(lines[4], "{\"foreign\": 1}");
    let contents = read_store(&path).unwrap();
    assert_eq!((score(&contents, "b"), score(&contents, "a")), (Some(2.0), Some(1.0)));
}
