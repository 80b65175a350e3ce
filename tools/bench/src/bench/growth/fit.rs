//! The power of the size that a figure grows with.

/// `factor · size ^ exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    pub exponent: f64,
    pub factor: f64,
}

impl Fit {
    /// The figure of a size.
    pub fn at(&self, size: f64) -> f64 {
        self.factor * size.powf(self.exponent)
    }
}

/// A figure above that of an empty run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub size: f64,
    /// May be 0 or less where an empty run happens to need more.
    pub above: f64,
    /// Whether it stands out enough from the empty run to say something about growth.
    pub counts: bool,
}

/// A figure counts if it is larger than that of an empty run by so much of it.
const STANDS_OUT: f64 = 0.1;

/// The points of `(size, figure)`.
pub fn above(figures: &[(f64, f64)], empty: f64) -> Vec<Point> {
    let point = |&(size, figure): &(f64, f64)| {
        let above = figure - empty;
        Point { size, above, counts: above > STANDS_OUT * empty }
    };
    figures.iter().map(point).collect()
}

/// Least squares of the logarithms, over the points that count; none if these are fewer than two.
pub fn fit(points: &[Point]) -> Option<Fit> {
    let logarithms: Vec<(f64, f64)> = points
        .iter()
        .filter(|point| point.counts && point.above > 0.0)
        .map(|point| (point.size.ln(), point.above.ln()))
        .collect();
    if logarithms.len() < 2 {
        return None;
    }
    let count = logarithms.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logarithms.iter().map(of).sum::<f64>() / count;
    let (x_mean, y_mean) = (mean(|point| point.0), mean(|point| point.1));
    let shared: f64 = logarithms.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    let spread: f64 = logarithms.iter().map(|(x, _)| (x - x_mean).powi(2)).sum();
    let exponent = shared / spread;
    exponent.is_finite().then(|| Fit { exponent, factor: (y_mean - exponent * x_mean).exp() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-9 * other.abs()
    }

    #[test]
    fn a_power_is_found_again() {
        let figures = [10.0, 100.0, 1000.0].map(|size: f64| (size, 5.0 + 3.0 * size.powf(1.5)));
        let found = fit(&above(&figures, 5.0)).unwrap();
        assert!(near(found.exponent, 1.5) && near(found.factor, 3.0), "{found:?}");
        assert!(near(found.at(100.0), 3000.0));
    }

    /// `numpy.polyfit(numpy.log([1e3, 1e4, 1e5]), numpy.log([0.02, 0.15, 2.2]), 1)`
    #[test]
    fn figures_off_the_line_give_what_numpy_gives() {
        let found = fit(&above(&[(1e3, 0.03), (1e4, 0.16), (1e5, 2.21)], 0.01)).unwrap();
        assert!(near(found.exponent, 1.020696342579112), "{found:?}");
        assert!(near(found.factor.ln(), -11.074522608234743), "{found:?}");
    }

    #[test]
    fn figures_that_an_empty_run_hides_do_not_count() {
        let points = above(&[(10.0, 1.05), (100.0, 0.9), (1000.0, 2.0), (10_000.0, 11.0)], 1.0);
        assert_eq!(points.iter().map(|point| point.counts).collect::<Vec<_>>(), [false, false, true, true]);
        assert!(near(fit(&points).unwrap().exponent, 1.0));
        assert_eq!(fit(&points[..3]), None);
    }
}
