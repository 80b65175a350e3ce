//! Linear equations with a symmetric matrix that may be singular.

use ndarray::{Array1, Array2, ArrayView1, Axis, s};

use super::tridiagonal::Spectrum;

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
