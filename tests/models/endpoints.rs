//! Endpoints: the forms of all providers give the same scores; what an endpoint may do, and what comes of it;
//! who gets a key; what is kept of answers, and what a run may cost.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Misdeed, Run, host};

use super::{endpoint, expected_scores, result_file, run, scores};

const STS: &str = "IndonesianGeneralSTS";
const RERANKING: &str = "IndonesianHowToReranking";

#[test]
fn every_style_embeds() {
    let styles = [
        ("openai", "/v1", "/v1/embeddings"),
        ("cohere", "/v2", "/v2/embed"),
        ("voyage", "/v1", "/v1/embeddings"),
        ("jina", "/v1", "/v1/embeddings"),
        ("gemini", "/v1beta", "/v1beta/models/hashing:batchEmbedContents"),
        ("zeroentropy", "", "/models/embed"),
        ("tei", "", "/embed"),
        ("ollama", "", "/api/embed"),
    ];
    let expected = expected_scores(STS);
    for (style, below, path) in styles {
        let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
        let (url, model) = (format!("{}{below}", endpoint.address), format!("{style}:hashing"));
        assert_eq!(
            scores(&run(folder.path(), STS, &["--model", &model, "--url", &url])),
            expected,
            "{style}"
        );
        let asked = endpoint.asked();
        assert!(
            asked.len() > 1 && asked.iter().all(|asked| asked.path == path),
            "{style}: {}",
            asked[0].path
        );
    }
}

#[test]
fn every_style_with_rerankers_scores_pairs() {
    let styles = [
        ("openai", "/v1"),
        ("cohere", "/v2"),
        ("voyage", "/v1/voyage"),
        ("jina", "/v1"),
        ("zeroentropy", ""),
        ("tei", ""),
    ];
    let expected = expected_scores(RERANKING);
    for (style, below) in styles {
        let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
        let (url, model) = (format!("{}{below}", endpoint.address), format!("{style}:hashing"));
        let arguments = ["--model", &model, "--url", &url, "--reranker"];
        assert_eq!(scores(&run(folder.path(), RERANKING, &arguments)), expected, "{style}");
        let asked = endpoint.asked();
        assert!(asked.iter().all(|asked| asked.path.ends_with("/rerank")), "{style}");
    }
}

#[test]
fn a_style_without_rerankers_says_so() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let failed =
        run(folder.path(), RERANKING, &["--model", "ollama:m", "--url", &endpoint.address, "--reranker"]);
    assert_eq!(failed.code, Some(1), "{}", failed.stderr);
    assert!(failed.stderr.contains("expected a style with rerankers, found: ollama"), "{}", failed.stderr);
}

const TASK: &str = "IndonesianGeneralSTS";

