//! Judging: whatever the provider does, a pair gets the judge's score or none, and one that has a score is never asked for again.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mteb_host_tests::{Run, host, interruptible};
use serde_json::Value;

use super::lines;
use super::provider::{
    Misdeed, Provider, STORE, When, assert_all_judged, card, judge, judgements, pairs, prepare_pool, question,
};

#[test]
fn every_pair_is_asked_for_once_with_rubric_and_query_before_the_document() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 3);
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_all_judged(folder.path(), &provider);
    let count = pairs(folder.path()).len();
    let tokens = count as f64 * (100.0 * 10.0 + 300.0 + 20.0 * 100.0) / 1e6;
    assert_eq!(
        run.stdout,
        format!(
            "reader: {count} of {count} pairs judged; {count} calls, 0 retried, {tokens:.4} USD, 75 % of tokens \
             cached; in {STORE}\n"
        )
    );
    let asked = provider.asked();
    assert_eq!(asked.len(), count);
    for asked in &asked {
        let (body, text) = (&asked.body, question(&asked.body));
        assert!(body["messages"][0]["content"].as_str().unwrap().starts_with("You assess search results."));
        assert!(text.starts_with("<query>\nQuery:\n") && text.contains("</query>\n\n<document>\n"), "{text}");
    }
    // The same command asks nothing.
    let again = judge(folder.path(), &[]);
    assert_eq!(again.stdout, format!("reader: {count} of {count} pairs judged; in {STORE}\n"));
    assert_eq!(provider.asked().len(), count);
}

#[test]
fn what_passes_is_asked_for_again_and_changes_no_score() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&nobody, 1);
    for misdeed in [
        Misdeed::TooMuch,
        Misdeed::Fails,
        Misdeed::Resets,
        Misdeed::Page,
        Misdeed::Cut,
        Misdeed::OutOfRange,
        Misdeed::AsText,
        Misdeed::Twice,
        Misdeed::NoChoices,
    ] {
        let provider = Provider::start(misdeed, 7, Duration::ZERO);
        card(folder.path(), &provider.address, 8);
        let _ = fs::remove_file(folder.path().join(STORE));
        let run = judge(folder.path(), &[]);
        assert_eq!(run.code, Some(0), "{misdeed:?}: {}\n{}", run.stdout, run.stderr);
        assert_all_judged(folder.path(), &provider);
        let asked = provider.asked();
        assert!(asked.iter().any(|asked| !asked.answered), "{misdeed:?}");
    }
}

#[test]
fn an_answer_that_takes_too_long_is_asked_for_again() {
    let provider = Provider::start(Misdeed::Slow, 20, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_all_judged(folder.path(), &provider);
}

/// What the store says of the pairs that no attempt brought a judgement for, about one in five.
fn reasons(folder: &tempfile::TempDir, misdeed: Misdeed) -> (Run, Vec<Value>) {
    let _ = fs::remove_file(folder.path().join(STORE));
    let provider = Provider::start_when(misdeed, When::OfTexts(5), Duration::ZERO);
    card(folder.path(), &provider.address, 3);
    let run = judge(folder.path(), &["--concurrency", "4"]);
    let (failed, judged): (Vec<Value>, Vec<Value>) =
        judgements(folder.path()).into_iter().partition(|line| line.get("score").is_none());
    assert_eq!(failed.len() + judged.len(), pairs(folder.path()).len(), "{misdeed:?}: {}", run.stderr);
    (run, failed)
}

#[test]
fn a_pair_without_a_judgement_is_failed_with_its_reason_and_never_a_0() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&nobody, 1);
    for (misdeed, reason) in [
        (Misdeed::AsText, "expected a score as a number, found: \"7\" (3 attempts)"),
        (Misdeed::OutOfRange, "expected a score from 0 to 10, found: 11 (3 attempts)"),
        (
            Misdeed::NoChoices,
            "expected a choice in the reply, found: {\"choices\":[],\"content\":[]} (3 attempts)",
        ),
        (
            Misdeed::Page,
            "expected a reply as JSON, found: <html><body>Please wait</body></html> (3 attempts)",
        ),
    ] {
        let (run, kept) = reasons(&folder, misdeed);
        assert!(!kept.is_empty(), "{misdeed:?}: {}", run.stderr);
        for line in &kept {
            assert_eq!((&line["failed"], line.get("score")), (&Value::from(reason), None), "{misdeed:?}");
            // Three replies that told what they took, or none that did; with those before, where the pair was asked for anew because
            // the judge seemed to have stopped judging.
            let replies = line["tokens"]["input"].as_u64().unwrap() / 400;
            let tells = matches!(misdeed, Misdeed::AsText | Misdeed::OutOfRange);
            assert!(if tells { (3..=6).contains(&replies) } else { replies == 0 }, "{misdeed:?}: {line}");
            let took = serde_json::json!({ "input": 400 * replies, "cached": 300 * replies, "output": 20 * replies });
            assert_eq!(line["tokens"], took, "{misdeed:?}");
        }
    }
}

