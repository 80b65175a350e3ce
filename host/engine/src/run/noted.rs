//! A plan with what was found while its data was looked up.

use mteb_tasks::{EvaluateError, Evaluated, FoundInRanges, Keep, Plan, Ranges, Session, TextColumn};

/// A plan whose notes are said before it is scored.
pub struct NotedPlan {
    plan: Box<dyn Plan>,
    notes: Vec<String>,
}

impl NotedPlan {
    /// The plan itself where there is nothing to say.
    pub fn of(plan: Box<dyn Plan>, notes: Vec<String>) -> Box<dyn Plan> {
        if notes.is_empty() { plan } else { Box::new(Self { plan, notes }) }
    }
}

impl Plan for NotedPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        self.plan.columns()
    }

    fn texts(&self) -> Option<usize> {
        self.plan.texts()
    }

    fn pairs(&self) -> Option<usize> {
        self.plan.pairs()
    }

    fn ranks(&self) -> Option<&'static str> {
        self.plan.ranks()
    }

    fn check(&self) -> Result<Vec<String>, EvaluateError> {
        let mut notes = self.notes.clone();
        notes.extend(self.plan.check()?);
        Ok(notes)
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        self.notes.iter().for_each(|note| session.warn(note));
        self.plan.evaluate(session, keep)
    }

    fn search_ranges(
        &self,
        session: &mut dyn Session,
        ranges: &Ranges,
        keep: Keep,
    ) -> Result<FoundInRanges, EvaluateError> {
        self.plan.search_ranges(session, ranges, keep)
    }
}
