//! How many calls are under way at once: few at first, more with each answer up to what the policy allows, half as many after each
//! wave of 429s or late answers, then slowly more again.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// Calls at once to begin with: an endpoint that computes slowly would answer many too late.
const FIRST: f64 = 8.0;

/// 429s within this time of one another are one wave.
const WAVE: Duration = Duration::from_secs(1);

/// Counts calls under way, and holds back those that would be too many.
#[derive(Debug)]
pub struct Gate {
    most: f64,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug)]
struct State {
    limit: f64,
    /// True until the endpoint was asked too much: each answer makes room for one call more.
    is_starting: bool,
    under_way: usize,
    last_wave: Option<Instant>,
    closed_until: Option<Instant>,
}

/// A call under way; it ends when this is dropped.
#[derive(Debug)]
pub struct Passed<'a>(&'a Gate);

impl Gate {
    /// At most `most` calls at once.
    pub fn new(most: usize) -> Self {
        let most = most.max(1) as f64;
        let state = State {
            limit: most.min(FIRST),
            is_starting: true,
            under_way: 0,
            last_wave: None,
            closed_until: None,
        };
        Self { most, state: Mutex::new(state), changed: Notify::new() }
    }

    /// Waits until a call may begin.
    pub async fn pass(&self) -> Passed<'_> {
        loop {
            let changed = self.changed.notified();
            match self.try_pass(Instant::now()) {
                Ok(passed) => return passed,
                Err(Some(closed)) => tokio::time::sleep(closed).await,
                Err(None) => changed.await,
            }
        }
    }

    /// A call, or how long the gate is closed for all; `None` if a call must end first.
    fn try_pass(&self, now: Instant) -> Result<Passed<'_>, Option<Duration>> {
        let mut state = self.lock();
        let closed = state.closed_until.map(|until| until.saturating_duration_since(now));
        if let Some(closed) = closed.filter(|closed| !closed.is_zero()) {
            return Err(Some(closed));
        }
        if state.under_way as f64 >= state.limit.floor() {
            return Err(None);
        }
        state.under_way += 1;
        Ok(Passed(self))
    }

    /// The endpoint says that it was asked too much; `wait` is what it wants.
    pub fn too_much(&self, wait: Option<Duration>, now: Instant) {
        let mut state = self.lock();
        if state.last_wave.is_none_or(|last| now.saturating_duration_since(last) > WAVE) {
            state.limit = (state.limit / 2.0).max(1.0);
            state.is_starting = false;
            state.last_wave = Some(now);
        }
        if let Some(until) = wait.and_then(|wait| now.checked_add(wait)) {
            state.closed_until = Some(state.closed_until.map_or(until, |before| before.max(until)));
        }
    }

    /// A call was answered after `took`; after `patience` it would have been given up. What takes a good part of that is no
    /// sign that more calls can be taken.
    pub fn answered(&self, took: Duration, patience: Duration, now: Instant) {
        if took > patience / 2 {
            return self.too_much(None, now);
        }
        if took > patience / 4 {
            return;
        }
        let mut state = self.lock();
        let before = state.limit.floor();
        let more = if state.is_starting { 1.0 } else { 1.0 / state.limit };
        state.limit = (state.limit + more).min(self.most);
        if state.limit.floor() > before {
            self.changed.notify_one();
        }
    }

    /// Calls that may be under way now.
    pub fn limit(&self) -> usize {
        self.lock().limit as usize
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Passed<'_> {
    fn drop(&mut self) {
        self.0.lock().under_way -= 1;
        self.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUICK: Duration = Duration::from_millis(50);
    const PATIENCE: Duration = Duration::from_secs(120);

    #[test]
    fn a_wave_of_429s_halves_the_limit_once_and_answers_raise_it_again() {
        let (gate, now) = (Gate::new(16), Instant::now());
        (0..8).for_each(|_| gate.answered(QUICK, PATIENCE, now));
        (0..10).for_each(|_| gate.too_much(None, now));
        assert_eq!(gate.limit(), 8);
        gate.too_much(None, now + 2 * WAVE);
        assert_eq!(gate.limit(), 4);
        (0..5).for_each(|_| gate.answered(QUICK, PATIENCE, now));
        assert_eq!(gate.limit(), 5);
        (0..1000).for_each(|_| gate.answered(QUICK, PATIENCE, now));
        assert_eq!(gate.limit(), 16);
    }

    #[test]
    fn few_calls_begin_and_each_quick_answer_makes_room_for_one_more() {
        let (gate, now) = (Gate::new(1000), Instant::now());
        assert_eq!(gate.limit(), 8);
        (0..8).for_each(|_| gate.answered(QUICK, PATIENCE, now));
        assert_eq!(gate.limit(), 16);
        assert_eq!(Gate::new(2).limit(), 2);
    }

    #[test]
    fn slow_answers_make_no_room_and_late_ones_take_it() {
        let (gate, now) = (Gate::new(32), Instant::now());
        gate.answered(PATIENCE / 3, PATIENCE, now);
        assert_eq!(gate.limit(), 8);
        gate.answered(PATIENCE * 3 / 4, PATIENCE, now);
        assert_eq!(gate.limit(), 4);
    }

    #[test]
    fn nobody_passes_while_the_endpoint_wants_to_be_left_alone() {
        let (gate, now) = (Gate::new(2), Instant::now());
        gate.too_much(Some(Duration::from_secs(3)), now);
        gate.too_much(Some(Duration::from_secs(1)), now);
        assert_eq!(gate.try_pass(now).unwrap_err(), Some(Duration::from_secs(3)));
        let passed = gate.try_pass(now + Duration::from_secs(3)).unwrap();
        assert_eq!(gate.try_pass(now + Duration::from_secs(3)).unwrap_err(), None);
        drop(passed);
        assert!(gate.try_pass(now + Duration::from_secs(3)).is_ok());
    }
}
