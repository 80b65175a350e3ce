//! What an endpoint may do, and what comes of it.

use mteb_host_tests::Misdeed;

use super::{endpoint, expected, run, scores};

const TASK: &str = "IndonesianGeneralSTS";

/// Every third request is not answered well; the scores are as if all were.
fn passes(misdeed: Misdeed, at_once: &str) {
    let (endpoint, folder) = (endpoint(misdeed, 3), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    let arguments =
        ["--model", "openai:hashing", "--url", &url, "--texts-per-request", "32", "--concurrency", at_once];
    assert_eq!(scores(&run(folder.path(), TASK, &arguments)), expected(TASK), "{misdeed:?}");
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
