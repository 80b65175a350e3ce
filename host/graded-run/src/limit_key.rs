//! What an endpoint calls the limit of a reply, found out while it is asked: a server may hide a model that reasons behind another name.

use std::cell::{Cell, RefCell};
use std::mem::take;

use mteb_graded::judge::{JudgeCard, ReplyLimit, Style};

/// The key that every refusal of another one names.
const NAMED: &str = "max_completion_tokens";

/// Statuses by which servers refuse a key that they do not know.
const REFUSALS: [u16; 2] = [400, 422];

/// The key that is used, and who was refused for it.
#[derive(Debug)]
pub struct LimitKey {
    first: ReplyLimit,
    /// False where the card says the key.
    may_change: bool,
    is_changed: Cell<bool>,
    /// The first pair of this round that is asked with the other key.
    changed_at: Cell<usize>,
    /// Numbers of the pairs of this round that were refused for the key.
    refused: RefCell<Vec<usize>>,
}

impl LimitKey {
    /// That of `card`.
    pub fn of(card: &JudgeCard) -> Self {
        let endpoint = &card.endpoint;
        Self {
            first: endpoint.reply_limit(),
            may_change: endpoint.output_tokens_as.is_none() && endpoint.style == Style::Openai,
            is_changed: Cell::new(false),
            changed_at: Cell::new(usize::MAX),
            refused: RefCell::default(),
        }
    }

    /// A round of pairs begins, which are numbered from 0 on.
    pub fn begin(&self) {
        self.changed_at.set(if self.is_changed.get() { 0 } else { usize::MAX });
        self.refused.borrow_mut().clear();
    }

    /// The key for the pair of this number, which is about to be asked; numbers ascend.
    pub fn key_of(&self, number: usize) -> ReplyLimit {
        if !self.is_changed.get() {
            return self.first;
        }
        self.changed_at.set(self.changed_at.get().min(number));
        self.first.other()
    }

    /// True if the pair of this number was refused for the key, so that it is to be asked again with the other one.
    pub fn is_refused(&self, number: usize, status: u16, message: &str) -> bool {
        let is_of_key = REFUSALS.contains(&status) && message.contains(NAMED);
        if !self.may_change || !is_of_key || number >= self.changed_at.get() {
            return false;
        }
        self.is_changed.set(true);
        self.refused.borrow_mut().push(number);
        true
    }

    /// The numbers of the pairs that were refused for the key.
    pub fn take_refused(&self) -> Vec<usize> {
        let mut numbers = take(&mut *self.refused.borrow_mut());
        numbers.sort_unstable();
        numbers
    }

    /// The key that the endpoint has asked for; `None` if it took the first one.
    pub fn found(&self) -> Option<ReplyLimit> {
        self.is_changed.get().then(|| self.first.other())
    }
}

#[cfg(test)]
mod tests {
    use mteb_graded::judge::parse_card;

    use super::*;

    const OPENAI: &str = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";

    fn key(more: &str) -> LimitKey {
        let card = format!(
            "schema = 1\nname = \"n\"\ntitle = \"t\"\nthreshold = 6.0\n[endpoint]\nstyle = \"openai\"\nurl = \"http://localhost\"\n\
             model = \"deployment\"\n{more}\n[prompt]\nlanguage = \"en\"\nversion = 2\n"
        );
        LimitKey::of(&parse_card("card.toml", &card).unwrap())
    }

    #[test]
    fn a_pair_is_refused_for_the_key_once_and_the_others_get_the_other_one() {
        let key = key("");
        key.begin();
        assert_eq!([key.key_of(0), key.key_of(1)], [ReplyLimit::MaxTokens; 2]);
        assert!(key.is_refused(1, 400, OPENAI) && key.is_refused(0, 400, OPENAI));
        assert_eq!(key.key_of(2), ReplyLimit::MaxCompletionTokens);
        assert!(!key.is_refused(2, 400, OPENAI), "it had the other key");
        assert_eq!((key.take_refused(), key.take_refused()), (vec![0, 1], Vec::new()));
        key.begin();
        assert_eq!(key.key_of(0), ReplyLimit::MaxCompletionTokens);
        assert!(!key.is_refused(0, 400, OPENAI));
        assert_eq!(key.found(), Some(ReplyLimit::MaxCompletionTokens));
    }

    #[test]
    fn a_refusal_for_something_else_and_a_key_of_the_card_change_nothing() {
        let by_name = key("");
        by_name.begin();
        assert!(!by_name.is_refused(0, 400, "no such parameter") && !by_name.is_refused(0, 500, OPENAI));
        let of_card = key("output_tokens_as = \"max_tokens\"");
        of_card.begin();
        assert!(!of_card.is_refused(0, 400, OPENAI));
        assert_eq!((by_name.found(), of_card.found()), (None, None));
    }
}
