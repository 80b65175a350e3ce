//! One question to an endpoint, and what was read from its reply.

/// A question: a path below the endpoint's address, and the JSON that is posted there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// Path below the address.
    pub path: String,
    /// The JSON text.
    pub body: Vec<u8>,
    /// Tokens that the question will cost, as far as that is known; counts for limits and for the budget.
    pub tokens: u64,
    /// Tokens that the answer will cost, likewise; counts for the budget.
    pub reply_tokens: u64,
    /// The most that an answer to it can be.
    pub bounds: Bounds,
}

/// The most that a reply can be; one that is larger is no answer, and is not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes; those of the policy count too.
    pub bytes: usize,
    /// Values of its JSON, at every depth.
    pub values: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { bytes: usize::MAX, values: usize::MAX }
    }
}

impl Call {
    /// What the call is expected to cost.
    pub(crate) fn expected(&self) -> Usage {
        Usage { input: self.tokens, cached: 0, output: self.reply_tokens }
    }
}

/// What was read from a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Read<T> {
    /// The answer.
    pub value: T,
    /// What it has cost, if the reply says so; else the estimate of the call counts.
    pub usage: Option<Usage>,
}

/// Tokens that an endpoint has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the question.
    pub input: u64,
    /// Those of them that the endpoint had in its cache.
    pub cached: u64,
    /// Tokens of the answer.
    pub output: u64,
}

/// A reply that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// What was expected and what was found.
    pub message: String,
    /// True if another attempt may bring a better one.
    pub may_pass: bool,
    /// What it has cost all the same.
    pub charge: Charge,
}

/// What a reply has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charge {
    /// Nothing, as far as anybody knows.
    #[default]
    Nothing,
    /// As much as the call was expected to.
    Estimate,
    /// These tokens.
    Tokens(Usage),
}

impl Unfit {
    /// A reply that another attempt may better.
    pub fn passing(message: impl Into<String>) -> Self {
        Self { message: message.into(), may_pass: true, charge: Charge::Nothing }
    }

    /// A reply that will always be so.
    pub fn lasting(message: impl Into<String>) -> Self {
        Self { message: message.into(), may_pass: false, charge: Charge::Nothing }
    }

    /// The same reply, which was paid for.
    #[must_use]
    pub fn charged(self, charge: Charge) -> Self {
        Self { charge, ..self }
    }
}
