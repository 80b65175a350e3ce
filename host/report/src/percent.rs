//! Shares as people read them: in percent.

/// A share in percent, with two digits behind the point.
pub fn percent(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}

/// The same; a dash where there is none.
pub fn percent_or_dash(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_two_digits_and_none_has_a_dash() {
        assert_eq!([percent_or_dash(Some(0.12346)), percent_or_dash(None)], ["12.35", "–"]);
    }
}
