//! Checks that the rankings of a unit are of different systems, and that those that others made are as deep as a pool.

use std::collections::HashSet;

use mteb_items::rankings::Rankings;
use mteb_results::UnitName;

use super::ranking_error::RankingError;

/// Checks the `systems` of a unit with their rankings and the depth that is asked of each; the first `own` are those of runs, which say
/// themselves how deep they are.
///
/// # Errors
/// If two have one name, or a ranking of others holds fewer documents than are asked of it, though more can be found.
pub fn check_given(
    unit: &UnitName<'_>,
    systems: &[(&str, &Rankings, usize)],
    own: usize,
) -> Result<(), RankingError> {
    let mut seen = HashSet::new();
    if let Some((twice, ..)) = systems.iter().find(|(system, ..)| !seen.insert(*system)) {
        return Err(RankingError::GivenTwice { task: unit.task.to_owned(), system: (*twice).to_owned() });
    }
    let deepest = systems.iter().map(|(_, rankings, _)| longest(rankings)).max().unwrap_or(0);
    let is_short = |rankings: &Rankings, depth: usize| longest(rankings) < depth.min(deepest.max(1));
    match systems.iter().skip(own).find(|(_, rankings, depth)| is_short(rankings, *depth)) {
        Some((system, rankings, depth)) => Err(RankingError::GivenShallow {
            task: unit.task.to_owned(),
            system: (*system).to_owned(),
            expected: *depth,
            found: longest(rankings),
        }),
        None => Ok(()),
    }
}

/// Documents of the query that has most.
fn longest(rankings: &Rankings) -> usize {
    rankings.found.iter().map(Vec::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use mteb_items::rankings::Ranked;

    use super::*;

    fn ranking(documents: usize) -> Rankings {
        let found = Ranked { line: 0, document: 0, score: 0.0 };
        Rankings { queries: vec!["q".to_owned()], found: vec![vec![found; documents]], ..Rankings::default() }
    }

    #[test]
    fn names_are_different_and_rankings_of_others_as_deep_as_the_pool() {
        let unit = UnitName { task: "T", split: "test", subset: "default" };
        let (deep, short, none) = (ranking(5), ranking(3), ranking(0));
        let check = |systems: &[(&str, &Rankings)], own| {
            let systems: Vec<_> = systems.iter().map(|(system, rankings)| (*system, *rankings, 5)).collect();
            check_given(&unit, &systems, own).map_err(|error| error.to_string())
        };
        assert_eq!(check(&[("a", &deep), ("b", &deep)], 1), Ok(()));
        assert_eq!(check(&[("a", &short), ("b", &deep)], 2), Ok(()), "runs say themselves how deep they are");
        assert_eq!(check(&[("a", &short), ("b", &short)], 0), Ok(()), "no more can be found");
        let twice = check(&[("a", &deep), ("a", &deep)], 1).unwrap_err();
        assert!(twice.starts_with("expected one ranking of T by a, found two"), "{twice}");
        let found = check(&[("a", &deep), ("b", &short)], 1).unwrap_err();
        assert!(
            found.starts_with("T: expected the best 5 documents of each query by b, found at most 3"),
            "{found}"
        );
        assert!(check(&[("b", &none)], 0).is_err());
        let control = [("a", &deep, 5), ("control", &short, 3)];
        check_given(&unit, &control, 0).expect("as deep as is asked of it");
    }
}
