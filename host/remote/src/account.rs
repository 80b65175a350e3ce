//! What was asked and what it has cost, and the budget that ends it.

use std::sync::{Mutex, PoisonError};

use crate::{Charge, Usage};

const MILLION: f64 = 1e6;

/// Prices for a million tokens, in one currency.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prices {
    /// Of tokens of questions.
    pub input: f64,
    /// Of tokens of questions that the endpoint had in its cache; as others where absent.
    pub cached: Option<f64>,
    /// Of tokens of answers.
    pub output: f64,
}

/// The most that may be spent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// Most calls, each attempt counted.
    pub calls: Option<u64>,
    /// Most money, in the currency of the prices.
    pub cost: Option<f64>,
}

/// The limit of a budget that is reached.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OverBudget {
    /// There were as many calls as are allowed.
    #[error("the budget is spent: `--max-calls` allows {0} calls; the replies so far are kept")]
    Calls(u64),
    /// The next call would cost more than is left.
    #[error(
        "the budget is spent: `--max-cost` allows {most}, spent {spent:.6}, and the next call costs about {next:.6}; the \
         replies so far are kept"
    )]
    Cost {
        /// Most money, in the currency of the prices.
        most: f64,
        /// What calls have cost, and those under way are expected to.
        spent: f64,
        /// What the next one is expected to cost.
        next: f64,
    },
}

/// What was asked so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Calls that were sent, each attempt counted.
    pub calls: u64,
    /// Those of them that repeat another.
    pub repeated: u64,
    /// Calls that brought an answer.
    pub answered: u64,
    /// Tokens as far as replies tell, else as estimated.
    pub usage: Usage,
    /// What it has cost.
    pub cost: f64,
}

/// Keeps count.
#[derive(Debug)]
pub struct Account {
    prices: Prices,
    budget: Budget,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    figures: Figures,
    /// What the calls under way are expected to cost.
    reserved: f64,
}

impl Prices {
    /// What tokens cost.
    pub fn of(&self, usage: Usage) -> f64 {
        let fresh = usage.input.saturating_sub(usage.cached) as f64;
        let cached = usage.cached as f64 * self.cached.unwrap_or(self.input);
        (fresh * self.input + cached + usage.output as f64 * self.output) / MILLION
    }
}

impl Account {
    /// An account at zero.
    pub fn new(prices: Prices, budget: Budget) -> Self {
        Self { prices, budget, state: Mutex::default() }
    }

    /// Counts a call that is about to be sent, with the tokens that it is expected to cost.
    ///
    /// # Errors
    /// If the budget does not allow it: which limit is reached.
    pub fn begin(&self, expected: Usage, is_repeated: bool) -> Result<(), OverBudget> {
        let mut state = self.lock();
        let expected = self.prices.of(expected);
        if let Some(most) = self.budget.calls
            && state.figures.calls >= most
        {
            return Err(OverBudget::Calls(most));
        }
        let spent = state.figures.cost + state.reserved;
        if let Some(most) = self.budget.cost
            && spent + expected > most
        {
            return Err(OverBudget::Cost { most, spent, next: expected });
        }
        state.reserved += expected;
        state.figures.calls += 1;
        state.figures.repeated += u64::from(is_repeated);
        Ok(())
    }

    /// A call has ended, and has cost this. A reply that is no answer may have been paid for, too.
    pub fn end(&self, expected: Usage, charge: Charge, is_answered: bool) {
        let mut state = self.lock();
        state.reserved = (state.reserved - self.prices.of(expected)).max(0.0);
        let figures = &mut state.figures;
        figures.answered += u64::from(is_answered);
        let usage = match charge {
            Charge::Nothing => return,
            Charge::Estimate => expected,
            Charge::Tokens(usage) => usage,
        };
        // The numbers are a server's, which may say anything.
        let sum = &mut figures.usage;
        sum.input = sum.input.saturating_add(usage.input);
        sum.cached = sum.cached.saturating_add(usage.cached);
        sum.output = sum.output.saturating_add(usage.output);
        figures.cost += self.prices.of(usage);
    }

    /// What was asked so far.
    pub fn figures(&self) -> Figures {
        self.lock().figures
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICES: Prices = Prices { input: 2.0, cached: Some(0.5), output: 8.0 };
    const CALL: Usage = Usage { input: 600, cached: 0, output: 100 };

    #[test]
    fn cached_tokens_have_a_price_of_their_own() {
        let usage = Usage { input: 1_000_000, cached: 400_000, output: 100_000 };
        assert!((PRICES.of(usage) - (1.2 + 0.2 + 0.8)).abs() < 1e-12);
    }

    #[test]
    fn calls_under_way_count_for_the_budget_and_failed_ones_cost_nothing() {
        let account = Account::new(PRICES, Budget { calls: None, cost: Some(0.005) });
        assert_eq!(account.begin(CALL, false), Ok(()));
        assert_eq!(account.begin(CALL, false), Ok(()));
        let over = account.begin(CALL, false).unwrap_err();
        assert_eq!(
            over.to_string(),
            "the budget is spent: `--max-cost` allows 0.005, spent 0.004000, and the next call costs about 0.002000; the \
             replies so far are kept"
        );
        account.end(CALL, Charge::Nothing, false);
        assert_eq!(account.begin(CALL, true), Ok(()));
        account.end(CALL, Charge::Tokens(Usage { input: 500, ..Usage::default() }), true);
        let figures = account.figures();
        assert_eq!((figures.calls, figures.repeated, figures.answered), (3, 1, 1));
        assert!((figures.cost - 0.001).abs() < 1e-12);
    }

    #[test]
    fn a_limit_of_calls_is_kept() {
        let account = Account::new(Prices::default(), Budget { calls: Some(1), cost: None });
        assert_eq!(account.begin(CALL, false), Ok(()));
        assert_eq!(account.begin(CALL, true), Err(OverBudget::Calls(1)));
    }
}
