//! Judging: whatever the provider does, a pair gets the judge's score or none, and one that has a score is never asked for again.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mteb_host_tests::{Run, host};
use serde_json::Value;

use super::provider::{Misdeed, Provider, question, score};
use super::{LAW, done, graded, lines};

const STORE: &str = "graded/judgements/reader.jsonl";

/// A folder with a pool of depth `depth`, and the card of a judge at `provider`.
fn prepared(provider: &Provider, depth: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["rank", "hashing", "bm25", "--task", LAW, "--quiet"]);
    done(folder.path(), &["pool", "--task", LAW, "--depth", &depth.to_string()]);
    card(folder.path(), &provider.address, 3);
    folder
}

/// The card `reader.toml` of a judge that is asked so often before a pair counts as failed.
fn card(folder: &Path, address: &str, attempts: u32) {
    let text = format!(
        "schema = 1\nname = \"reader\"\ntitle = \"a judge of the tests\"\nthreshold = 6.0\n\
         [endpoint]\nstyle = \"openai\"\nurl = \"{address}/v1\"\nmodel = \"m-1\"\n\
         [prompt]\nlanguage = \"en\"\nversion = 1\n\
         [prices]\ncurrency = \"USD\"\ninput = 10.0\ncached = 1.0\noutput = 100.0\n\
         [limits]\nconcurrency = 8\nattempts = {attempts}\nseconds = 1\n"
    );
    fs::write(folder.join("reader.toml"), text).unwrap();
}

fn judge(folder: &Path, arguments: &[&str]) -> Run {
    graded(folder, &[&["judge", "--judge", "reader.toml", "--quiet"], arguments].concat())
}

/// The judgements of the store, without its head.
fn judgements(folder: &Path) -> Vec<Value> {
    lines(&folder.join(STORE)).split_off(1)
}

/// The names of the pairs of the pool.
fn pairs(folder: &Path) -> Vec<String> {
    let pool = lines(&folder.join(format!("graded/pools/{LAW}/test/default.jsonl")));
    let mut pairs: Vec<String> =
        pool.iter().filter_map(|line| Some(line["pair"].as_str()?.to_owned())).collect();
    pairs.sort_unstable();
    pairs
}

/// Every pair of the pool stands in the store once, with the score that the provider gave.
fn assert_all_judged(folder: &Path, provider: &Provider) {
    let judged = judgements(folder);
    let mut found: Vec<String> =
        judged.iter().map(|line| line["pair"].as_str().unwrap().to_owned()).collect();
    found.sort_unstable();
    assert_eq!(found, pairs(folder));
    let mut scores: Vec<f64> = judged.iter().map(|line| line["score"].as_f64().unwrap()).collect();
    let mut expected: Vec<f64> = provider.answers().keys().map(|question| score(question)).collect();
    scores.sort_unstable_by(f64::total_cmp);
    expected.sort_unstable_by(f64::total_cmp);
    assert_eq!(scores, expected);
}

#[test]
fn every_pair_is_asked_for_once_with_rubric_and_query_before_the_document() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&provider, 3);
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_all_judged(folder.path(), &provider);
    let count = pairs(folder.path()).len();
    let tokens = count as f64 * (100.0 * 10.0 + 300.0 + 20.0 * 100.0) / 1e6;
    assert_eq!(
        run.stdout,
        format!(
            "reader: {count} of {count} pairs judged; {count} calls, 0 repeated, {tokens:.4} USD, 75 % of tokens cached; in \
             {STORE}\n"
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
    let folder = prepared(&nobody, 1);
    for misdeed in [
        Misdeed::TooMuch,
        Misdeed::Fails,
        Misdeed::Resets,
        Misdeed::Page,
        Misdeed::Cut,
        Misdeed::OutOfRange,
        Misdeed::AsText,
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
    let folder = prepared(&provider, 1);
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_all_judged(folder.path(), &provider);
}

/// What the store says of pairs that no attempt brought a judgement for.
fn reasons(folder: &tempfile::TempDir, misdeed: Misdeed) -> (Run, Vec<Value>) {
    let provider = Provider::start(misdeed, 1, Duration::ZERO);
    card(folder.path(), &provider.address, 3);
    let _ = fs::remove_file(folder.path().join(STORE));
    let run = judge(folder.path(), &["--max-calls", "40", "--concurrency", "4"]);
    (run, judgements(folder.path()))
}

#[test]
fn a_pair_without_a_judgement_is_failed_with_its_reason_and_never_a_0() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&nobody, 1);
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
        }
    }
}