/// Every third request is not answered well; the scores are as if all were.
fn passes(misdeed: Misdeed, at_once: &str) {
    let (endpoint, folder) = (endpoint(misdeed, 3), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    let arguments =
        ["--model", "openai:hashing", "--url", &url, "--texts-per-request", "32", "--concurrency", at_once];
    assert_eq!(scores(&run(folder.path(), TASK, &arguments)), expected_scores(TASK), "{misdeed:?}");
    let asked = endpoint.asked();
    assert!(asked.len() > 3 && asked.iter().any(|asked| !asked.answered), "{}", asked.len());
}

#[test]
fn too_many_requests_are_made_again_later() {
    passes(Misdeed::TooMuch, "4");
}

#[test]
fn a_failure_of_the_server_and_a_broken_connection_pass() {
    passes(Misdeed::Fails, "4");
    passes(Misdeed::Resets, "4");
}

#[test]
fn a_reply_that_is_no_answer_is_asked_for_again() {
    // One by one, so that no request is among the bad ones three times.
    [Misdeed::Page, Misdeed::Cut, Misdeed::NotANumber].into_iter().for_each(|misdeed| passes(misdeed, "1"));
}

#[test]
fn missing_rows_and_rows_of_zeros_are_asked_for_again() {
    [Misdeed::FewerRows, Misdeed::Zeros].into_iter().for_each(|misdeed| passes(misdeed, "1"));
}

#[test]
fn rows_in_another_order_are_put_in_order_by_their_numbers() {
    passes(Misdeed::Swapped, "4");
}

/// No request is answered well; the units fail, and say why, and each question was asked so often.
fn fails(misdeed: Misdeed, more: &[&str]) -> (String, Vec<usize>) {
    let (endpoint, folder) = (endpoint(misdeed, 1), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    let arguments = ["--model", "openai:hashing", "--url", &url, "--endpoint-dimensions", "1024"];
    let failed = run(folder.path(), TASK, &[&arguments[..], more].concat());
    assert_eq!(failed.code, Some(1), "{}", failed.stderr);
    let questions: Vec<String> = endpoint.asked().iter().map(|asked| asked.body.to_string()).collect();
    let often = |question| questions.iter().filter(|other| *other == question).count();
    (failed.stderr.replace(&endpoint.address, "URL"), questions.iter().map(often).collect())
}

#[test]
fn rows_of_another_length_fail_the_unit_at_once() {
    let (said, asked) = fails(Misdeed::Shorter, &["--concurrency", "1"]);
    assert!(said.contains("URL/v1/embeddings: expected rows of 1024 numbers, found one of 1023"), "{said}");
    assert!(!asked.is_empty() && asked.iter().all(|often| *often == 1), "{asked:?}");
}

#[test]
fn an_endpoint_whose_replies_are_never_answers_is_asked_three_times() {
    for (misdeed, found) in [
        (
            Misdeed::Page,
            "as JSON, found (expected value at line 1 column 1): <html><body>Please wait</body></html>",
        ),
        (Misdeed::NotANumber, "as JSON, found ("),
        (Misdeed::FewerRows, "expected 64 rows, found 63"),
        (Misdeed::Zeros, "expected a row with a number other than 0, found only zeros"),
    ] {
        let (said, asked) = fails(misdeed, &["--concurrency", "1"]);
        assert!(said.contains("URL/v1/embeddings: expected") && said.contains(found), "{said}");
        assert!(said.contains("(3 attempts)"), "{said}");
        assert!(!asked.is_empty() && asked.iter().all(|often| *often == 3), "{misdeed:?}: {asked:?}");
    }
}

#[test]
fn a_reply_that_takes_too_long_names_what_helps() {
    let (said, _) = fails(Misdeed::Silent, &["--concurrency", "1", "--seconds-per-request", "1"]);
    let late = "no complete reply within 1 s; a slow endpoint needs a longer `--seconds-per-request`, or \
                smaller `--texts-per-request` and `--concurrency`";
    assert!(said.contains(late) && said.contains("no answer after 3 attempts"), "{said}");
}

#[test]
fn an_endpoint_that_nobody_runs_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--model", "openai:m", "--url", "http://127.0.0.1:9/v1"];
    let failed = run(folder.path(), TASK, &arguments);
    assert_eq!(failed.code, Some(1), "{}", failed.stderr);
    let expected = "http://127.0.0.1:9/v1/embeddings: no answer after 3 attempts";
    assert!(failed.stderr.contains(expected) && failed.stderr.contains("refused"), "{}", failed.stderr);
}

const KEY: &str = "sk-proj-0123456789abcdef";

fn run_with_key(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = host(folder);
    command.args(["run", "--registry", "indonesia", "--json", "--task", TASK]).args(arguments);
    Run::of(command.env("OPENAI_API_KEY", KEY)).unwrap()
}

/// All that a run has written and said.
fn everything(folder: &Path, run: &Run) -> String {
    let mut all = format!("{}{}", run.stdout, run.stderr);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                all.push_str(&String::from_utf8_lossy(&fs::read(path).unwrap()));
            }
        }
    }
    all
}

#[test]
fn a_key_that_is_named_is_sent_and_appears_nowhere_else() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    let arguments = ["--model", "openai:m", "--url", &url, "--key-env", "OPENAI_API_KEY"];
    let run = run_with_key(folder.path(), &arguments);
    scores(&run);
    assert!(endpoint.asked().iter().all(|asked| asked.headers.contains(&format!("Bearer {KEY}"))));
    assert!(!everything(folder.path(), &run).contains("sk-proj-"));
}

#[test]
fn an_error_that_repeats_the_key_is_shown_without_it() {
    let (endpoint, folder) = (endpoint(Misdeed::Denied, 1), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    let arguments = ["--model", "openai:m", "--url", &url, "--key-env", "OPENAI_API_KEY"];
    let run = run_with_key(folder.path(), &arguments);
    assert_eq!(run.code, Some(42), "{}", run.stderr);
    assert!(run.stderr.contains("status 401: wrong key: ") && run.stderr.contains("[key]"), "{}", run.stderr);
    assert!(!everything(folder.path(), &run).contains("sk-proj-"));
    assert_eq!(endpoint.asked().len(), 1, "a wrong key is tried once");
}

#[test]
fn the_usual_key_of_a_provider_is_not_sent_to_another_host() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    scores(&run_with_key(folder.path(), &["--model", "openai:m", "--url", &url]));
    assert!(endpoint.asked().iter().all(|asked| !asked.headers.contains("sk-proj-")));
}

