//! What providers of models and judges reply.

use mteb_card::ApiStyle;
use mteb_graded::judge::{Style as JudgeStyle, read_reply, reply_tokens};
use mteb_plugin_api_models::{read_rows, read_scores, style};

use super::kinds::kind;

/// Texts and documents that were asked about.
const ASKED: usize = 2;

/// Reads a reply in the form of every provider, as embeddings and as scores: all numbers are finite, one row or score for each.
pub fn api(input: &[u8]) -> String {
    let mut answer = String::new();
    for name in ApiStyle::ALL {
        for dimension in [None, Some(2)] {
            match read_rows(style(name), input, ASKED, dimension) {
                Ok((rows, _)) => {
                    assert_eq!(rows.len(), ASKED);
                    assert!(rows.iter().all(|row| row.len() == dimension.unwrap_or(rows[0].len())));
                    assert!(rows.iter().flatten().all(|number| number.is_finite()));
                    answer += "r";
                }
                Err(unfit) => answer += &kind(&unfit.message).chars().take(24).collect::<String>(),
            }
        }
        match read_scores(style(name), input, ASKED) {
            Ok((scores, _)) => {
                assert!(scores.len() == ASKED && scores.iter().all(|score| score.is_finite()));
                answer += "s";
            }
            Err(unfit) => answer += &kind(&unfit.message).chars().take(24).collect::<String>(),
        }
    }
    answer
}

/// Reads a reply of a judge in every form: a score is from 0 to 10.
pub fn judge(input: &[u8]) -> String {
    let forms = [JudgeStyle::Openai, JudgeStyle::Anthropic, JudgeStyle::Import];
    let answers = forms.map(|form| {
        let tokens = reply_tokens(form, input).is_some();
        match read_reply(form, input) {
            Ok(reply) => {
                assert!((0.0..=10.0).contains(&reply.score), "{}", reply.score);
                format!("ok {tokens}")
            }
            Err(fault) => format!("{} {tokens}", kind(&fault.to_string())),
        }
    });
    answers.join("; ")
}