#[test]
fn failed_pairs_are_asked_for_again_when_the_user_wants_it() {
    let broken = Provider::start(Misdeed::AsText, 1, Duration::ZERO);
    let folder = prepared(&broken, 1);
    let run = judge(folder.path(), &["--max-calls", "40"]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(run.stderr.contains("`--retry-failed`"), "{}", run.stderr);
    let failed = judgements(folder.path()).len();
    let mended = Provider::start(Misdeed::None, 1, Duration::ZERO);
    card(folder.path(), &mended.address, 3);
    assert_eq!(judge(folder.path(), &[]).code, Some(1));
    assert_eq!(mended.asked().len(), pairs(folder.path()).len() - failed, "not unasked");
    let run = judge(folder.path(), &["--retry-failed"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let scored = judgements(folder.path()).iter().filter(|line| line["score"].is_number()).count();
    assert_eq!(scored, pairs(folder.path()).len());
}

#[test]
fn an_endpoint_that_gives_no_answer_ends_the_run_and_fails_no_pair() {
    let provider = Provider::start(Misdeed::Fails, 1, Duration::ZERO);
    let folder = prepared(&provider, 1);
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
    let folder = prepared(&provider, 1);
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
    let folder = prepared(&provider, 3);
    let count = pairs(folder.path()).len();
    let said = judge(folder.path(), &["--dry-run"]).stdout;
    assert!(said.starts_with(&format!("reader: {count} pairs to ask, 0 judged before")), "{said}");
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
fn batches_of_the_provider_bring_the_same_judgements() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&provider, 2);
    let run = judge(folder.path(), &["--export", "batch.jsonl"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let questions = lines(&folder.path().join("batch.jsonl"));
    assert_eq!(questions.len(), pairs(folder.path()).len());
    let reply = |line: &Value| {
        let score = score(&question(&line["body"]));
        let text = serde_json::json!({"reasoning": "r", "score": score}).to_string();
        let body = serde_json::json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]});
        serde_json::json!({"custom_id": line["custom_id"], "error": null, "response": {"status_code": 200, "body": body}})
    };
    let mut replies: Vec<String> = questions.iter().map(|line| reply(line).to_string()).collect();
    // One is damaged, one comes twice.
    let last = replies.pop().unwrap();
    replies.push(replies[0].clone());
    replies.push(last[..last.len() / 2].to_owned());
    fs::write(folder.path().join("replies.jsonl"), replies.join("\n")).unwrap();
    let run = judge(folder.path(), &["--import", "replies.jsonl"]);
    let count = questions.len();
    assert_eq!(run.code, Some(1));
    assert_eq!(
        run.stdout,
        format!("reader: {} judgements taken in, 0 failed, 1 not asked for; 1 pair left\n", count - 1)
    );
    let left_out = format!("warning: replies.jsonl, line {}: expected JSON; the rest is kept\n", count + 1);
    assert_eq!(run.stderr, left_out);
    assert_eq!(judge(folder.path(), &[]).code, Some(0));
    assert_eq!((provider.asked().len(), judgements(folder.path()).len()), (1, count));
}

#[test]
fn what_is_wrong_with_many_replies_is_said_once_and_replies_of_others_are_left_out() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&provider, 1);
    let reply = |pair: &String| {
        let text = serde_json::json!({"reasoning": "r", "score": 5.0}).to_string();
        let body = serde_json::json!({"model": "m-2", "choices": [{"message": {"content": text}}]});
        serde_json::json!({"custom_id": pair, "error": null, "response": {"body": body}}).to_string()
    };
    let pairs = pairs(folder.path());
    let replies: Vec<String> = pairs.iter().map(reply).chain(["{".to_owned(), "[".to_owned()]).collect();
    fs::write(folder.path().join("replies.jsonl"), replies.join("\n")).unwrap();
    let run = judge(folder.path(), &["--import", "replies.jsonl"]);
    assert_eq!(run.code, Some(1));
    let (count, last) = (pairs.len() - 1, pairs.len() + 1);
    assert_eq!(
        run.stderr,
        format!(
            "warning: replies.jsonl, line 1 and {count} other lines: expected replies of the model m-1, found: m-2; the rest is kept\n\
             warning: replies.jsonl, line {last} and 1 other line: expected JSON; the rest is kept\n"
        )
    );
    assert!(judgements(folder.path()).is_empty());
}

#[test]
fn whoever_is_asked_by_nobody_gets_a_file_and_gives_one() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&nobody, 1);
    let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
    let (head, rest) = card.split_once("[endpoint]").unwrap();
    let (_, rest) = rest.split_once("[prompt]").unwrap();
    let (rest, _) = rest.split_once("[prices]").unwrap();
    let card = format!("{head}[endpoint]\nstyle = \"import\"\nmodel = \"a reader\"\n[prompt]{rest}");
    fs::write(folder.path().join("reader.toml"), card).unwrap();
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("found one of the style `import`: `--export FILE`"), "{}", run.stderr);
    assert_eq!(judge(folder.path(), &["--export", "pairs.jsonl"]).code, Some(0));
    let questions = lines(&folder.path().join("pairs.jsonl"));
    assert!(questions[0]["query"].is_string() && questions[0]["document"].is_string(), "{}", questions[0]);
    let answer = |(number, line): (usize, &Value)| {
        let mut line = line.clone();
        line["reasoning"] = "read".into();
        line["score"] = ((number % 21) as f64 / 2.0).into();
        line.to_string()
    };
    let mut answers: Vec<String> = questions.iter().enumerate().map(answer).collect();
    let refused = serde_json::json!({"pair": questions[0]["pair"], "failed": "not readable"}).to_string();
    answers[0] = refused;
    fs::write(folder.path().join("judged.jsonl"), answers.join("\n")).unwrap();
    let run = judge(folder.path(), &["--import", "judged.jsonl"]);
    let count = questions.len() - 1;
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (
            Some(1),
            format!("reader: {count} judgements taken in, 1 failed, 0 not asked for; 0 pairs left\n")
                .as_str()
        ),
        "{}",
        run.stderr
    );
    assert!(nobody.asked().is_empty());
}

