//! Subsamples that keep the shares of labels.
