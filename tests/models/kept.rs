//! What is kept of an endpoint's answers, and what a run may cost.

use mteb_host_tests::Misdeed;

use super::{endpoint, expected, result_file, run, scores};

const TASK: &str = "IndonesianGeneralSTS";

#[test]
fn a_second_run_asks_nothing_but_the_dimension_and_with_a_dimension_nothing() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    let arguments = ["--model", "openai:hashing", "--url", &url];
    let again = [&arguments[..], &["--overwrite", "always"]].concat();
    assert_eq!(scores(&run(folder.path(), TASK, &arguments)), expected(TASK));
    let first = endpoint.asked().len();
    assert_eq!(scores(&run(folder.path(), TASK, &again)), expected(TASK));
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
