//! Scores of pair classification over every threshold that separates two scores.
