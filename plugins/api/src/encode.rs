//! Embeds texts: many requests at once; a refused request is split until what is refused is known.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use mteb_card::{ApiCard, EmptyText, LongText};
use mteb_remote::{Call, Client, Failure, Flow, Read};

use crate::request::{
    CUT, Limits, Notes, begin_of, bounds_of_rows, is_too_long, requests, shorten, tokens_of,
};
use crate::styles::{Embedding, Style, read_rows};

/// How often a text is cut by a quarter: a thousandth of it is left.
const CUTS: usize = 24;

/// How a card has the row of an empty text.
const ZEROS: &str =
    "`empty_text = \"zeros\"` (a row of zeros, as the reference returns it for OpenAI's models)";
pub const SPACE: &str = "`empty_text = \"space\"`";

/// What a refusal of a text that is too long is followed by.
const LONG: &str =
    "; where it is too long, `--long-text cut`, or `long_text = \"cut\"` in the card, truncates such texts";

/// What embeds texts of one use.
pub struct Embedder<'a> {
    /// Whom to ask.
    pub client: &'a Client,
    /// In which form.
    pub style: &'static dyn Style,
    /// For what.
    pub card: &'a ApiCard,
    /// How much at once.
    pub limits: Limits,
    /// What the endpoint calls the use of the texts.
    pub input_type: Option<&'a str>,
    /// Numbers a row, if known.
    pub dimension: Option<usize>,
}

/// Rows by the number of their text, as far as they came.
pub type Rows = HashMap<usize, Vec<f32>>;

/// Texts that share a request.
struct ApiRequest {
    /// Numbers of the texts.
    rows: Range<usize>,
    /// The texts as they are sent.
    texts: Vec<String>,
    /// How often the one text was cut.
    cuts: usize,
}

