//! Eigenvalues of a symmetric tridiagonal matrix, and equations that are solved by them.

use ndarray::Array1;

/// Turns that are tried for one eigenvalue; two are usual.
const MOST_TURNS: usize = 100;

/// A turn of the coordinates `place` and `place` + 1.
struct Turn {
    place: usize,
    cosine: f64,
    sine: f64,
}

/// Eigenvalues, and the turns that lead to the eigenvectors.
pub struct Spectrum {
    values: Vec<f64>,
    turns: Vec<Turn>,
}

impl Spectrum {
    /// Those of the matrix with this `diagonal` and the numbers `beside` it.
    ///
    /// Source: the implicit QL algorithm, Wilkinson and Reinsch 1971, "Linear Algebra", II/3.
    pub fn new(mut diagonal: Vec<f64>, mut beside: Vec<f64>) -> Self {
        beside.push(0.0);
        let size = diagonal.iter().chain(&beside).fold(0.0f64, |most, entry| most.max(entry.abs()));
        let mut turns = Vec::new();
        for first in 0..diagonal.len() {
            for _ in 0..MOST_TURNS {
                let last = (first..diagonal.len()).find(|&place| beside[place].abs() <= f64::EPSILON * size);
                match last {
                    Some(last) if last > first => turn(&mut diagonal, &mut beside, first, last, &mut turns),
                    _ => break,
                }
            }
        }
        Self { values: diagonal, turns }
    }

    /// The shortest solution, where eigenvalues of at most `cut` times the largest count as 0.
    pub fn solve(&self, mut right: Array1<f64>, cut: f64) -> Array1<f64> {
        for Turn { place, cosine, sine } in &self.turns {
            let (one, other) = (right[*place], right[place + 1]);
            right[*place] = cosine * one - sine * other;
            right[place + 1] = sine * one + cosine * other;
        }
        let least = cut * self.values.iter().fold(0.0f64, |most, &value| most.max(value));
        for (entry, &value) in right.iter_mut().zip(&self.values) {
            *entry = if value > least { *entry / value } else { 0.0 };
        }
        for Turn { place, cosine, sine } in self.turns.iter().rev() {
            let (one, other) = (right[*place], right[place + 1]);
            right[*place] = cosine * one + sine * other;
            right[place + 1] = cosine * other - sine * one;
        }
        right
    }
}

/// One step on the block from `first` to `last`, which brings the number beside `first` nearer to 0.
fn turn(diagonal: &mut [f64], beside: &mut [f64], first: usize, last: usize, turns: &mut Vec<Turn>) {
    let slope = (diagonal[first + 1] - diagonal[first]) / (2.0 * beside[first]);
    let shift = beside[first] / (slope + slope.hypot(1.0).copysign(slope));
    let mut bulge = diagonal[last] - diagonal[first] + shift;
    let (mut sine, mut cosine, mut less) = (1.0, 1.0, 0.0);
    for place in (first..last).rev() {
        let (above, own) = (sine * beside[place], cosine * beside[place]);
        let length = above.hypot(bulge);
        beside[place + 1] = length;
        if length == 0.0 {
            diagonal[place + 1] -= less;
            beside[last] = 0.0;
            return;
        }
        (sine, cosine) = (above / length, bulge / length);
        let rest = diagonal[place + 1] - less;
        let mixed = (diagonal[place] - rest) * sine + 2.0 * cosine * own;
        less = sine * mixed;
        diagonal[place + 1] = rest + less;
        bulge = cosine * mixed - own;
        turns.push(Turn { place, cosine, sine });
    }
    diagonal[first] -= less;
    beside[first] = bulge;
    beside[last] = 0.0;
}
