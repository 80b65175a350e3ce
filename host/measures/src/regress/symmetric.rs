//! Linear equations with a symmetric matrix that may be singular, solved by the eigenvalues of the
//! tridiagonal matrix that it is brought to.

use ndarray::{Array1, Array2, ArrayView1, Axis, s};

/// The shortest solution of `matrix · x = right`, where eigenvalues of at most `cut` times the largest count as 0.
///
/// `matrix` must be symmetric, square and without negative eigenvalues but for rounding. Source: Golub and Van Loan 2013, "Matrix
/// Computations", 8.3: reflections to a tridiagonal matrix, then implicit QL.
pub fn solve(matrix: Array2<f64>, mut right: Array1<f64>, cut: f64) -> Array1<f64> {
    let reduced = Reduced::new(matrix);
    for reflection in &reduced.reflections {
        reflection.apply(&mut right);
    }
    let mut solution = Spectrum::new(reduced.diagonal, reduced.beside).solve(right, cut);
    for reflection in reduced.reflections.iter().rev() {
        reflection.apply(&mut solution);
    }
    solution
}

/// A symmetric matrix as reflections around a tridiagonal one.
struct Reduced {
    diagonal: Vec<f64>,
    /// The numbers beside the diagonal.
    beside: Vec<f64>,
    /// In the order in which they were made.
    reflections: Vec<Reflection>,
}

/// x − `scale` · v (vᵀ x) of the entries of x from `from` on.
struct Reflection {
    from: usize,
    direction: Array1<f64>,
    scale: f64,
}

impl Reflection {
    fn apply(&self, vector: &mut Array1<f64>) {
        let mut part = vector.slice_mut(s![self.from..]);
        let along = self.scale * part.dot(&self.direction);
        part.scaled_add(-along, &self.direction);
    }
}

impl Reduced {
    fn new(mut matrix: Array2<f64>) -> Self {
        let size = matrix.nrows();
        let mut reduced = Self { diagonal: Vec::new(), beside: Vec::new(), reflections: Vec::new() };
        for place in 0..size {
            reduced.diagonal.push(matrix[[place, place]]);
            let from = place + 1;
            if from == size {
                break;
            }
            let column = matrix.slice(s![from.., place]).to_owned();
            let Some((reflection, kept)) = reflection(column.view(), from) else {
                reduced.beside.push(column[0]);
                continue;
            };
            reduced.beside.push(kept);
            let Reflection { direction, scale, .. } = &reflection;
            let mut rest = matrix.slice_mut(s![from.., from..]);
            let mut moved = rest.dot(direction) * *scale;
            let along = scale / 2.0 * moved.dot(direction);
            moved.scaled_add(-along, direction);
            for (row, mut cells) in rest.axis_iter_mut(Axis(0)).enumerate() {
                cells.scaled_add(-direction[row], &moved);
                cells.scaled_add(-moved[row], direction);
            }
            reduced.reflections.push(reflection);
        }
        reduced
    }
}

/// What makes all entries of `column` but the first 0, and the first one after it; `None` if they are 0 already.
fn reflection(column: ArrayView1<f64>, from: usize) -> Option<(Reflection, f64)> {
    if column.iter().skip(1).all(|&entry| entry == 0.0) {
        return None;
    }
    let length = column.dot(&column).sqrt();
    let kept = if column[0] > 0.0 { -length } else { length };
    let mut direction = column.to_owned();
    direction[0] -= kept;
    let square = direction.dot(&direction);
    (square > 0.0).then(|| (Reflection { from, scale: 2.0 / square, direction }, kept))
}

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
