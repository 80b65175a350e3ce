//! The forms of all providers: the same texts, the same scores.

use mteb_host_tests::Misdeed;

use super::{endpoint, expected, run, scores};

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
    let expected = expected(STS);
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
    let expected = expected(RERANKING);
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
