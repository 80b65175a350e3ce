//! The first numbers of embeddings (Kusupati et al. 2022, "Matryoshka Representation Learning").

/// The first `keep` numbers of each row of `rows` (row-major, `dimension` numbers a row); all of them if there are no more.
pub fn cut(rows: Vec<f32>, dimension: usize, keep: usize) -> Vec<f32> {
    if keep >= dimension {
        return rows;
    }
    rows.chunks_exact(dimension).flat_map(|row| &row[..keep]).copied().collect()
}

/// Divides each row by its length, at least 10⁻¹², as torch's `normalize`.
pub fn normalize(rows: &mut [f32], dimension: usize) {
    for row in rows.chunks_exact_mut(dimension.max(1)) {
        let squares: f64 = row.iter().map(|&number| f64::from(number) * f64::from(number)).sum();
        let length = (squares.sqrt() as f32).max(1e-12);
        row.iter_mut().for_each(|number| *number /= length);
    }
}
