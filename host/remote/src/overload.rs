//! Tells an endpoint that slows its callers down from one that answers nobody.

/// 429s in a row of one call, while nobody is answered, after which it is given up. With the pauses between them that takes a minute or
/// two, and so longer than limits by the minute.
const MOST: u32 = 10;

/// What a call was told that asked too much.
#[derive(Debug, Default)]
pub struct Overload {
    in_a_row: u32,
    /// Calls that had been answered at the last 429.
    answered: u64,
}

impl Overload {
    /// Another 429 came, and `answered` calls, of whoever, were answered so far.
    pub fn add(&mut self, answered: u64) {
        self.in_a_row = if answered == self.answered { self.in_a_row.saturating_add(1) } else { 1 };
        self.answered = answered;
    }

    /// True if the endpoint answers nobody.
    pub fn is_lasting(&self) -> bool {
        self.in_a_row >= MOST
    }
}

#[cfg(test)]
mod tests {
    use std::iter::repeat_n;

    use super::*;

    fn after(answered: impl IntoIterator<Item = u64>) -> bool {
        let mut overload = Overload::default();
        answered.into_iter().for_each(|answered| overload.add(answered));
        overload.is_lasting()
    }

    #[test]
    fn an_endpoint_that_answers_nobody_is_given_up_and_one_that_answers_others_is_not() {
        assert!(!after([0; 9]));
        assert!(after([0; 10]));
        assert!(!after(0..1000));
        assert!(!after(repeat_n(0, 9).chain(repeat_n(1, 9))));
        assert!(after(repeat_n(0, 9).chain(repeat_n(1, 10))));
    }
}
