//! A hash of what code does, for build scripts: its words, and the packages that it is built from.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

pub use proc_macro2::LexError;

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

/// Names and versions of all packages that `package` needs, directly or through others, as `lock` has them.
pub fn packages_below(package: &str, lock: &str) -> BTreeSet<String> {
    let mut needs: BTreeMap<&str, (Vec<String>, Vec<&str>)> = BTreeMap::new();
    for block in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = ")).map(strip_quotes)
        };
        let Some(name) = value("name") else { continue };
        let list =
            block.split_once("dependencies = [").map_or("", |(_, list)| list.split(']').next().unwrap_or(""));
        let listed = list.lines().map(strip_quotes).filter(|line| !line.is_empty());
        // A name is followed by a version where the lock has several of it: all of them count then.
        let listed = listed.map(|line| line.split(' ').next().unwrap_or(line));
        let found = needs.entry(name).or_default();
        found.0.push(format!("{name} {}", value("version").unwrap_or_default()));
        found.1.extend(listed);
    }
    let (mut open, mut seen, mut all) = (vec![package], BTreeSet::new(), BTreeSet::new());
    while let Some(name) = open.pop() {
        if let Some((versions, listed)) = needs.get(name).filter(|_| seen.insert(name.to_owned())) {
            all.extend(versions.iter().cloned());
            open.extend(listed);
        }
    }
    all
}

fn strip_quotes(text: &str) -> &str {
    text.trim().trim_end_matches(',').trim_matches('"')
}
