//! Replies that are no judgements: few calls are paid for. What a document, a provider or a server may try
//! with a judge, and the two words that servers take for the limit of a reply.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use mteb_host_tests::{Run, host};

use super::provider::{
    Misdeed, Provider, STORE, When, assert_all_judged, card, judge, judgements, pairs, prepare_pool, question,
};

#[test]
fn a_judge_that_never_judges_is_asked_for_a_few_pairs_and_nothing_is_recorded() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&nobody, 3);
    for (misdeed, reason, attempts) in [
        (Misdeed::Prose, "and nothing else, found: I like this document. (3 attempts)", 3),
        (Misdeed::Refuses, "refused with status 400: no such parameter", 1),
    ] {
        let provider = Provider::start(misdeed, 1, Duration::ZERO);
        card(folder.path(), &provider.address, 3);
        let run = judge(folder.path(), &[]);
        assert_eq!(run.code, Some(1), "{misdeed:?}: {}", run.stdout);
        let expected = "expected a judgement of one of the first 5 pairs, found none, and nothing is recorded; the last one: ";
        assert!(run.stderr.contains(expected) && run.stderr.contains(reason), "{misdeed:?}: {}", run.stderr);
        assert_eq!(provider.asked().len(), 5 * attempts, "{misdeed:?}");
        assert!(judgements(folder.path()).is_empty(), "{misdeed:?}");
    }
    // A budget that ends within them hides no reason.
    let provider = Provider::start(Misdeed::Prose, 1, Duration::ZERO);
    card(folder.path(), &provider.address, 3);
    let run = judge(folder.path(), &["--max-calls", "7"]);
    assert!(run.stderr.contains("I like this document."), "{}", run.stderr);
    assert!(judgements(folder.path()).is_empty());
}

/// So many pairs that are judged, for a store of a judge that has judged something.
const GOOD: usize = 30;

#[test]
fn a_judge_that_judges_no_more_is_asked_for_a_few_pairs_and_none_of_them_fails() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&nobody, 5);
    let count = pairs(folder.path()).len();
    assert!(count > 200, "{count}");
    for (misdeed, reason, of_each, at_once) in [
        (Misdeed::Prose, "and nothing else, found: I like this document.", 3, "1"),
        (Misdeed::Refuses, "refused with status 400: no such parameter", 1, "1"),
        (Misdeed::AsText, "expected a score as a number, found: \"7\"", 3, "1"),
        (Misdeed::Prose, "and nothing else, found: I like this document.", 3, "8"),
    ] {
        let _ = fs::remove_file(folder.path().join(STORE));
        let provider = Provider::start_when(misdeed, When::After(GOOD), Duration::ZERO);
        card(folder.path(), &provider.address, 3);
        let run = judge(folder.path(), &["--concurrency", at_once]);
        assert_eq!(run.code, Some(1), "{misdeed:?}: {}", run.stdout);
        let expected = "expected judgements, found none in 8 replies in a row, nor of 5 other pairs, and nothing is recorded of them";
        assert!(run.stderr.contains(expected) && run.stderr.contains(reason), "{misdeed:?}: {}", run.stderr);
        // Eight replies, twice what is under way at once, and the trial.
        let asked = provider.asked().len() - GOOD;
        let under_way: usize = at_once.parse().unwrap();
        assert!(asked <= 8 + 2 * under_way + 5 * of_each, "{misdeed:?}: {asked}");
        let kept = judgements(folder.path());
        assert!(kept.len() == GOOD && kept.iter().all(|line| line["score"].is_number()), "{misdeed:?}");
        // The same again ends as soon, and costs none of what was judged.
        let again = judge(folder.path(), &[]);
        assert_eq!((again.code, judgements(folder.path()).len()), (Some(1), GOOD), "{misdeed:?}");
        let mended = Provider::start(Misdeed::None, 1, Duration::ZERO);
        card(folder.path(), &mended.address, 3);
        let whole = judge(folder.path(), &[]);
        assert_eq!(whole.code, Some(0), "{misdeed:?}: {}", whole.stderr);
        assert_eq!(mended.asked().len(), count - GOOD, "{misdeed:?}");
        assert_eq!(judgements(folder.path()).len(), count, "{misdeed:?}");
    }
}

