//! What a document, a provider or a server may try with a judge.

use std::collections::HashSet;
use std::fs;
use std::time::Duration;

use mteb_host_tests::{Run, host};

use super::judge::{judge, judgements, prepared};
use super::provider::{Misdeed, Provider, question};

const KEY: &str = "sk-test-0123456789abcdef";

#[test]
fn the_tags_of_a_question_are_its_own_and_the_same_when_it_is_asked_again() {
    let asked = || -> HashSet<String> {
        let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
        let folder = prepared(&provider, 1);
        let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
        fs::write(folder.path().join("reader.toml"), card.replace("version = 1", "version = 2")).unwrap();
        let run = judge(folder.path(), &[]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let store = fs::read_to_string(folder.path().join("graded/judgements/reader.jsonl")).unwrap();
        assert!(
            store.starts_with(r#"{"judgements":1,"judge":"reader","model":"m-1","prompt":"en-2"}"#),
            "{store}"
        );
        provider.asked().iter().map(|asked| question(&asked.body)).collect()
    };
    let first = asked();
    assert_eq!(first, asked());
    let tag = |text: &String| text.rsplit_once("</document-").unwrap().1.to_owned();
    let tags: HashSet<String> = first.iter().map(tag).collect();
    assert_eq!(tags.len(), first.len(), "no two pairs have the same");
    assert!(first.iter().all(|text| text.ends_with(&format!("</document-{}", tag(text)))));
}

#[test]
fn judgements_of_the_first_prompt_go_on_with_their_own_card() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&provider, 1);
    assert_eq!(judge(folder.path(), &["--max-calls", "3"]).code, Some(0));
    let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
    fs::write(folder.path().join("reader.toml"), card.replace("version = 1", "version = 2")).unwrap();
    let other = judge(folder.path(), &[]);
    assert!(
        other.stderr.contains("prompt en-2), found: reader (m-1, prompt en-1); `--judge "),
        "{}",
        other.stderr
    );
    let own = host(folder.path())
        .args(["graded", "judge", "--quiet", "--judge", "graded/judgements/reader.toml"])
        .output()
        .unwrap();
    assert_eq!(own.status.code(), Some(0), "{}", String::from_utf8_lossy(&own.stderr));
}

#[test]
fn a_reply_in_nobodys_name_is_no_judgement() {
    let provider = Provider::start(Misdeed::Nameless, 1, Duration::ZERO);
    let folder = prepared(&provider, 1);
    let run = judge(folder.path(), &["--concurrency", "1"]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(run.stderr.contains("expected replies of the model m-1, found: no name"), "{}", run.stderr);
    assert!(judgements(folder.path()).is_empty());
}

#[test]
fn no_part_of_a_key_is_kept_in_reasons_or_said() {
    let provider = Provider::start(Misdeed::KeyParts, 1, Duration::ZERO);
    let folder = prepared(&provider, 1);
    let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
    let card = card.replace("model = \"m-1\"", "model = \"m-1\"\nkey_env = \"READER_KEY\"");
    fs::write(folder.path().join("reader.toml"), card).unwrap();
    let place = provider.address.trim_start_matches("http://");
    let mut command = host(folder.path());
    command.args(["graded", "judge", "--judge", "reader.toml", "--quiet", "--allow-env"]);
    let run = Run::of(command.arg(format!("READER_KEY={place}")).env("READER_KEY", KEY)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let kept = judgements(folder.path());
    assert!(!kept.is_empty());
    for judgement in kept {
        let reasoning = judgement["reasoning"].as_str().unwrap();
        assert!(reasoning.contains("[key]"), "{reasoning}");
        let letters: String = reasoning.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
        for part in ["01234567", "89abcdef", "fedcba98", "76543210", "c2stdgvz"] {
            assert!(!letters.contains(part), "{part}: {reasoning}");
        }
    }
}

#[test]
fn a_judge_of_others_leads_no_text_to_another_machine_without_leave() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&provider, 1);
    let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
    fs::write(folder.path().join("reader.toml"), card.replace("127.0.0.1", "127.1")).unwrap();
    let refused = judge(folder.path(), &[]);
    let place = provider.address.replace("http://127.0.0.1", "127.1");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains(&format!("add `--allow-host {place}`")), "{}", refused.stderr);
    assert!(provider.asked().is_empty());
    let allowed = judge(folder.path(), &["--allow-host", &place]);
    assert_eq!(allowed.code, Some(0), "{}", allowed.stderr);
}
