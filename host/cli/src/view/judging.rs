//! What people see of judging: how far it is, what it costs, what came of it.

use std::io::IsTerminal;
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mteb_graded::judge::{Estimate, JudgeCard};
use mteb_graded_run::{AskOutcome, AskProgress};

use crate::output::{self, Screen};

/// The pairs of all pools by what became of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct JudgedCounts {
    /// Pairs that are left.
    pub open: usize,
    /// Pairs that had a score before.
    pub answered: usize,
    /// Pairs that failed before and are not asked for again.
    pub failed: usize,
}

/// A bar of pairs on standard error: pairs a second, time left, cost so far, share of tokens that the provider had in its cache.
pub struct JudgingBar {
    bar: ProgressBar,
    currency: Option<String>,
}

impl JudgingBar {
    /// A bar for so many pairs; none if `quiet`, or if standard error is no terminal.
    pub fn new(quiet: bool, card: &JudgeCard, pairs: usize) -> Self {
        let target = if quiet || !std::io::stderr().is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::term_like_with_hz(Box::new(Screen::default()), 10)
        };
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} pairs  {per_sec}  {eta} left  {msg}");
        let bar = ProgressBar::with_draw_target(Some(pairs as u64), target);
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, currency: card.prices.as_ref().map(|prices| prices.currency.clone()) }
    }

    /// Shows how far it is.
    pub fn show(&self, now: &AskProgress) {
        self.bar.set_position((now.judged + now.failed) as u64);
        let failed = if now.failed > 0 { format!("  {} failed", now.failed) } else { String::new() };
        self.bar.set_message(format!("{}{failed}", spent(self.currency.as_deref(), now)));
    }

    /// The bar goes.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Cost so far, where there are prices, and the share of the questions' tokens that came from the provider's cache.
fn spent(currency: Option<&str>, now: &AskProgress) -> String {
    let usage = now.figures.usage;
    let share = if usage.input == 0 { 0.0 } else { 100.0 * usage.cached as f64 / usage.input as f64 };
    let cost = currency.map(|currency| format!("{:.4} {currency}, ", now.figures.cost));
    format!("{}{share:.0} % of tokens cached", cost.unwrap_or_default())
}

/// What came of asking, in one line.
pub fn describe_outcome(card: &JudgeCard, store: &Path, before: &JudgedCounts, asked: &AskOutcome) -> String {
    let now = &asked.progress;
    let all = before.open + before.answered + before.failed;
    let judged = before.answered + now.judged;
    let failed = before.failed + now.failed;
    let mut line = format!("{}: {judged} of {} judged", card.name, output::count(all, "pair"));
    if failed > 0 {
        line.push_str(&format!(", {failed} failed"));
    }
    if now.figures.calls > 0 {
        let spent = spent(card.prices.as_ref().map(|prices| prices.currency.as_str()), now);
        let calls = output::count(now.figures.calls as usize, "call");
        line.push_str(&format!("; {calls}, {} retried, {spent}", now.figures.repeated));
    }
    format!("{line}; in {}", store.display())
}

/// What judging will take, before it is paid.
/// `counted` says how tokens were counted.
pub fn estimate_text(
    card: &JudgeCard,
    store: &Path,
    counts: &JudgedCounts,
    estimate: &Estimate,
    counted: &str,
) -> String {
    let Estimate { pairs, input, cacheable, output: replies } = estimate;
    let mut text = format!(
        "{}: {} to judge, {} judged before, {} failed before; judgements in {}\nTokens, {counted}: {input} in \
         requests, of which {cacheable} can be cached; {replies} in replies",
        card.name,
        output::count(*pairs, "pair"),
        counts.answered,
        counts.failed,
        store.display()
    );
    text.push_str(&match &card.prices {
        Some(prices) => {
            let (without, with) = estimate.costs(prices);
            let currency = &prices.currency;
            format!("\nCost: about {without:.4} {currency} without the provider's cache, {with:.4} {currency} with it")
        }
        None => "\nCost: unknown, because the card has no prices".to_owned(),
    });
    text
}
