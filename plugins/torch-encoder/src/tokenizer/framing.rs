//! What the older tokenizer files of an architecture do not say of themselves.

/// What stands around the pieces of a text, and how these are numbered, where a checkpoint has no `tokenizer.json` that says it. An
/// architecture declares it, and the files say the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// BERT's: `[CLS]` before and `[SEP]` behind word pieces.
    Bert,
    /// MPNet's: `<s>` before and `</s>` behind word pieces, twice between two texts.
    MpNet,
    /// RoBERTa's: `<s>` before and `</s>` behind pieces of bytes, twice between two texts.
    Roberta,
    /// T5's: `</s>` behind unigrams, which have 100 sentinels behind them.
    T5,
    /// XLM-RoBERTa's: `<s>` before and `</s>` behind unigrams, whose first four ids are not those of the file.
    XlmRoberta,
}
