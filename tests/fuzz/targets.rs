//! The readers under test; each gives what kind of answer it gave, so that inputs with new answers are kept.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mteb_card::TaskCard;
use mteb_data::{Folder, PartNames, Table, read_file, read_json_lines};
use mteb_hub::{Repository, listed_files};
use mteb_json::Json;
use mteb_results::ResultFile;
use mteb_workers::plugins::frame::{self, Frame};
use serde_json::Value;

use super::mutate::{kind, with_checksums, write_anew};
use super::{said, segments, tables};

/// One reader.
pub struct Target {
    /// Its name, and that of its folder in the corpus.
    pub name: &'static str,
    /// Words of its format.
    pub words: &'static [&'static str],
    /// Feeds it; panics if it broke a promise.
    pub run: fn(&[u8]) -> String,
}

/// Every reader.
pub const TARGETS: [Target; 17] = [
    Target { name: "card", words: &CARD_WORDS, run: card },
    Target { name: "front-matter", words: &README_WORDS, run: front_matter },
    Target { name: "jsonl", words: &JSON_WORDS, run: jsonl },
    Target { name: "csv", words: &[",", "\t", "\"\"", "sentence1", "score"], run: csv },
    Target { name: "parquet", words: &["PAR1"], run: parquet },
    Target { name: "result", words: &RESULT_WORDS, run: result },
    Target { name: "cache", words: &["MTEBROWS"], run: segments::cache },
    Target { name: "frame", words: &FRAME_WORDS, run: worker_frame },
    Target { name: "hub-list", words: &LIST_WORDS, run: hub_list },
    Target { name: "table", words: &TABLE_WORDS, run: tables::table },
    Target { name: "parser", words: &PARSER_WORDS, run: tables::parser },
    Target { name: "lock", words: &LOCK_WORDS, run: said::lock },
    Target { name: "manifest", words: &MANIFEST_WORDS, run: said::manifest },
    Target { name: "result-of-any-age", words: &AGE_WORDS, run: said::result_of_any_age },
    Target { name: "hub-reply", words: &REPLY_WORDS, run: said::hub_reply },
    Target { name: "api-reply", words: &API_WORDS, run: said::api },
    Target { name: "judge-reply", words: &JUDGE_WORDS, run: said::judge },
];

const CARD_WORDS: [&str; 16] = [
    "schema = 1",
    "[dataset]",
    "[subsets]",
    "[protocol]",
    "[quality]",
    "path = \"..\"",
    "type = \"Retrieval\"",
    "layout = \"part-suffix\"",
    "merge_splits",
    "languages",
    "eval_splits = []",
    "members = [\"A\"]",
    "{ }",
    "[[",
    "\"\"\"",
    "1979-05-27T07:32:00Z",
];
const README_WORDS: [&str; 14] = [
    "---",
    "configs:",
    "- config_name: a",
    "  default: true",
    "  data_dir: ..",
    "data_files:",
    "split: test",
    "path: \"**/*\"",
    "path: [a, b]",
    "&a",
    "*a",
    "!!binary",
    "<<: *a",
    "? |",
];
const JSON_WORDS: [&str; 8] = ["{}", "[]", ":", "\"a\":", "true", "{\"a\":[", "\\u0000", "1.0"];
const RESULT_WORDS: [&str; 12] = [
    "\"scores\"",
    "\"test\"",
    "\"hf_subset\"",
    "\"main_score\"",
    "NaN",
    "Infinity",
    "-Infinity",
    "\"mteb_version\"",
    "\"evaluation_phases\"",
    "\"languages\"",
    "[{}]",
    "1e308",
];
const LIST_WORDS: [&str; 9] = [
    "{\"type\":\"file\",\"path\":\"a\",\"size\":1}",
    "\"type\"",
    "\"path\"",
    "\"size\"",
    "../",
    "\\u0000",
    "\\\\",
    "-1",
    "1e400",
];
const FRAME_WORDS: [&str; 7] = [
    "\0\0\0\0\0\0\0\0",
    "\x01\0\0\0\0\0\0\0",
    "\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f",
    "{\"done\":null}",
    "{\"failed\":{\"code\":1,\"message\":\"\"}}",
    "null",
    "[]",
];

const TABLE_WORDS: [&str; 8] = [
    "MTEBTAB1",
    "\"rows\":",
    "\"limit\":",
    "\"offset\":",
    "\"length\":",
    "\"any\":",
    "\"text\":",
    "\"pieces\":[]",
];
const PARSER_WORDS: [&str; 6] =
    ["\"opened\"", "{\"rows\":1}", "{\"fault\":", "{\"io\":", "\"method\":\"open\"", "\0\0\0\0\0\0\0\0"];

const LOCK_WORDS: [&str; 7] =
    ["schema = 1", "schema = 2", "[plugins]", "[[file]]", "sha256 = \"\"", "size = -1", "path = \"..\""];
const MANIFEST_WORDS: [&str; 8] =
    ["\"kind\":\"model\"", "\"models\":", "\"*\"", "\"tasks\":", "\"features\":", "null", "[[", "\\u0000"];
const AGE_WORDS: [&str; 10] = [
    "\"mteb_dataset_name\"",
    "\"mteb_version\"",
    "\"1.1.2.dev0\"",
    "\"evaluation_time\"",
    "\"cos_sim\"",
    "\"test\"",
    "\"task_name\"",
    "\"scores\"",
    "NaN",
    "1e308",
];
const REPLY_WORDS: [&str; 8] =
    ["W/", "\"", "../", "0123456789abcdef0123456789abcdef01234567", "<", ">; rel=\"next\"", ",", "\0"];