#[test]
fn a_judge_that_judges_no_document_of_some_queries_is_asked_for_all_others() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&nobody, 5);
    for (misdeed, attempts) in [(Misdeed::Prose, 3), (Misdeed::Refuses, 1)] {
        let _ = fs::remove_file(folder.path().join(STORE));
        let provider = Provider::start_when(misdeed, When::OfQueries(4), Duration::ZERO);
        card(folder.path(), &provider.address, 3);
        let run = judge(folder.path(), &["--concurrency", "1"]);
        assert_eq!(run.code, Some(1), "{misdeed:?}: {}", run.stdout);
        let kept = judgements(folder.path());
        assert_eq!(kept.len(), pairs(folder.path()).len(), "{misdeed:?}: {}", run.stderr);
        let queries = |has_score: bool| -> std::collections::BTreeSet<String> {
            let of = kept.iter().filter(|line| line["score"].is_number() == has_score);
            of.map(|line| line["query"].to_string()).collect()
        };
        assert!(queries(true).is_disjoint(&queries(false)) && !queries(false).is_empty(), "{misdeed:?}");
        // Nothing that a reply took is lost, also where the asking was cut short in between.
        let replies = if misdeed == Misdeed::Prose { attempts } else { 0 };
        for line in kept.iter().filter(|line| !line["score"].is_number()) {
            assert!(line["tokens"]["output"].as_u64() >= Some(20 * replies), "{misdeed:?}: {line}");
        }
    }
}

/// Writes the card of a judge whose provider calls its model so, with `more` under `[endpoint]`.
fn name_model(folder: &Path, provider: &Provider, model: &str, more: &str) {
    card(folder, &provider.address, 3);
    let path = folder.join("reader.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, text.replace("model = \"m-1\"\n", &format!("model = \"{model}\"\n{more}\n"))).unwrap();
    let _ = fs::remove_file(folder.join(STORE));
}

#[test]
fn a_server_that_refuses_one_word_is_asked_with_the_other_one_and_every_pair_is_judged() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&nobody, 3);
    let count = pairs(folder.path()).len();
    for (misdeed, model, word) in [
        (Misdeed::WantsCompletionTokens, "my-deployment", "max_completion_tokens"),
        (Misdeed::WantsTokens, "gpt-5-nano", "max_tokens"),
    ] {
        let provider = Provider::start(misdeed, 1, Duration::ZERO);
        name_model(folder.path(), &provider, model, "");
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
        name_model(folder.path(), &told, model, &format!("output_tokens_as = \"{word}\""));
        let run = judge(folder.path(), &[]);
        assert_eq!((run.code, told.asked().len()), (Some(0), count), "{misdeed:?}: {}", run.stderr);
        assert!(!run.stderr.contains("output_tokens_as"), "{}", run.stderr);
        assert!(told.asked().iter().all(|asked| asked.body[word] == 512), "{misdeed:?}");
    }
}

#[test]
fn a_store_that_has_judgements_goes_on_where_the_server_wants_the_other_word_now() {
    let before = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&before, 3);
    assert_eq!(judge(folder.path(), &["--max-calls", "9"]).code, Some(0));
    let provider = Provider::start(Misdeed::WantsCompletionTokens, 1, Duration::ZERO);
    card(folder.path(), &provider.address, 3);
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let judged = super::provider::judgements(folder.path());
    assert_eq!(judged.len(), pairs(folder.path()).len());
    assert!(judged.iter().all(|line| line["score"].is_number()));
}

