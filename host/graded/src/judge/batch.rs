//! Questions and replies as files: the form of the providers' batches, and a plain one for judges that nobody asks over a network. A line
//! of JSON a pair, named by the pair.

use serde::Deserialize;
use serde_json::{Value, json};

use super::card::{JudgeCard, Style};
use super::prompt::Prompt;
use super::question::{Question, body};
use super::reply::{OtherModel, Reply, ReplyFault, read_reply, read_reply_of};
use crate::{PairId, PairIdError};

/// The line of a question.
pub fn batch_line(card: &JudgeCard, prompt: &Prompt, pair: PairId, question: Question<'_>) -> String {
    let body = body(card, prompt, question, card.endpoint.reply_limit());
    let line = match card.endpoint.style {
        Style::Openai => json!({
            "custom_id": pair.to_string(), "method": "POST", "url": "/v1/chat/completions", "body": body,
        }),
        Style::Anthropic => json!({"custom_id": pair.to_string(), "params": body}),
        Style::Import => json!({
            "judge": card.name, "prompt": prompt.name, "pair": pair.to_string(), "query": question.query,
            "document": question.document,
        }),
    };
    line.to_string()
}

/// True if `line` has the form of a line that [`batch_line`] writes, whatever the judge: a question and no answer.
pub fn is_batch_line(line: &str) -> bool {
    const FORMS: [&[&str]; 3] = [
        &["custom_id", "method", "url", "body"],
        &["custom_id", "params"],
        &["judge", "prompt", "pair", "query", "document"],
    ];
    let Ok(Value::Object(line)) = mteb_data::each_key_once(line.as_bytes()) else { return false };
    let is_form = |keys: &&[&str]| keys.len() == line.len() && keys.iter().all(|key| line.contains_key(*key));
    let pair = line.get("custom_id").or_else(|| line.get("pair")).and_then(Value::as_str);
    FORMS.iter().any(is_form) && pair.is_some_and(|pair| pair.parse::<PairId>().is_ok())
}