#[test]
fn a_store_of_no_bytes_is_one_that_was_just_begun() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&provider, 1);
    fs::create_dir_all(folder.path().join("graded/judgements")).unwrap();
    fs::write(folder.path().join(STORE), "").unwrap();
    assert_eq!(judge(folder.path(), &["--dry-run"]).code, Some(0));
    assert_eq!(judge(folder.path(), &[]).code, Some(0));
    assert_all_judged(folder.path(), &provider);
}

#[test]
fn another_card_of_a_judge_takes_the_place_of_the_one_before_which_is_kept() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&provider, 1);
    assert_eq!(judge(folder.path(), &[]).stderr, "");
    let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
    fs::write(folder.path().join("reader.toml"), card.replace("threshold = 6.0", "threshold = 7.0")).unwrap();
    let kept = folder.path().join("graded/judgements/reader.toml");
    let run = judge(folder.path(), &[]);
    assert_eq!(
        run.stderr,
        "warning: graded/judgements/reader.toml: now the card reader.toml, which differs from the one before; that is kept as \
         graded/judgements/reader.toml.1\n"
    );
    assert!(fs::read_to_string(&kept).unwrap().contains("threshold = 7.0"));
    assert_eq!(fs::read_to_string(kept.with_extension("toml.1")).unwrap(), card);
    assert_eq!(judge(folder.path(), &[]).stderr, "", "the same card again is no news");
}

#[test]
fn tokens_are_counted_with_the_tokenizer_of_the_card() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&provider, 1);
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
    assert!(said.contains(&format!("Tokens, counted by words.json: {words} of questions")), "{said}");
    let of_model = folder.path().join("hub/models/maker/words/0123456");
    fs::create_dir_all(&of_model).unwrap();
    fs::copy(folder.path().join("words.json"), of_model.join("tokenizer.json")).unwrap();
    with("maker/words");
    let said = judge(folder.path(), &["--dry-run", "--hub-dir", "hub"]).stdout;
    let counted = format!("models/maker/words/0123456/tokenizer.json: {words} of questions");
    assert!(said.contains(&counted), "{said}");
    let absent = with("maker/absent");
    assert!(absent.stdout.contains("Tokens, estimated from 4 bytes each"), "{}", absent.stdout);
    assert!(absent.stderr.contains("the tokenizer maker/absent is not at hand"), "{}", absent.stderr);
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
    let folder = prepared(&provider, 1);
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
fn torn_and_damaged_lines_are_named_and_a_foreign_file_is_left_as_it_is() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&provider, 1);
    judge(folder.path(), &[]);
    let store: PathBuf = folder.path().join(STORE);
    let text = fs::read_to_string(&store).unwrap();
    let count = pairs(folder.path()).len();
    let damaged = text.replacen("\"pair\":", "\"pair\u{1}:", 1);
    fs::write(&store, &damaged[..damaged.len() - 9]).unwrap();
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("{STORE}, line 2: damaged")), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("{STORE}, line {}: torn", count + 1)), "{}", run.stderr);
    assert_eq!(provider.asked().len(), count + 2, "the two that were lost are asked for again");
    fs::write(&store, "{\"note\": 1}\n").unwrap();
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("line 1: expected the head of a store of judgements"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&store).unwrap(), "{\"note\": 1}\n");
}

/// Calls under way at once while the host is killed.
const AT_ONCE: usize = 8;

#[test]
fn a_host_that_is_killed_50_times_asks_again_at_most_what_was_under_way() {
    const KILLS: usize = 50;
    let provider = Provider::start(Misdeed::None, 1, Duration::from_millis(20));
    let folder = prepared(&provider, 5);
    let count = pairs(folder.path()).len();
    for _ in 0..KILLS {
        let before = provider.answered();
        let mut command = host(folder.path());
        command.args(["graded", "judge", "--judge", "reader.toml", "--quiet"]);
        let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
        while provider.answered() < before + 3 {
            assert!(child.try_wait().unwrap().is_none(), "it is in the midst of judging");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let left = count - judgements(folder.path()).len();
    assert!(left > 0, "work was left to the end");
    assert_eq!(judge(folder.path(), &[]).code, Some(0));
    assert_all_judged(folder.path(), &provider);
    let again = provider.answers().values().map(|times| times - 1).sum::<usize>();
    assert!(again <= KILLS * AT_ONCE, "{again} of {count}");
}