#[test]
fn a_word_of_the_card_that_the_server_refuses_is_told_with_the_servers_reason() {
    let provider = Provider::start(Misdeed::WantsCompletionTokens, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 3);
    name_model(folder.path(), &provider, "m-1", "output_tokens_as = \"max_tokens\"");
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

const KEY: &str = "sk-test-0123456789abcdef";

#[test]
fn the_tags_of_a_question_are_its_own_and_the_same_when_it_is_asked_again() {
    let asked = || -> HashSet<String> {
        let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
        let folder = prepare_pool(&provider, 1);
        let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
        fs::write(folder.path().join("reader.toml"), card.replace("version = 1", "version = 2")).unwrap();
        let run = judge(folder.path(), &[]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let store = fs::read_to_string(folder.path().join("graded/judgements/reader.jsonl")).unwrap();
        assert!(
            store.starts_with(r#"{"judgements":1,"judge":"reader","model":"m-1","prompt":"en-2"}"#),
            "{store}"
        );
        provider.asked().iter().map(|asked| question(&asked.body)).collect()
    };
    let first = asked();
    assert_eq!(first, asked());
    let tag = |text: &String| text.rsplit_once("</document-").unwrap().1.to_owned();
    let tags: HashSet<String> = first.iter().map(tag).collect();
    assert_eq!(tags.len(), first.len(), "no two pairs have the same");
    assert!(first.iter().all(|text| text.ends_with(&format!("</document-{}", tag(text)))));
}

#[test]
fn judgements_of_the_first_prompt_go_on_with_their_own_card() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    assert_eq!(judge(folder.path(), &["--max-calls", "3"]).code, Some(0));
    let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
    fs::write(folder.path().join("reader.toml"), card.replace("version = 1", "version = 2")).unwrap();
    let other = judge(folder.path(), &[]);
    assert!(
        other.stderr.contains("prompt en-2), found: reader (m-1, prompt en-1); `--judge "),
        "{}",
        other.stderr
    );
    let own = host(folder.path())
        .args(["graded", "judge", "--quiet", "--judge", "graded/judgements/reader.toml"])
        .output()
        .unwrap();
    assert_eq!(own.status.code(), Some(0), "{}", String::from_utf8_lossy(&own.stderr));
}

#[test]
fn a_reply_in_nobodys_name_is_no_judgement() {
    let provider = Provider::start(Misdeed::Nameless, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let run = judge(folder.path(), &["--concurrency", "1"]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(run.stderr.contains("expected replies of the model m-1, found: no name"), "{}", run.stderr);
    assert!(judgements(folder.path()).is_empty());
}

#[test]
fn no_part_of_a_key_is_kept_in_reasons_or_said() {
    let provider = Provider::start(Misdeed::KeyParts, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
    let card = card.replace("model = \"m-1\"", "model = \"m-1\"\nkey_env = \"READER_KEY\"");
    fs::write(folder.path().join("reader.toml"), card).unwrap();
    let place = provider.address.trim_start_matches("http://");
    let mut command = host(folder.path());
    command.args(["graded", "judge", "--judge", "reader.toml", "--quiet", "--allow-env"]);
    let run = Run::of(command.arg(format!("READER_KEY={place}")).env("READER_KEY", KEY)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let kept = judgements(folder.path());
    assert!(!kept.is_empty());
    for judgement in kept {
        let reasoning = judgement["reasoning"].as_str().unwrap();
        assert!(reasoning.contains("[key]"), "{reasoning}");
        let letters: String = reasoning.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
        for part in ["01234567", "89abcdef", "fedcba98", "76543210", "c2stdgvz"] {
            assert!(!letters.contains(part), "{part}: {reasoning}");
        }
    }
}

#[test]
fn a_judge_of_others_leads_no_text_to_another_machine_without_leave() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
    fs::write(folder.path().join("reader.toml"), card.replace("127.0.0.1", "127.1")).unwrap();
    let refused = judge(folder.path(), &[]);
    let place = provider.address.replace("http://127.0.0.1", "127.1");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains(&format!("add `--allow-host {place}`")), "{}", refused.stderr);
    assert!(provider.asked().is_empty());
    let allowed = judge(folder.path(), &["--allow-host", &place]);
    assert_eq!(allowed.code, Some(0), "{}", allowed.stderr);
}
