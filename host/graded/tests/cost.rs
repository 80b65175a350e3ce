//! What judging will cost: known before it is paid.

use mteb_graded::judge::{estimate, parse_card, tokens_by_bytes};

use super::pool;

const CARD: &str = r#"
schema = 1
name = "reader"
title = "a judge"
threshold = 6.0
[endpoint]
style = "openai"
url = "http://localhost/v1"
model = "m"
[prompt]
language = "en"
version = 1
[prices]
input = 1.0
cached = 0.25
output = 2.0
[limits]
bytes_per_token = 1.0
"#;

#[test]
fn a_cache_can_have_rubric_and_query_of_all_but_the_first_document_of_a_query() {
    let pool = pool(&[("q1", &["a", "b"]), ("q2", &["c"])]);
    let card = parse_card("reader.toml", CARD).unwrap();
    let prompt = card.prompt().unwrap();
    let pairs: Vec<_> = pool.pairs.iter().collect();
    let found = estimate(&pool, &pairs, &card, &prompt, &tokens_by_bytes(&card));
    let shared = (prompt.rubric.len() + "<query>\nQuery:\ntext of q1\n</query>\n\n".len()) as u64;
    let own = "<document>\nDocument:\ntext of a\n</document>".len() as u64;
    assert_eq!(
        (found.pairs, found.input, found.cacheable, found.output),
        (3, 3 * (shared + own), shared, 3 * 120)
    );
    let (without, with) = found.costs(card.prices.as_ref().unwrap());
    assert!((without - (found.input + 2 * found.output) as f64 / 1e6).abs() < 1e-12);
    assert!((without - with - 0.75 * shared as f64 / 1e6).abs() < 1e-12);
}

#[test]
fn a_card_that_says_what_cannot_be_is_refused_with_its_place() {
    let refusal =
        |from: &str, to: &str| parse_card("reader.toml", &CARD.replace(from, to)).unwrap_err().to_string();
    assert_eq!(
        refusal("threshold = 6.0", "threshold = 11"),
        "reader.toml: expected a `threshold` from 0 to 10, found: 11"
    );
    assert!(
        refusal("model = \"m\"", "modle = \"m\"")
            .starts_with("reader.toml, line 9: expected the card of a judge")
    );
    assert!(
        parse_card("reader.toml", &CARD.replace("[prices]\ninput = 1.0\ncached = 0.25\noutput = 2.0\n", ""))
            .is_ok()
    );
}
