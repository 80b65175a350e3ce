//! Judges: language models that read one query and one document and give a score.

mod batch;
mod card;
mod cost;
mod prompt;
mod question;
mod reply;

pub use batch::{BatchFailure, BatchFault, BatchReply, batch_line, is_batch_line, read_batch_reply};
pub use card::{
    EndpointCard, JudgeCard, JudgePrices, Limits, PromptChoice, ReplyLimit, Style, card_schema, parse_card,
    read_card,
};
pub use cost::{Estimate, PairTokens, Work, estimate, pair_tokens, tokens_by_bytes, work};
pub use prompt::{Language, Prompt, Tags, prompt};
pub use question::{Question, body, path};
pub use reply::{OtherModel, Reply, ReplyFault, read_reply, read_reply_of, reply_tokens};
