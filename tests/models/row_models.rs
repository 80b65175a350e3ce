//! Sparse and multi-vector models of sentence-transformers, made with random weights, the latter in its own form, in both of PyLate,
//! and in that of Stanford's code, routers that send queries and documents different ways, and a cross-encoder: through `st:`, the last through `mteb:` and `python:` too, they get the scores that
//! the reference's evaluators give them, to 1e-6. Needs `MTEB_PYTHON`, an interpreter with sentence-transformers and mteb.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, host_binary};
use serde_json::Value;

use super::result_file;
use super::tiny::reference_scores;

/// The reranking task under a name that the reference knows, without which its wrappers cannot be asked.
const KNOWN: &str = "AskUbuntuDupQuestions";

/// A cross-encoder that the reference loads with its plain wrapper, and the commit that it asks for.
const CROSS_ENCODER: (&str, &str) =
    ("mixedbread-ai/mxbai-rerank-xsmall-v1", "b5c6e9da73abc3711f593f705371cdbe9e0fe422");

/// Scores `model` on the cards of `tasks`; every score is that of `expected` under the name `scored_as`, or under its own.
fn reaches(
    (folder, python): (&Path, &Path),
    model: &str,
    tasks: &[&str],
    (expected, scored_as): (&Value, Option<&str>),
) -> Value {
    let home = tempfile::tempdir().unwrap();
    let mut command = host(home.path());
    command.args(["run", "--json", "--python"]).arg(python).env("HF_HUB_CACHE", folder.join("hub"));
    for task in tasks {
        command.arg("--registry").arg(folder.join("cards").join(format!("{task}.toml")));
    }
    let run = Run::of(command.args(["--offline", "--model", model])).unwrap();
    assert_eq!(run.code, Some(0), "{model}: {}", run.stderr);
    let mut facts = Value::Null;
    for task in tasks {
        let file = result_file(home.path(), task);
        facts = file["mteb_host"]["model"].clone();
        let found = &file["scores"]["test"][0];
        let mut compared = 0;
        for (name, expected) in expected[scored_as.unwrap_or(task)].as_object().unwrap() {
            let Some(expected) = expected.as_f64() else { continue };
            let found = found[name].as_f64().unwrap_or(f64::NAN);
            assert!(
                (found - expected).abs() <= 1e-6,
                "{model}, {task}, {name}: {found} instead of {expected}"
            );
            compared += 1;
        }
        assert!(compared >= 6, "{model}, {task}: {compared} scores");
    }
    facts
}

/// A cross-encoder in code of the user's own and through the reference's loader.
fn cross_encoders_reach(folder: &Path, python: &Path, expected: &Value) {
    let place = folder.join("cross-encoder");
    let code = format!(
        "from sentence_transformers import CrossEncoder\nclass Pairs:\n    def __init__(self):\n        \
         self.model = CrossEncoder({:?}, device='cpu')\n    def predict(self, pairs):\n        \
         return self.model.predict(pairs, show_progress_bar=False)\n",
        place.to_str().unwrap()
    );
    fs::write(folder.join("pairs.py"), code).unwrap();
    let own = format!("python:{}:Pairs", folder.join("pairs.py").display());
    reaches((folder, python), &own, &["TinyReranking"], (expected, None));
    let (name, revision) = CROSS_ENCODER;
    let repository = folder.join(format!("hub/models--{}", name.replace('/', "--")));
    fs::create_dir_all(repository.join("refs")).unwrap();
    fs::create_dir_all(repository.join("snapshots")).unwrap();
    fs::write(repository.join("refs/main"), revision).unwrap();
    std::os::unix::fs::symlink(&place, repository.join("snapshots").join(revision)).unwrap();
    let card = fs::read_to_string(folder.join("cards/TinyReranking.toml")).unwrap();
    let card = card.replace("name = \"TinyReranking\"", &format!("name = \"{KNOWN}\""));
    fs::write(folder.join(format!("cards/{KNOWN}.toml")), card).unwrap();
    let of_reference = format!("mteb:{name}");
    reaches((folder, python), &of_reference, &[KNOWN], (expected, Some("TinyReranking")));
}

#[test]
fn sparse_multi_vector_routed_and_cross_encoder_models_get_the_scores_of_the_reference() {
    let Some((python, folder, expected)) = reference_scores() else { return };
    host_binary();
    assert_eq!(expected.as_object().unwrap().len(), 10);
    assert_eq!(expected["router"], expected["asymmetric"], "a router by its older name");
    for (one, other) in [("multi-vector", "multi-vector-mean"), ("multi-vector", "multi-vector-pylate")] {
        assert_ne!(expected[one], expected[other], "the mean, and queries of one length, make a difference");
    }
    for (kind, scores) in expected.as_object().unwrap() {
        let tasks: Vec<&str> = scores.as_object().unwrap().keys().map(String::as_str).collect();
        let model = format!("st:{}", folder.path().join(kind).display());
        let facts = reaches((folder.path(), &python), &model, &tasks, (scores, None));
        match kind.as_str() {
            "cross-encoder" => cross_encoders_reach(folder.path(), &python, scores),
            "sparse" => assert_eq!(facts["rows"], "sparse"),
            "router" | "asymmetric" | "prompted" => assert_eq!(facts["rows"], Value::Null),
            _ => assert_eq!(facts["rows"], "multi-vector"),
        }
    }
}