const API_WORDS: [&str; 12] = [
    "\"data\":",
    "\"results\":",
    "\"embeddings\":",
    "\"embedding\":\"AACAPw==\"",
    "\"index\":",
    "\"relevance_score\":",
    "\"usage\":",
    "1e39",
    "-0.0",
    "18446744073709551615",
    "null",
    "[[",
];
const JUDGE_WORDS: [&str; 9] = [
    "\"choices\":",
    "\"message\":",
    "\"content\":",
    "\"score\":",
    "\"reasoning\":",
    "\\\"score\\\":10",
    "\"finish_reason\":\"length\"",
    "1e400",
    "null",
];

fn card(input: &[u8]) -> String {
    match TaskCard::from_toml(&String::from_utf8_lossy(input)) {
        Ok(card) => {
            let units = card.units().count();
            format!("ok {} {} {}", card.task_type, units.min(20), card.main_score().len().min(20))
        }
        Err(error) => kind(&error.message),
    }
}

fn front_matter(input: &[u8]) -> String {
    let files =
        ["README.md", "data/test.jsonl", "data/train-00000-of-00002.csv", "ind/test.parquet", "a b.json"];
    let files = files.map(str::to_owned).to_vec();
    let (text, parts) = (String::from_utf8_lossy(input), PartNames::default());
    let folder = match Folder::from_list(Path::new("/d"), files, Some(&text), &parts) {
        Ok(folder) => folder,
        Err(error) => return kind(&error.to_string()),
    };
    let mut answer = String::from("ok");
    for config in folder.configs() {
        for split in folder.splits(config).unwrap_or_default() {
            match folder.files(config, split) {
                Ok(files) => {
                    assert!(
                        files.iter().all(|file| file.starts_with("/d") && !has_parent(file)),
                        "{files:?}"
                    );
                    answer += &format!(" {}", files.len());
                }
                Err(error) => answer += &kind(&error.to_string()),
            }
        }
    }
    answer.chars().take(60).collect()
}

fn has_parent(path: &Path) -> bool {
    path.components().any(|component| component == std::path::Component::ParentDir)
}

fn jsonl(input: &[u8]) -> String {
    let answer = read_json_lines("input", input);
    if let Ok(table) = &answer {
        let lines = input.split(|&byte| byte == b'\n').count();
        assert!(table.rows() <= lines, "{} rows of {lines} lines", table.rows());
    }
    of_table(answer)
}

fn csv(input: &[u8]) -> String {
    of_file(input, "input.csv")
}

fn parquet(input: &[u8]) -> String {
    of_file(input, "input.parquet")
}

fn of_file(input: &[u8], name: &str) -> String {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().unwrap());
    let file: PathBuf = folder.path().join(name);
    write_anew(&file, input);
    of_table(read_file(&file))
}

fn of_table(answer: Result<Table, mteb_data::DataError>) -> String {
    match answer {
        Ok(table) => {
            for row in 0..table.rows() {
                assert!(table.place(row).1 > 0, "rows count from 1");
            }
            format!("ok {} {}", table.names().count().min(9), table.rows().min(9))
        }
        Err(error) => kind(&error.to_string()),
    }
}

fn result(input: &[u8]) -> String {
    let text = String::from_utf8_lossy(input);
    let json = match Json::parse(&text) {
        Ok(json) => json,
        Err(error) => return kind(&error.to_string()),
    };
    let written = json.to_python(2);
    let again = Json::parse(&written).expect("what was written is JSON");
    assert_eq!(again.to_python(2), written, "writing is stable");
    match ResultFile::from_json(&json) {
        None => format!("no result {}", written.len().min(400) / 40),
        Some(file) => {
            let written = file.to_json().to_python(2);
            let again = ResultFile::from_json(&Json::parse(&written).expect("a written result is JSON"));
            let again = again.expect("a written result is a result");
            assert_eq!(again.to_json().to_python(2), written, "a result is kept");
            let entries: usize = file.splits.iter().map(|split| split.entries.len()).sum();
            format!("ok {} {entries}", file.splits.len())
        }
    }
}

fn worker_frame(input: &[u8]) -> String {
    frames(input) + "; " + &frames(&with_checksums(input))
}

fn frames(input: &[u8]) -> String {
    let mut stream = input;
    let mut answer = String::new();
    loop {
        match frame::read::<Value>(&mut stream) {
            Ok(Some(Frame { number, header, payload })) => {
                let mut written = Vec::new();
                frame::write(&mut written, number, &header, &payload).unwrap();
                let again = frame::read::<Value>(&mut written.as_slice()).unwrap().unwrap();
                let is_kept = again.number == number && again.header == header && again.payload == payload;
                assert!(is_kept, "a frame is kept");
                for count in [0, 1, 3, 1 << 20] {
                    if let Ok((texts, _)) = frame::unpack_texts(&payload, count) {
                        assert_eq!(texts.len(), count);
                        answer += "t";
                    }
                }
                answer += "f";
            }
            Ok(None) => return answer + " end",
            Err(error) => return answer + &kind(&error.to_string()),
        }
    }
}

fn hub_list(input: &[u8]) -> String {
    let repository = Repository::dataset("lab/numbers", "main");
    match listed_files(&repository, input) {
        Ok(files) => {
            for file in &files {
                let path = Path::new("/cache").join(&file.path);
                assert!(path.starts_with("/cache") && !has_parent(&path), "{}", path.display());
            }
            format!("ok {}", files.len().min(9))
        }
        Err(error) => kind(&error.to_string()),
    }
}
