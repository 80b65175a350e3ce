//! What curves must be, whoever reads them: shares at every rank, and recall that never falls.

use super::curves::{Curves, DEPTH};

/// Room for rounding.
const ROUNDING: f64 = 1e-9;

/// Checks the curves of one system by one judge.
///
/// # Errors
/// What was expected, and what was found instead.
pub fn check_curves(curves: &Curves) -> Result<(), (String, String)> {
    for (name, numbers) in [("ndcg", &curves.ndcg), ("recall", &curves.recall), ("judged", &curves.judged)] {
        if numbers.len() != DEPTH {
            return Err((
                format!("{DEPTH} numbers of `{name}`, one a rank"),
                format!("{} numbers", numbers.len()),
            ));
        }
        let is_share = |number: &f64| (-ROUNDING..=1.0 + ROUNDING).contains(number);
        if let Some(place) = numbers.iter().position(|number| !is_share(number)) {
            let expected = format!("a number from 0 to 1 as `{name}` at {}", place + 1);
            return Err((expected, numbers[place].to_string()));
        }
    }
    match curves.recall.windows(2).position(|pair| pair[1] < pair[0] - ROUNDING) {
        Some(place) => {
            let (before, after) = (curves.recall[place], curves.recall[place + 1]);
            let expected = format!("`recall` at {} of at least {before}, that at {}", place + 2, place + 1);
            Err((expected, after.to_string()))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(change: impl FnOnce(&mut Curves)) -> String {
        let shares = || vec![0.5; DEPTH];
        let mut curves = Curves { ndcg: shares(), recall: shares(), judged: shares(), ..Curves::default() };
        change(&mut curves);
        check_curves(&curves)
            .map_or_else(|(expected, found)| format!("{expected}, {found}"), |()| String::new())
    }

    #[test]
    fn curves_are_shares_at_every_rank() {
        assert_eq!(fault(|_| ()), "");
        assert_eq!(fault(|curves| curves.ndcg[0] = 9.9), "a number from 0 to 1 as `ndcg` at 1, 9.9");
        assert_eq!(fault(|curves| curves.judged[99] = -1.0), "a number from 0 to 1 as `judged` at 100, -1");
        assert_eq!(fault(|curves| curves.ndcg.truncate(99)), "100 numbers of `ndcg`, one a rank, 99 numbers");
        assert_eq!(fault(|curves| curves.recall[7] = 0.25), "`recall` at 8 of at least 0.5, that at 7, 0.25");
    }
}
