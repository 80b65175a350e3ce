//! Rounding to decimal places as Python and numpy do it, and Python's `repr` of a float.

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

/// The shortest decimal that reads back as `value`, written as Python writes it: `1.0`, `1e-05`, `1e+16`, `nan`.
pub fn python_repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf".to_owned() } else { "-inf".to_owned() };
    }
    let magnitude = value.abs();
    if value == 0.0 || (1e-4..1e16).contains(&magnitude) {
        return format!("{value:?}");
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}
