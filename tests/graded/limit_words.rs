//! A server that hides a model behind another name takes one of two words for the limit of a reply: the card says which, or the server's
//! refusal does, and no pair is lost by it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::judge::{STORE, assert_all_judged, card, judge, pairs, prepared};
use super::provider::{Misdeed, Provider};

/// Writes the card of a judge whose provider calls its model so, with `more` under `[endpoint]`.
fn named(folder: &Path, provider: &Provider, model: &str, more: &str) {
    card(folder, &provider.address, 3);
    let path = folder.join("reader.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, text.replace("model = \"m-1\"\n", &format!("model = \"{model}\"\n{more}\n"))).unwrap();
    let _ = fs::remove_file(folder.join(STORE));
}

#[test]
fn a_server_that_refuses_one_word_is_asked_with_the_other_one_and_every_pair_is_judged() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&nobody, 3);
    let count = pairs(folder.path()).len();
    for (misdeed, model, word) in [
        (Misdeed::WantsCompletionTokens, "my-deployment", "max_completion_tokens"),
        (Misdeed::WantsTokens, "gpt-5-nano", "max_tokens"),
    ] {
        let provider = Provider::start(misdeed, 1, Duration::ZERO);
        named(folder.path(), &provider, model, "");
        let run = judge(folder.path(), &[]);
        assert_eq!(run.code, Some(0), "{misdeed:?}: {}{}", run.stdout, run.stderr);
        assert_all_judged(folder.path(), &provider);
        let said =
            format!("takes `{word}` alone; `output_tokens_as = \"{word}\"` under `[endpoint]` of the card");
        assert!(run.stderr.contains(&said), "{misdeed:?}: {}", run.stderr);
        // The five pairs by which the judge is tried found it out.
        assert_eq!(provider.asked().len(), count + 5, "{misdeed:?}");
        // With the word in the card nothing is refused.
        let told = Provider::start(misdeed, 1, Duration::ZERO);
        named(folder.path(), &told, model, &format!("output_tokens_as = \"{word}\""));
        let run = judge(folder.path(), &[]);
        assert_eq!((run.code, told.asked().len()), (Some(0), count), "{misdeed:?}: {}", run.stderr);
        assert!(!run.stderr.contains("output_tokens_as"), "{}", run.stderr);
        assert!(told.asked().iter().all(|asked| asked.body[word] == 512), "{misdeed:?}");
    }
}

#[test]
fn a_store_that_has_judgements_goes_on_where_the_server_wants_the_other_word_now() {
    let before = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&before, 3);
    assert_eq!(judge(folder.path(), &["--max-calls", "9"]).code, Some(0));
    let provider = Provider::start(Misdeed::WantsCompletionTokens, 1, Duration::ZERO);
    card(folder.path(), &provider.address, 3);
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let judged = super::judge::judgements(folder.path());
    assert_eq!(judged.len(), pairs(folder.path()).len());
    assert!(judged.iter().all(|line| line["score"].is_number()));
}

#[test]
fn a_word_of_the_card_that_the_server_refuses_is_told_with_the_servers_reason() {
    let provider = Provider::start(Misdeed::WantsCompletionTokens, 1, Duration::ZERO);
    let folder = prepared(&provider, 3);
    named(folder.path(), &provider, "m-1", "output_tokens_as = \"max_tokens\"");
    let run = judge(folder.path(), &[]);
    assert_eq!((run.code, provider.asked().len()), (Some(1), 5), "{}", run.stderr);
    assert!(run.stderr.contains("Use 'max_completion_tokens' instead"), "{}", run.stderr);
    let other = "style = \"anthropic\"";
    let path = folder.path().join("reader.toml");
    let text = fs::read_to_string(&path).unwrap().replace("style = \"openai\"", other);
    fs::write(path, text).unwrap();
    let refused = judge(folder.path(), &[]);
    let expected = "expected `endpoint.output_tokens_as` with the style `openai` alone, found: max_tokens";
    assert!(refused.stderr.contains(expected), "{}", refused.stderr);
}