impl Embedder<'_> {
    /// One row per text; what came before a failure stands in `rows`.
    ///
    /// # Errors
    /// If a text is refused, or the endpoint gives no answer.
    pub fn embed(&self, texts: &[String], notes: &mut Notes, rows: &mut Rows) -> Result<(), Failure> {
        let width = self.dimension.filter(|_| self.card.empty_text == EmptyText::Zeros);
        let Some(width) = width.filter(|_| texts.iter().any(|text| is_blank(text))) else {
            return self.ask(texts, notes, rows);
        };
        let (blank, full): (Vec<usize>, Vec<usize>) = (0..texts.len()).partition(|&at| is_blank(&texts[at]));
        for at in blank {
            rows.insert(at, vec![0.0; width]);
        }
        let asked: Vec<String> = full.iter().map(|&at| texts[at].clone()).collect();
        let mut found = Rows::new();
        let result = self.ask(&asked, notes, &mut found);
        rows.extend(found.into_iter().map(|(number, row)| (full[number], row)));
        result
    }

    /// Asks for a row of every text, whatever it is.
    fn ask(&self, texts: &[String], notes: &mut Notes, rows: &mut Rows) -> Result<(), Failure> {
        let sent: Vec<String> = texts.iter().map(|text| self.prepare(text)).collect();
        let job = |rows: Range<usize>| ApiRequest { texts: sent[rows.clone()].to_vec(), rows, cuts: 0 };
        let mut jobs: Vec<ApiRequest> = requests(&sent, self.limits).into_iter().map(job).collect();
        while !jobs.is_empty() {
            let answered = rows.len();
            let refused = self.round(&jobs, rows)?;
            if rows.len() == answered {
                self.try_one(&sent, &refused, &jobs)?;
            }
            jobs = refused.into_iter().map(|(job, failure)| self.smaller(job, failure, notes)).try_fold(
                Vec::new(),
                |mut all, smaller| {
                    all.extend(smaller?);
                    Ok::<_, Failure>(all)
                },
            )?;
        }
        Ok(())
    }

    fn prepare(&self, text: &str) -> String {
        let is_replaced = is_blank(text) && self.card.empty_text == EmptyText::Space;
        if is_replaced { " ".to_owned() } else { text.to_owned() }
    }

    /// Asks all `jobs` once; gives those that were refused for what is in them.
    fn round(&self, jobs: &[ApiRequest], rows: &mut Rows) -> Result<Vec<(ApiRequest, Failure)>, Failure> {
        let calls: Vec<Call> = jobs.iter().map(|job| self.call(&job.texts)).collect();
        let counts: Arc<[usize]> = jobs.iter().map(|job| job.texts.len()).collect();
        let (style, dimension) = (self.style, self.dimension);
        let has_empty: Arc<[bool]> =
            jobs.iter().map(|job| job.texts.iter().any(|text| is_blank(text))).collect();
        let advice = empty_advice(self.card.empty_text);
        let read = move |number: usize, reply: &[u8]| {
            // An endpoint may give no row, or none of numbers, for a text that is empty.
            let found = read_rows(style, reply, counts[number], dimension).map_err(|mut unfit| {
                if has_empty[number] {
                    unfit.message =
                        format!("{}; some texts of the request are empty: {advice}", unfit.message);
                }
                unfit
            });
            let (value, usage) = found?;
            Ok(Read { value, usage })
        };
        let (mut refused, mut fatal) = (Vec::new(), None);
        self.client.each(calls, read, &mut |number: usize, result: Result<Vec<Vec<f32>>, Failure>| {
            match result {
                Ok(found) => {
                    rows.extend(jobs[number].rows.clone().zip(found));
                    Flow::On
                }
                Err(failure) if failure.is_about_input() => {
                    let ApiRequest { rows, texts, cuts } = &jobs[number];
                    refused.push((
                        ApiRequest { rows: rows.clone(), texts: texts.clone(), cuts: *cuts },
                        failure,
                    ));
                    Flow::On
                }
                Err(failure) => {
                    fatal = Some(failure);
                    Flow::End
                }
            }
        });
        match fatal {
            Some(failure) => Err(failure),
            None => Ok(refused),
        }
    }

    /// Where everything was refused, a single short text tells whether it is the texts: else each of them would be asked.
    fn try_one(
        &self,
        sent: &[String],
        refused: &[(ApiRequest, Failure)],
        jobs: &[ApiRequest],
    ) -> Result<(), Failure> {
        let [_, _, ..] = refused else { return Ok(()) };
        if jobs.iter().any(|job| job.cuts > 0) {
            return Ok(());
        }
        let Some(text) = sent.iter().filter(|text| !is_blank(text)).min_by_key(|text| text.len()) else {
            return Ok(());
        };
        let read = |reply: &[u8]| Ok(Read { value: drop(self.style.rows(reply)?), usage: None });
        self.client.one(&self.call(std::slice::from_ref(text)), read)
    }

    /// What to ask in place of a refused request: its halves, or the one text with its end cut.
    fn smaller(
        &self,
        job: ApiRequest,
        failure: Failure,
        notes: &mut Notes,
    ) -> Result<Vec<ApiRequest>, Failure> {
        let ApiRequest { rows, texts, cuts } = job;
        if texts.len() > 1 {
            let middle = texts.len() / 2;
            let (left, right) = texts.split_at(middle);
            let at = rows.start + middle;
            return Ok(vec![
                ApiRequest { rows: rows.start..at, texts: left.to_vec(), cuts },
                ApiRequest { rows: at..rows.end, texts: right.to_vec(), cuts },
            ]);
        }
        let text = texts.into_iter().next().unwrap_or_default();
        let Failure::Refused { place, status, message } = failure else { return Err(failure) };
        if self.card.long_text == LongText::Cut && cuts < CUTS && is_too_long(&text, status, &message) {
            if cuts == 0 {
                notes.add(CUT, &text);
            }
            return Ok(vec![ApiRequest { rows, texts: vec![shorten(&text).to_owned()], cuts: cuts + 1 }]);
        }
        let advice = match () {
            () if is_blank(&text) => format!("; it is empty: {}", empty_advice(self.card.empty_text)),
            () if self.card.long_text == LongText::Refuse && is_too_long(&text, status, &message) => {
                LONG.to_owned()
            }
            () => String::new(),
        };
        let message = format!("{message}; the text: {:?}{advice}", begin_of(&text));
        Err(Failure::Refused { place, status, message })
    }

    fn call(&self, texts: &[String]) -> Call {
        let question = Embedding { card: self.card, texts, input_type: self.input_type };
        let (path, body) = self.style.embedding(question);
        let tokens = texts.iter().map(|text| tokens_of(text) as u64).sum();
        let body = body.to_string().into_bytes();
        let bounds = bounds_of_rows(texts.len(), self.dimension, &body);
        Call { path, body, tokens, reply_tokens: 0, bounds }
    }
}

/// What to do about an empty text that an endpoint does not take, where the card says `set` now.
fn empty_advice(set: EmptyText) -> String {
    let ways = match set {
        EmptyText::Send => format!("{ZEROS} or {SPACE}"),
        EmptyText::Space => ZEROS.to_owned(),
        EmptyText::Zeros => SPACE.to_owned(),
    };
    format!("set {ways} below `[api]` in the model's card")
}

/// True if a text is empty to Python's `strip`, by which the reference finds empty texts.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|character| character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_card_says_already_is_not_advised() {
        let has = |set: EmptyText| [ZEROS, SPACE].map(|way| empty_advice(set).contains(way));
        assert_eq!(has(EmptyText::Send), [true, true]);
        assert_eq!(has(EmptyText::Space), [true, false]);
        assert_eq!(has(EmptyText::Zeros), [false, true]);
    }
}
