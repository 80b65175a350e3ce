//! Rounding to decimal places as Python and as numpy do it.

/// Python's `round(value, digits)`: the exact decimal expansion of `value`, rounded half to even.
pub fn python_round(value: f64, digits: usize) -> f64 {
    if !value.is_finite() {
        return value;
    }
    // The formatter works on the exact expansion and breaks ties to even, as CPython's dtoa does.
    format!("{value:.digits$}").parse().unwrap_or(value)
}

/// `numpy.round(value, digits)`, which is also what `round` does with a numpy scalar: scaled, rounded half to even,
/// scaled back. It differs from [`python_round`] where the scaling rounds onto or off a tie.
pub fn numpy_round(value: f64, digits: u32) -> f64 {
    let scale = 10f64.powi(digits.min(300) as i32);
    (value * scale).round_ties_even() / scale
}