/// A line that is no reply of the judge.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchFault {
    /// It is no JSON.
    #[error("expected JSON")]
    NoJson,
    /// It has a key twice.
    #[error("{}", without_place(.0))]
    Form(#[source] serde_json::Error),
    /// It is JSON of something else.
    #[error("expected a judgement: {}", without_place(.0))]
    NoJudgement(#[source] serde_json::Error),
    /// It does not name its pair.
    #[error(transparent)]
    Pair(#[from] PairIdError),
    /// Another model has replied.
    #[error(transparent)]
    OtherModel(#[from] OtherModel),
    /// It is of another judge, or of another prompt.
    #[error("expected judgements of the {what} {expected}, found: {found}")]
    Other {
        /// What is another one: `judge` or `prompt`.
        what: &'static str,
        /// The card's.
        expected: String,
        /// That of the line.
        found: String,
    },
    /// It says neither what the score is nor why there is none, or both.
    #[error("expected either a `score` or `failed`")]
    NoVerdict,
}

/// The line of a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchReply {
    /// What was judged.
    pub pair: PairId,
    /// The query and the document that were read, where the line has them.
    pub texts: [Option<String>; 2],
    /// A judgement, or why there is none.
    pub reply: Result<Reply, BatchFailure>,
}

/// Why a pair has no judgement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchFailure {
    /// The reply holds none.
    #[error(transparent)]
    Reply(#[from] ReplyFault),
    /// There is something else in the place of the reply.
    #[error("expected a reply, found: {0}")]
    NoReply(String),
    /// Whoever judges says so.
    #[error("{0}")]
    Said(String),
}

impl BatchReply {
    /// True unless the line has texts other than these, but for spaces and ends of lines, which editors change.
    pub fn is_of(&self, texts: (&str, &str)) -> bool {
        let is_alike = |(found, text): (&Option<String>, &str)| {
            found.as_ref().is_none_or(|found| found.split_whitespace().eq(text.split_whitespace()))
        };
        self.texts.iter().zip([texts.0, texts.1]).all(is_alike)
    }
}

/// Reads the line of a reply to `card`.
///
/// # Errors
/// If it is none, does not name its pair, or is of another judge.
pub fn read_batch_reply(card: &JudgeCard, line: &str) -> Result<BatchReply, BatchFault> {
    let style = card.endpoint.style;
    if style == Style::Import {
        return read_plain(card, line);
    }
    let line = mteb_data::each_key_once(line.as_bytes()).map_err(|error| match error.is_data() {
        true => BatchFault::Form(error),
        false => BatchFault::NoJson,
    })?;
    let name = line["custom_id"].as_str().unwrap_or_default();
    let pair: PairId = name.parse()?;
    let reply = match style {
        Style::Openai => line.pointer("/response/body").filter(|_| line["error"].is_null()),
        _ => line.pointer("/result/message"),
    };
    let failure = || match style {
        Style::Openai => line["error"].to_string(),
        _ => line["result"].to_string(),
    };
    let reply = match reply {
        Some(reply) => {
            let read = read_reply_of(&card.endpoint, reply.to_string().as_bytes());
            read?.map_err(BatchFailure::Reply)
        }
        None => Err(BatchFailure::NoReply(failure())),
    };
    Ok(BatchReply { pair, texts: [None, None], reply })
}

/// A line of the plain form: the line of the question with the judgement behind it, or the judgement with the name of its pair alone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plain {
    judge: Option<String>,
    prompt: Option<String>,
    pair: PairId,
    query: Option<String>,
    document: Option<String>,
    reasoning: Option<String>,
    score: Option<f64>,
    failed: Option<String>,
}

fn read_plain(card: &JudgeCard, line: &str) -> Result<BatchReply, BatchFault> {
    let plain: Plain = serde_json::from_str(line).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => BatchFault::NoJudgement(error),
        _ => BatchFault::NoJson,
    })?;
    let prompt = card.prompt().map(|prompt| prompt.name);
    for (what, found, expected) in
        [("judge", &plain.judge, Some(card.name.as_str())), ("prompt", &plain.prompt, prompt)]
    {
        if let (Some(found), Some(expected)) = (found, expected)
            && found != expected
        {
            let (expected, found) = (expected.to_owned(), found.clone());
            return Err(BatchFault::Other { what, expected, found });
        }
    }
    let reply = match (plain.score, plain.failed) {
        (Some(score), None) => {
            let reply = json!({"reasoning": plain.reasoning, "score": score});
            read_reply(Style::Import, reply.to_string().as_bytes()).map_err(BatchFailure::Reply)
        }
        (None, Some(reason)) => Err(BatchFailure::Said(reason)),
        _ => return Err(BatchFault::NoVerdict),
    };
    Ok(BatchReply { pair: plain.pair, texts: [plain.query, plain.document], reply })
}

