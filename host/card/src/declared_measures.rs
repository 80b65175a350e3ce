//! The measures that packs have declared to this process, by name: one meaning a name.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::card_measure::PackMeasure;
use super::declared_types::{DeclareError, TypeEvaluator};
use mteb_plugin_types::MeasureDeclaration;

/// A measure and who declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredMeasure {
    /// `pack/name`.
    pub name: &'static str,
    /// What is declared of it.
    pub declaration: MeasureDeclaration,
    /// What computes it.
    pub evaluator: TypeEvaluator,
}

/// Measures live as long as the process: there are as many as packs bring.
static MEASURES: Mutex<BTreeMap<&'static str, &'static DeclaredMeasure>> = Mutex::new(BTreeMap::new());

/// Declares the measure called `name`, `pack/measure`; again is the same.
///
/// # Errors
/// If it cannot be called so, or is declared otherwise.
pub fn declare_measure(
    name: &str,
    declaration: MeasureDeclaration,
    evaluator: TypeEvaluator,
) -> Result<(), DeclareError> {
    if !name.parse::<PackMeasure>().is_ok_and(|measure| measure.parameters.is_empty()) {
        return Err(DeclareError::MeasureName(name.to_owned()));
    }
    let mut measures = lock();
    match measures.get(name) {
        Some(known) if known.declaration == declaration && known.evaluator.code() == evaluator.code() => {
            Ok(())
        }
        Some(known) => Err(DeclareError::OtherMeasure { name: name.to_owned(), by: known.evaluator.shown() }),
        None => {
            let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
            measures.insert(name, Box::leak(Box::new(DeclaredMeasure { name, declaration, evaluator })));
            Ok(())
        }
    }
}

/// The measures that were declared, by name.
pub fn declared_measures() -> Vec<&'static DeclaredMeasure> {
    lock().values().copied().collect()
}

impl PackMeasure {
    /// What is declared of it; `None` if nobody declares it.
    pub fn declared(&self) -> Option<&'static DeclaredMeasure> {
        lock().get(self.name.as_str()).copied()
    }

    /// True if it gives a score called so.
    pub fn gives(&self, score: &str) -> bool {
        let Some(declared) = self.declared() else { return false };
        match score.strip_prefix(&self.to_string()) {
            Some("") => !declared.declaration.at_cuts,
            Some(rest) => declared.declaration.at_cuts && rest.strip_prefix("_at_").is_some_and(is_cut),
            None => false,
        }
    }

    /// What is declared of the measure that gives the score called `score`.
    pub fn declared_score(score: &str) -> Option<&'static DeclaredMeasure> {
        // A name may itself end as a cut does.
        let whole = score.parse::<Self>().ok().and_then(|measure| measure.declared());
        if let Some(declared) = whole.filter(|declared| !declared.declaration.at_cuts) {
            return Some(declared);
        }
        let (measure, cut) = score.rsplit_once("_at_")?;
        let declared = measure.parse::<Self>().ok()?.declared()?;
        (declared.declaration.at_cuts && is_cut(cut)).then_some(declared)
    }
}

/// True of a whole number above 0.
fn is_cut(text: &str) -> bool {
    text.parse::<usize>().is_ok_and(|cut| cut > 0)
}

fn lock() -> MutexGuard<'static, BTreeMap<&'static str, &'static DeclaredMeasure>> {
    MEASURES.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declare(name: &str, at_cuts: bool) -> Result<(), DeclareError> {
        let declaration =
            MeasureDeclaration { about: "One.".to_owned(), at_cuts, ..MeasureDeclaration::default() };
        let evaluator = TypeEvaluator::Pack {
            plugin: "p".to_owned(),
            task: "measures".to_owned(),
            plans: false,
            code: "sha256:aa".to_owned(),
        };
        declare_measure(name, declaration, evaluator)
    }

    #[test]
    fn a_score_is_of_a_measure_at_a_cut_or_without_one() {
        declare("known/whole", false).unwrap();
        declare("known/cut", true).unwrap();
        assert_eq!(declare("known/cut", true), Ok(()));
        let (name, by) = ("known/cut".to_owned(), "the plugin p".to_owned());
        assert_eq!(declare("known/cut", false), Err(DeclareError::OtherMeasure { name, by }));
        assert_eq!(declare("known", false), Err(DeclareError::MeasureName("known".to_owned())));
        let of = |score: &str| PackMeasure::declared_score(score).map(|declared| declared.name);
        assert_eq!(of("known/whole"), Some("known/whole"));
        assert_eq!(of("known/whole(p=0.5)"), Some("known/whole"));
        assert_eq!(of("known/cut(p=0.5)_at_10"), Some("known/cut"));
        let cut: PackMeasure = "known/cut(p=0.5)".parse().unwrap();
        assert!(
            cut.gives("known/cut(p=0.5)_at_10")
                && !cut.gives("known/cut_at_10")
                && !cut.gives("known/cut(p=0.5)")
        );
        for other in ["known/whole_at_10", "known/cut", "known/cut_at_0", "known/other", "ndcg_at_10"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
