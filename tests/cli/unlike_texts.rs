//! What is said of data of one's own whose texts look the same and are not, and of copies that nobody judged.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::json;

/// A search over these documents and queries; each query has the document of its number as the relevant one.
fn search(folder: &Path, documents: &[&str], queries: &[&str], more: &[(usize, usize, i64)]) {
    let card = "schema = 1\nname = \"Cari\"\ntype = \"Retrieval\"\ndescription = \"d\"\nlanguages = [\"vie-Latn\"]\n\
                [dataset]\npath = \"data\"\n";
    fs::write(folder.join("my.toml"), card).unwrap();
    fs::create_dir_all(folder.join("data/qrels")).unwrap();
    let lines = |rows: Vec<serde_json::Value>| rows.iter().map(|row| format!("{row}\n")).collect::<String>();
    let texts = |prefix: &str, texts: &[&str]| {
        let rows = texts.iter().enumerate();
        lines(rows.map(|(number, text)| json!({"_id": format!("{prefix}{number}"), "text": text})).collect())
    };
    fs::write(folder.join("data/corpus.jsonl"), texts("d", documents)).unwrap();
    fs::write(folder.join("data/queries.jsonl"), texts("q", queries)).unwrap();
    let own = (0..queries.len()).map(|number| (number, number, 1));
    let judged = own.chain(more.iter().copied()).map(|(query, document, score)| {
        json!({"query-id": format!("q{query}"), "corpus-id": format!("d{document}"), "score": score})
    });
    fs::write(folder.join("data/qrels/test.jsonl"), lines(judged.collect())).unwrap();
}

/// What `run` and `validate --data` say.
fn said(folder: &Path) -> [String; 2] {
    let of = |arguments: &[&str]| {
        let run = Run::of(host(folder).args(arguments)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        format!("{}{}", run.stdout, run.stderr)
    };
    [
        of(&["run", "--overwrite", "always", "--registry", "my.toml"]),
        of(&["validate", "--data", "--registry", "my.toml"]),
    ]
}

const DOCUMENTS: [&str; 3] = ["Chùa Một Cột ở Hà Nội", "phố cổ Hội An", "bia đá trên lưng rùa"];

#[test]
fn queries_in_another_unicode_form_than_the_documents_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    search(folder, &DOCUMENTS, &["chu\u{300}a ở đâu", "pho\u{302}\u{301} nào", "bia rùa"], &[]);
    for said in said(folder) {
        assert!(
            said.contains("letters of queries are written in another Unicode form than those of corpus"),
            "{said}"
        );
        assert!(said.contains("queries.jsonl, line 1") || said.contains("queries.jsonl, line 2"), "{said}");
    }
    search(folder, &DOCUMENTS, &["chùa ở đâu", "phố nào", "bia rùa"], &[]);
    for said in said(folder) {
        assert!(!said.contains("Unicode form"), "{said}");
    }
}

#[test]
fn unjudged_copies_of_relevant_documents_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let decomposed = "pho\u{302}\u{301} co\u{302}\u{309} Ho\u{323}\u{302}i An";
    let documents = [DOCUMENTS[0], DOCUMENTS[1], DOCUMENTS[2], DOCUMENTS[0], decomposed, "khác"];
    let queries = ["chùa ở đâu", "phố nào", "bia rùa"];
    search(folder, &documents, &queries, &[]);
    for said in said(folder) {
        assert!(
            said.contains("2 documents have the same text as a relevant one but are not judged"),
            "{said}"
        );
        assert!(said.contains("corpus.jsonl, line 4 (d3) for query q0"), "{said}");
    }
    search(folder, &documents, &queries, &[(0, 3, 0), (1, 4, 1)]);
    for said in said(folder) {
        assert!(!said.contains("same text as a relevant one"), "{said}");
    }
}
