//! Judgements that come in files: batches of a provider, and judges whom nobody asks.

use std::fs;
use std::time::Duration;

use serde_json::Value;

use super::lines;
use super::provider::{Misdeed, Provider, judge, judgements, pairs, prepare_pool, question, score};

#[test]
fn batches_of_the_provider_bring_the_same_judgements() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 2);
    let run = judge(folder.path(), &["--export", "batch.jsonl"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let questions = lines(&folder.path().join("batch.jsonl"));
    assert_eq!(questions.len(), pairs(folder.path()).len());
    let reply = |line: &Value| {
        let score = score(&question(&line["body"]));
        let text = serde_json::json!({"reasoning": "r", "score": score}).to_string();
        let choice = serde_json::json!({"message": {"content": text}, "finish_reason": "stop"});
        let body = serde_json::json!({"model": "m-1", "choices": [choice]});
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
        format!("reader: {} judgements imported, 0 failed, 1 not requested; 1 pair left\n", count - 1)
    );
    let left_out = format!("warning: replies.jsonl, line {}: expected JSON; the rest is kept\n", count + 1);
    assert_eq!(run.stderr, left_out);
    assert_eq!(judge(folder.path(), &[]).code, Some(0));
    assert_eq!((provider.asked().len(), judgements(folder.path()).len()), (1, count));
}

#[test]
fn what_is_wrong_with_many_replies_is_said_once_and_replies_of_others_are_left_out() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
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
            "warning: replies.jsonl, line 1 and {count} other lines: expected replies of the model m-1, found: \
             m-2; a name that the provider uses for it in replies belongs in `endpoint.aliases` of the judge's \
             card; the rest is kept\nwarning: replies.jsonl, line {last} and 1 other line: expected JSON; the \
             rest is kept\n"
        )
    );
    assert!(judgements(folder.path()).is_empty());
}

#[test]
fn whoever_is_asked_by_nobody_gets_a_file_and_gives_one() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&nobody, 1);
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
    // As in a table that was sorted by one column.
    let mixed = |(number, line): (usize, &Value)| {
        let mut line = line.clone();
        line["document"] = format!("of another pair: {}", line["document"]).into();
        answer((number, &line))
    };
    let mixed: Vec<String> = questions.iter().enumerate().map(mixed).collect();
    fs::write(folder.path().join("judged.jsonl"), mixed.join("\n")).unwrap();
    let run = judge(folder.path(), &["--import", "judged.jsonl"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains(": expected the texts of its pair, found: others beside "), "{}", run.stderr);
    assert!(judgements(folder.path()).is_empty(), "{}", run.stdout);
    let refused = serde_json::json!({"pair": questions[0]["pair"], "failed": "not readable"}).to_string();
    answers[0] = refused;
    fs::write(folder.path().join("judged.jsonl"), answers.join("\n")).unwrap();
    let run = judge(folder.path(), &["--import", "judged.jsonl"]);
    let count = questions.len() - 1;
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (
            Some(1),
            format!("reader: {count} judgements imported, 1 failed, 0 not requested; 0 pairs left\n")
                .as_str()
        ),
        "{}",
        run.stderr
    );
    assert!(nobody.asked().is_empty());
}
