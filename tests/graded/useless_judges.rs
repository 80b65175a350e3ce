//! A judge that replies no judgements, from the beginning, from some pair on or for some queries: few calls are paid for, and nothing that
//! it did not judge counts as failed before it is known that it judges others.

use std::fs;
use std::time::Duration;

use super::judge::{STORE, card, judge, judgements, pairs, prepared};
use super::provider::{Misdeed, Provider, When};

#[test]
fn a_judge_that_never_judges_is_asked_for_a_few_pairs_and_nothing_is_recorded() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&nobody, 3);
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
    let folder = prepared(&nobody, 5);
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
    let folder = prepared(&nobody, 5);
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
