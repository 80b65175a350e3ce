//! Correlations of two score lists, with their p-values.