/// What is wrong, without the place in a line that has a number of its own.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::card::parse_card;
    use super::*;

    fn card(style: &str, model: &str) -> JudgeCard {
        let url = if style == "import" { "" } else { "url = \"https://localhost\"\n" };
        let text = format!(
            "schema = 1\nname = \"reader\"\ntitle = \"t\"\nthreshold = 6.0\n[endpoint]\nstyle = \"{style}\"\n{url}model = \"{model}\"\n\
             [prompt]\nlanguage = \"id\"\nversion = 1\n"
        );
        parse_card("card.toml", &text).unwrap()
    }

    fn pair() -> PairId {
        PairId::new(("q1", "query"), ("d1", "text"))
    }

    #[test]
    fn a_plain_question_with_its_answer_behind_it_is_a_judgement() {
        let card = card("import", "m");
        let question = Question { query: "query", document: "text" };
        let line = batch_line(&card, &card.prompt().unwrap(), pair(), question);
        let mut answered: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&answered["query"], &answered["document"]), (&"query".into(), &"text".into()));
        assert!(is_batch_line(&line));
        answered["reasoning"] = "all of it".into();
        assert!(!is_batch_line(&answered.to_string()), "somebody's work");
        answered["score"] = 9.5.into();
        let found = read_batch_reply(&card, &answered.to_string()).unwrap();
        assert!(found.is_of(("query", " text\n")) && !found.is_of(("query", "other")));
        assert_eq!((found.pair, found.reply.unwrap().score), (pair(), 9.5));
        let failed = json!({"pair": pair(), "failed": "refused"}).to_string();
        let failed = read_batch_reply(&card, &failed).unwrap();
        assert!(failed.is_of(("query", "text")), "it has no texts of its own");
        assert_eq!((failed.pair, failed.reply), (pair(), Err(BatchFailure::Said("refused".to_owned()))));
    }

    #[test]
    fn questions_of_every_style_are_told_from_what_others_write() {
        for style in ["openai", "anthropic", "import"] {
            let card = card(style, "m");
            let question = Question { query: "query", document: "text" };
            assert!(is_batch_line(&batch_line(&card, &card.prompt().unwrap(), pair(), question)), "{style}");
        }
        let reply = json!({"custom_id": pair(), "error": null, "response": {}}).to_string();
        for other in ["", "notes", "{}", r#"{"custom_id": "mine", "params": {}}"#, &reply] {
            assert!(!is_batch_line(other), "{other}");
        }
    }

    #[test]
    fn what_is_no_plain_judgement_is_no_score() {
        let card = card("import", "m");
        let read = |more: &str| {
            let line = format!("{{\"pair\": \"{}\"{more}}}", pair());
            let read = read_batch_reply(&card, &line).map_err(|fault| fault.to_string());
            read.and_then(|found| found.reply.map_err(|why| why.to_string())).unwrap_err()
        };
        assert_eq!(read(""), "expected either a `score` or `failed`");
        assert_eq!(
            read(r#", "reasoning": "r", "score": "7""#),
            "expected a judgement: invalid type: string \"7\", expected f64"
        );
        assert_eq!(
            read(r#", "reasoning": "r", "score": 10.5"#),
            "expected a score from 0 to 10, found: 10.5"
        );
        assert!(read(r#", "score": 7"#).starts_with("expected `{\"reasoning\": text, \"score\": number}`"));
        assert_eq!(
            read(r#", "judge": "other", "reasoning": "r", "score": 7"#),
            "expected judgements of the judge reader, found: other"
        );
    }

    #[test]
    fn replies_of_another_model_are_not_taken_for_those_of_the_judge() {
        let line = |model: &str| {
            let content = json!({"reasoning": "r", "score": 7.0}).to_string();
            let body = json!({"model": model, "choices": [{"message": {"content": content}}]});
            json!({"custom_id": pair(), "error": null, "response": {"body": body}}).to_string()
        };
        let card = card("openai", "gpt-4.1-mini");
        for model in [
            "gpt-4.1-mini",
            "gpt-4.1-mini-2025-04-14",
            "openai/gpt-4.1-mini",
            "gpt-4.1-mini-20250414",
            "GPT-4.1-mini@20250414",
        ] {
            assert!(read_batch_reply(&card, &line(model)).is_ok(), "{model}");
        }
        for (model, found) in [
            ("claude-haiku-4-5", "claude-haiku-4-5"),
            ("gpt-4.1", "gpt-4.1"),
            ("gpt-4.1-mini-high", "gpt-4.1-mini-high"),
            ("gpt-4.1-mini-2025", "gpt-4.1-mini-2025"),
            ("gpt-4.1-mini-2025-14-04", "gpt-4.1-mini-2025-14-04"),
            ("gpt-4.1-mini/other", "gpt-4.1-mini/other"),
            ("", "no name"),
        ] {
            let other = read_batch_reply(&card, &line(model)).unwrap_err().to_string();
            let said = format!("expected replies of the model gpt-4.1-mini, found: {found}; ");
            assert!(other.starts_with(&said), "{other}");
        }
        let unnamed = line("").replace("\"model\":\"\",", "");
        let other = read_batch_reply(&card, &unnamed).unwrap_err();
        assert!(other.to_string().contains("found: no name; "), "{other}");
        let mut named = card;
        named.endpoint.aliases = vec!["team/mini".to_owned()];
        assert!(read_batch_reply(&named, &line("mini")).is_ok());
    }
}