#[test]
fn a_key_is_not_sent_without_encryption_to_another_machine() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--model", "openai:m", "--url", "http://192.0.2.1/v1", "--key-env", "OPENAI_API_KEY"];
    let run = run_with_key(folder.path(), &arguments);
    assert_eq!(run.code, Some(42), "{}", run.stderr);
    assert!(run.stderr.contains("expected `https://` for an endpoint that gets a key"), "{}", run.stderr);
}

#[test]
fn a_card_of_others_gets_no_key_unasked() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let models = folder.path().join("data/registries/models");
    fs::create_dir_all(&models).unwrap();
    let address = &endpoint.address;
    let card = format!(
        "schema = 1\nname = \"maker/model\"\n[api]\nstyle = \"openai\"\nmodel = \"m\"\nurl = \"{address}/v1\"\n\
         key_env = \"OPENAI_API_KEY\"\n"
    );
    fs::write(models.join("maker__model.toml"), card).unwrap();
    let refused = run_with_key(folder.path(), &["--model", "maker/model"]);
    let host = address.trim_start_matches("http://");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    let hint = format!("add `--allow-env OPENAI_API_KEY={host}`");
    assert!(refused.stderr.contains(&hint), "{}", refused.stderr);
    assert_eq!(endpoint.asked().len(), 0);
    let allowed = format!("OPENAI_API_KEY={host}");
    scores(&run_with_key(folder.path(), &["--model", "maker/model", "--allow-env", &allowed]));
    assert!(endpoint.asked().iter().all(|asked| asked.headers.contains(KEY)));
}

#[test]
fn a_second_run_asks_nothing_but_the_dimension_and_with_a_dimension_nothing() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    let arguments = ["--model", "openai:hashing", "--url", &url];
    let again = [&arguments[..], &["--overwrite", "always"]].concat();
    assert_eq!(scores(&run(folder.path(), TASK, &arguments)), expected_scores(TASK));
    let first = endpoint.asked().len();
    assert_eq!(scores(&run(folder.path(), TASK, &again)), expected_scores(TASK));
    assert_eq!(endpoint.asked().len(), first + 1);
    let old = [&again[..], &["--max-age", "0"]].concat();
    scores(&run(folder.path(), TASK, &old));
    assert_eq!(endpoint.asked().len(), 2 * first + 1, "what is too old is asked for again");
}

#[test]
fn the_result_says_whom_it_asked() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    scores(&run(
        folder.path(),
        TASK,
        &["--model", "openai:hashing", "--url", &url, "--endpoint-dimensions", "1024"],
    ));
    let model = result_file(folder.path(), TASK)["mteb_host"]["model"].clone();
    assert_eq!(model["name"], "openai:hashing");
    assert_eq!(model["endpoint"]["style"], "openai");
    assert_eq!(model["endpoint"]["dimensions"], 1024);
    assert_eq!(format!("http://{}", model["endpoint"]["host"].as_str().unwrap()), endpoint.address);
    assert!(endpoint.asked().iter().all(|asked| asked.body["dimensions"] == 1024));
}

#[test]
fn two_servers_behind_one_host_share_nothing() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let run_at = |path: &str| {
        let url = format!("{}{path}", endpoint.address);
        scores(&run(folder.path(), TASK, &["--model", "openai:hashing", "--url", &url]));
        (endpoint.asked().len(), result_file(folder.path(), TASK)["mteb_host"]["model"]["endpoint"].clone())
    };
    let (first, usual) = run_at("/v1");
    assert_eq!(usual.get("path"), None, "{usual}");
    let (both, own) = run_at("/other/v1");
    assert_eq!((both, &own["path"]), (2 * first, &"/other/v1".into()));
}

#[test]
fn a_budget_of_calls_ends_a_unit_and_what_came_is_not_asked_for_again() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    let common = [
        "--model",
        "openai:hashing",
        "--url",
        &url,
        "--endpoint-dimensions",
        "1024",
        "--texts-per-request",
        "16",
    ];
    let poor = run(folder.path(), TASK, &[&common[..], &["--max-calls", "2"]].concat());
    assert_eq!(poor.code, Some(1), "{}", poor.stderr);
    assert!(poor.stderr.contains("`--max-calls` allows 2 calls"), "{}", poor.stderr);
    // A call that was under way when the budget ended may not have reached the endpoint.
    assert!(endpoint.asked().len() <= 2);
}

#[test]
fn money_is_not_counted_without_prices() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--model", "openai:m", "--url", "http://127.0.0.1:9/v1", "--max-cost", "1"];
    let refused = run(folder.path(), TASK, &arguments);
    assert_eq!(refused.code, Some(42), "{}", refused.stderr);
    assert!(refused.stderr.contains("expected a card with prices"), "{}", refused.stderr);
}
