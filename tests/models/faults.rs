//! What an endpoint may do, and what comes of it.

use mteb_host_tests::Misdeed;

use super::{endpoint, expected, run, scores};

const TASK: &str = "IndonesianGeneralSTS";

/// Every third request is not answered well; the scores are as if all were.
fn passes(misdeed: Misdeed) {
    let (endpoint, folder) = (endpoint(misdeed, 3), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    let arguments =
        ["--model", "openai:hashing", "--url", &url, "--texts-per-request", "32", "--concurrency", "4"];
    assert_eq!(scores(&run(folder.path(), TASK, &arguments)), expected(TASK), "{misdeed:?}");
    let asked = endpoint.asked();
    assert!(asked.len() > 3 && asked.iter().any(|asked| !asked.answered), "{}", asked.len());
}

#[test]
fn too_many_requests_are_made_again_later() {
    passes(Misdeed::TooMuch);
}

#[test]
fn a_failure_of_the_server_and_a_broken_connection_pass() {
    passes(Misdeed::Fails);
    passes(Misdeed::Resets);
}

#[test]
fn a_reply_that_is_no_answer_is_asked_for_again() {
    passes(Misdeed::Page);
    passes(Misdeed::Cut);
    passes(Misdeed::NotANumber);
}

#[test]
fn missing_rows_and_rows_of_zeros_are_asked_for_again() {
    passes(Misdeed::FewerRows);
    passes(Misdeed::Zeros);
}

#[test]
fn rows_in_another_order_are_put_in_order_by_their_numbers() {
    passes(Misdeed::Swapped);
}

/// All but the first requests are not answered well; the unit fails, and says why.
fn fails(misdeed: Misdeed) -> String {
    let (endpoint, folder) = (endpoint(misdeed, 1), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    let arguments = ["--model", "openai:hashing", "--url", &url, "--endpoint-dimensions", "1024"];
    let failed = run(folder.path(), TASK, &arguments);
    assert_eq!(failed.code, Some(1), "{}", failed.stderr);
    failed.stderr.replace(&endpoint.address, "URL")
}

#[test]
fn rows_of_another_length_fail_the_unit_at_once() {
    let said = fails(Misdeed::Shorter);
    assert!(said.contains("URL/v1/embeddings: expected rows of 1024 numbers, found one of 1023"), "{said}");
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
