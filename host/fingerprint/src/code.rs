//! A hash of what code does: of its words, without comments, documentation and layout.

use std::hash::{DefaultHasher, Hasher};

use proc_macro2::{Delimiter, LexError, TokenStream, TokenTree};

/// A hash in the making.
#[derive(Default)]
pub struct Fingerprint(DefaultHasher);

impl Fingerprint {
    /// Takes in a word.
    pub fn add(&mut self, word: &str) {
        self.0.write(word.as_bytes());
        self.0.write_u8(0);
    }

    /// Takes in code.
    ///
    /// # Errors
    /// If it is no Rust.
    pub fn add_code(&mut self, code: &str) -> Result<(), LexError> {
        self.add_tokens(code.parse()?);
        Ok(())
    }

    /// The hash.
    pub fn finish(&self) -> u64 {
        self.0.finish()
    }

    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            if is(&token, '#') {
                // What documents a whole file has a `!` in between.
                tokens.next_if(|next| is(next, '!'));
                if tokens.next_if(is_doc).is_some() {
                    continue;
                }
            }
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.add(open);
                    self.add_tokens(group.stream());
                    self.add(close);
                }
                word => self.add(&word.to_string()),
            }
        }
    }
}

fn is(token: &TokenTree, letter: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == letter)
}

/// True for the `[doc = "…"]` that a comment for the documentation becomes.
fn is_doc(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let first = group.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(name)) if name == "doc")
}