#[test]
fn failed_pairs_are_asked_for_again_when_the_user_wants_it() {
    let broken = Provider::start_when(Misdeed::AsText, When::OfTexts(3), Duration::ZERO);
    let folder = prepare_pool(&broken, 1);
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(run.stderr.contains("`--retry-failed`"), "{}", run.stderr);
    let failed = judgements(folder.path()).iter().filter(|line| !line["score"].is_number()).count();
    assert!(failed > 0);
    let mended = Provider::start(Misdeed::None, 1, Duration::ZERO);
    card(folder.path(), &mended.address, 3);
    assert_eq!(judge(folder.path(), &[]).code, Some(1));
    assert_eq!(mended.asked().len(), 0, "not unasked");
    let run = judge(folder.path(), &["--retry-failed"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let scored = judgements(folder.path()).iter().filter(|line| line["score"].is_number()).count();
    assert_eq!(scored, pairs(folder.path()).len());
}

#[test]
fn an_endpoint_that_gives_no_answer_ends_the_run_and_fails_no_pair() {
    let provider = Provider::start(Misdeed::Fails, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.contains("no answer after 3 attempts") && run.stderr.contains("it broke"),
        "{}",
        run.stderr
    );
    assert!(judgements(folder.path()).is_empty());
}

#[test]
fn a_key_is_sent_where_the_user_lets_it_go_and_shown_nowhere() {
    const KEY: &str = "sk-test-0123456789abcdef";
    let provider = Provider::start(Misdeed::Denied, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
    let card = card.replace("model = \"m-1\"", "model = \"m-1\"\nkey_env = \"READER_KEY\"");
    fs::write(folder.path().join("reader.toml"), card).unwrap();
    let run = |more: &[&str]| {
        let mut command = host(folder.path());
        command.args(["graded", "judge", "--judge", "reader.toml", "--quiet"]).args(more);
        Run::of(command.env("READER_KEY", KEY)).unwrap()
    };
    let refused = run(&[]);
    let place = provider.address.trim_start_matches("http://");
    assert_eq!(refused.code, Some(2));
    let hint = format!("add `--allow-env READER_KEY={place}`");
    assert!(refused.stderr.contains(&hint) && provider.asked().is_empty(), "{}", refused.stderr);
    let denied = run(&["--allow-env", &format!("READER_KEY={place}")]);
    assert_eq!(denied.code, Some(1), "{}", denied.stderr);
    assert!(denied.stderr.contains("status 401: wrong key: ") && denied.stderr.contains("[key]"));
    assert!(!denied.stderr.contains("sk-test") && judgements(folder.path()).is_empty(), "{}", denied.stderr);
    assert!(provider.asked()[0].head.contains(&format!("authorization: bearer {KEY}")));
}

#[test]
fn costs_are_said_before_they_are_paid_and_a_limit_is_kept() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 3);
    let count = pairs(folder.path()).len();
    let said = judge(folder.path(), &["--dry-run"]).stdout;
    assert!(said.starts_with(&format!("reader: {count} pairs to judge, 0 judged before")), "{said}");
    assert!(said.contains("Tokens, estimated from 4 bytes each") && said.contains("Cost: about "), "{said}");
    assert!(provider.asked().is_empty() && !folder.path().join(STORE).exists(), "nothing is asked or made");
    let limited = judge(folder.path(), &["--max-calls", "10"]);
    assert_eq!((limited.code, provider.asked().len()), (Some(0), 10), "{}", limited.stderr);
    assert!(limited.stderr.contains("`--max-calls` allows 10 calls"), "{}", limited.stderr);
    assert_eq!(judgements(folder.path()).len(), 10, "what was paid for is kept");
    let limited = judge(folder.path(), &["--max-cost", "0.1", "--concurrency", "1"]);
    assert_eq!(limited.code, Some(0), "{}", limited.stderr);
    assert!(limited.stderr.contains("`--max-cost` allows 0.1"), "{}", limited.stderr);
    // An answer costs 0.0033; the next one was expected to cost more.
    let paid = provider.asked().len() - 10;
    assert!(paid > 5 && paid as f64 * 0.0033 <= 0.1, "{paid}");
    assert_eq!(judge(folder.path(), &[]).code, Some(0));
    assert_all_judged(folder.path(), &provider);
    assert_eq!(provider.asked().len(), count);
}

#[test]
fn tokens_are_counted_with_the_tokenizer_of_the_card() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
    let with = |tokenizer: &str| {
        let limits = format!("[limits]\ntokenizer = \"{tokenizer}\"\n");
        fs::write(folder.path().join("reader.toml"), card.replace("[limits]\n", &limits)).unwrap();
        judge(folder.path(), &["--dry-run"])
    };
    // Every word is one token.
    let words = serde_json::json!({
        "version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": null, "decoder": null, "truncation": null, "padding": null,
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"},
    });
    fs::write(folder.path().join("words.json"), words.to_string()).unwrap();
    assert_eq!(judge(folder.path(), &["--export", "batch.jsonl"]).code, Some(0));
    let words = |text: &Value| text.as_str().unwrap().split_whitespace().count();
    let questions = lines(&folder.path().join("batch.jsonl"));
    let words: usize = questions
        .iter()
        .map(|line| {
            let messages = &line["body"]["messages"];
            words(&messages[0]["content"]) + words(&messages[1]["content"])
        })
        .sum();
    let said = with("words.json").stdout;
    assert!(said.contains(&format!("Tokens, counted by words.json: {words} in requests")), "{said}");
    let of_model = folder.path().join("hub/models/maker/words/0123456");
    fs::create_dir_all(&of_model).unwrap();
    fs::copy(folder.path().join("words.json"), of_model.join("tokenizer.json")).unwrap();
    with("maker/words");
    let said = judge(folder.path(), &["--dry-run", "--hub-dir", "hub"]).stdout;
    let counted = format!("models/maker/words/0123456/tokenizer.json: {words} in requests");
    assert!(said.contains(&counted), "{said}");
    let absent = with("maker/absent");
    assert!(absent.stdout.contains("Tokens, estimated from 4 bytes each"), "{}", absent.stdout);
    assert!(absent.stderr.contains("the tokenizer maker/absent is not available"), "{}", absent.stderr);
    fs::write(folder.path().join("broken.json"), "{}").unwrap();
    let broken = with("broken.json");
    assert!(
        broken.code == Some(2) && broken.stderr.contains("broken.json: expected a tokenizer"),
        "{}",
        broken.stderr
    );
}

