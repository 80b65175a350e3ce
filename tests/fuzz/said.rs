//! Damaged locks, manifests of plugins, result files of every age, and lines that a hub says.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use mteb_card::ApiStyle;
use mteb_graded::judge::{Style as JudgeStyle, read_reply, reply_tokens};
use mteb_hub::reply;
use mteb_plugin_api::Manifest;
use mteb_plugin_api_models::{read_rows, read_scores, style};
use mteb_registry::{RegistryLock, RegistrySource};
use mteb_report::reading::{Checks, Options, read};
use mteb_workers::plugins::{LOCK_FILE, Lock};

use super::mutate::{kind, write_anew};

/// Reads a lock of plugins, and a lock of data files.
pub fn lock(input: &[u8]) -> String {
    let folder = folder("lock");
    write_anew(&folder.join(LOCK_FILE), input);
    let plugins = match Lock::of(&folder) {
        Ok(lock) => {
            let lock = lock.expect("the file is there");
            let refused = lock.check(Path::new("libabsent.so"), "00").is_err();
            format!("{} {refused}", lock.plugins.len().min(9))
        }
        Err(error) => kind(&error.to_string()),
    };
    write_anew(&folder.join("data.lock.toml"), input);
    let data = match RegistryLock::of(&RegistrySource::File(folder.join("data.toml"))) {
        Ok(lock) => {
            let lock = lock.expect("the file is there");
            for file in &lock.files {
                let _ = lock.file(&file.dataset, &file.revision, &file.path);
            }
            lock.files.len().min(9).to_string()
        }
        Err(fault) => kind(&fault.to_string()),
    };
    format!("plugins {plugins}; data {data}")
}

/// Reads what a plugin says of itself.
pub fn manifest(input: &[u8]) -> String {
    match serde_json::from_slice::<Manifest>(input) {
        Ok(manifest) => {
            let written = serde_json::to_value(&manifest).expect("a manifest is JSON");
            let again: Manifest = serde_json::from_value(written).expect("a written manifest is one");
            assert_eq!(again, manifest, "a manifest is kept");
            assert!(manifest.models.iter().all(|model| manifest.has_model(model)));
            format!("ok {} {}", manifest.models.len().min(9), manifest.tasks.len().min(9))
        }
        Err(error) => kind(&error.to_string()),
    }
}

/// Reads a result file as those of every version of the reference are read for tables.
pub fn result_of_any_age(input: &[u8]) -> String {
    let root = folder("results");
    let revision = root.join("lab__model/1");
    fs::create_dir_all(&revision).unwrap();
    write_anew(&revision.join("STSBenchmark.json"), input);
    let options = Options { index: None, checks: Checks::Nothing, wanted: &|_| true, main_score: &|_| None };
    let collection = read(&[root], &options).expect("the folder can be read");
    let files = collection.folders.iter().flat_map(|folder| &folder.files);
    let read = files.map(|file| format!("{} {}", file.is_historic, file.entries.len().min(9)));
    let read: Vec<String> = read.collect();
    assert!(read.len() + collection.left_out.len() == 1, "a file is taken, or named");
    read.first().cloned().unwrap_or_else(|| kind(&collection.left_out[0].why.to_string()))
}

/// Reads a line as each of the things that a hub says in one; none of them may lead anywhere as a path.
pub fn hub_reply(input: &[u8]) -> String {
    let line = String::from_utf8_lossy(input);
    let (etag, commit, page) = (reply::etag(&line), reply::commit(&line), reply::page(&line));
    for name in etag.iter().chain(&commit) {
        let mut parts = Path::new(name).components();
        assert!(matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)), "{name}");
        assert!(!name.contains('.'), "{name}: no other file of the cache is called so");
    }
    assert!(commit.as_ref().is_none_or(|commit| commit.len() == 40));
    format!("{} {} {}", etag.map_or(0, |etag| etag.len()), commit.is_some(), page.is_some())
}

fn folder(name: &str) -> PathBuf {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().unwrap()).path().join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Texts and documents that were asked about.
const ASKED: usize = 2;

/// Reads a reply in the form of every provider, as embeddings and as scores: all numbers are finite, one row or score for each.
pub fn api(input: &[u8]) -> String {
    let mut answer = String::new();
    for name in ApiStyle::ALL {
        for dimension in [None, Some(2)] {
            match read_rows(style(name), input, ASKED, dimension) {
                Ok((rows, _)) => {
                    assert_eq!(rows.len(), ASKED);
                    assert!(rows.iter().all(|row| row.len() == dimension.unwrap_or(rows[0].len())));
                    assert!(rows.iter().flatten().all(|number| number.is_finite()));
                    answer += "r";
                }
                Err(unfit) => answer += &kind(&unfit.message).chars().take(24).collect::<String>(),
            }
        }
        match read_scores(style(name), input, ASKED) {
            Ok((scores, _)) => {
                assert!(scores.len() == ASKED && scores.iter().all(|score| score.is_finite()));
                answer += "s";
            }
            Err(unfit) => answer += &kind(&unfit.message).chars().take(24).collect::<String>(),
        }
    }
    answer
}

/// Reads a reply of a judge in every form: a score is from 0 to 10.
pub fn judge(input: &[u8]) -> String {
    let forms = [JudgeStyle::Openai, JudgeStyle::Anthropic, JudgeStyle::Import];
    let answers = forms.map(|form| {
        let tokens = reply_tokens(form, input).is_some();
        match read_reply(form, input) {
            Ok(reply) => {
                assert!((0.0..=10.0).contains(&reply.score), "{}", reply.score);
                format!("ok {tokens}")
            }
            Err(fault) => format!("{} {tokens}", kind(&fault.to_string())),
        }
    });
    answers.join("; ")
}
