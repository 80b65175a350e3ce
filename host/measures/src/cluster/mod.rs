//! Clustering: mini-batch k-means, V-measure, adjusted mutual information.
