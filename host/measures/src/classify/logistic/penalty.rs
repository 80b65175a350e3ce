//! The weight penalty that both objectives share.

/// Half the penalty strength times the squared norm of `weights`, as the `f32` that scikit-learn adds to the loss.
pub(super) fn penalty(weights: &[f32], strength: f32) -> f32 {
    let squares: f64 = weights.iter().map(|&weight| f64::from(weight) * f64::from(weight)).sum();
    0.5 * strength * squares as f32
}