#[test]
fn the_form_of_anthropic_has_its_key_and_its_version_in_headers() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
    fs::write(folder.path().join("reader.toml"), card.replace("\"openai\"", "\"anthropic\"")).unwrap();
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_all_judged(folder.path(), &provider);
    let head = &provider.asked()[0].head;
    assert!(
        head.starts_with("post /v1/messages") && head.contains("anthropic-version: 2023-06-01"),
        "{head}"
    );
}

#[test]
fn one_ctrl_c_ends_the_asking_of_an_endpoint_that_never_answers() {
    let provider = Provider::start(Misdeed::None, 1, Duration::from_secs(600));
    let folder = prepare_pool(&provider, 1);
    let path = folder.path().join("reader.toml");
    let card = fs::read_to_string(&path).unwrap();
    fs::write(&path, card.replace("seconds = 1\n", "seconds = 600\n")).unwrap();
    let mut command = host(folder.path());
    command.args(["graded", "judge", "--judge", "reader.toml", "--quiet"]);
    let mut command = interruptible(&command);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // The store is made when the first questions go out.
    let until = Instant::now() + Duration::from_secs(60);
    while !folder.path().join(STORE).exists() {
        assert!(Instant::now() < until, "it never began");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            child.kill().unwrap();
            panic!("it did not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(judgements(folder.path()).len(), 0);
}

#[test]
fn a_key_in_the_place_of_its_variable_is_not_shown() {
    const KEY: &str = "sk-test-0123456789abcdef";
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
    let card = card.replace("model = \"m-1\"", &format!("model = \"m-1\"\nkey_env = \"{KEY}\""));
    fs::write(folder.path().join("reader.toml"), card).unwrap();
    let refused = judge(folder.path(), &[]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    let said = "`endpoint.key_env`: expected the name of an environment variable";
    assert!(refused.stderr.contains(said), "{}", refused.stderr);
    assert!(!refused.stderr.contains(KEY) && provider.asked().is_empty(), "{}", refused.stderr);
}
