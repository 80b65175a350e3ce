//! How often each class meets each cluster, and the adjusted Rand index of that (Hubert and Arabie
//! 1985).

/// Counts of rows by class and cluster; every class and every cluster has at least one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contingency {
    /// Row-major: one row a class, one column a cluster.
    counts: Vec<u64>,
    class_sizes: Vec<u64>,
    cluster_sizes: Vec<u64>,
    total: u64,
}

impl Contingency {
    /// Counts rows: row i belongs to class `classes[i]` and was put into cluster `clusters[i]`.
    ///
    /// Both slices are equally long. Numbers that do not occur are skipped, so they need not be contiguous; memory
    /// grows with the product of the largest ones.
    pub fn new(classes: &[u32], clusters: &[u32]) -> Self {
        debug_assert_eq!(classes.len(), clusters.len());
        let (class_sizes, class_places) = sizes(classes);
        let (cluster_sizes, cluster_places) = sizes(clusters);
        let mut counts = vec![0; class_sizes.len() * cluster_sizes.len()];
        for (&class, &cluster) in classes.iter().zip(clusters) {
            let (row, column) = (class_places[class as usize], cluster_places[cluster as usize]);
            counts[row * cluster_sizes.len() + column] += 1;
        }
        Self { counts, class_sizes, cluster_sizes, total: classes.len() as u64 }
    }

    /// Number of rows of each class.
    pub fn class_sizes(&self) -> &[u64] {
        &self.class_sizes
    }

    /// Number of rows of each cluster.
    pub fn cluster_sizes(&self) -> &[u64] {
        &self.cluster_sizes
    }

    /// Number of all rows.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// `(count, class size, cluster size)` of every class that meets a cluster, class by class.
    pub(super) fn meetings(&self) -> impl Iterator<Item = (u64, u64, u64)> {
        self.class_sizes.iter().zip(self.counts.chunks_exact(self.cluster_sizes.len().max(1))).flat_map(
            |(&class, counts)| {
                let cells = counts.iter().zip(&self.cluster_sizes);
                cells.filter(|(count, _)| **count > 0).map(move |(&count, &cluster)| (count, class, cluster))
            },
        )
    }
}

/// Rows of each label that occurs, in ascending order of the labels, and each label's place in that list.
fn sizes(labels: &[u32]) -> (Vec<u64>, Vec<usize>) {
    let mut counts = vec![0u64; labels.iter().max().map_or(0, |&largest| largest as usize + 1)];
    for &label in labels {
        counts[label as usize] += 1;
    }
    let mut next = 0;
    let places = counts
        .iter()
        .map(|&count| {
            let place = next;
            next += usize::from(count > 0);
            place
        })
        .collect();
    counts.retain(|&count| count > 0);
    (counts, places)
}

impl Contingency {
    /// Share of the pairs of rows that both sides treat alike, above chance, as scikit-learn's `adjusted_rand_score`: 1
    /// for the same partition, about 0 for a random one, no less than -0.5.
    pub fn adjusted_rand_index(&self) -> f64 {
        let total = i128::from(self.total());
        let (mut squares, mut by_class, mut by_cluster) = (0i128, 0i128, 0i128);
        for (count, class, cluster) in self.meetings() {
            let count = i128::from(count);
            squares += count * count;
            by_class += count * i128::from(class);
            by_cluster += count * i128::from(cluster);
        }
        // Ordered pairs of rows: together on both sides, on one of them, on neither.
        let both = squares - total;
        let (in_class, in_cluster) = (by_class - squares, by_cluster - squares);
        let neither = total * total - in_class - in_cluster - squares;
        if in_class == 0 && in_cluster == 0 {
            return 1.0;
        }
        let excess = 2 * (both * neither - in_class * in_cluster);
        let largest = (both + in_class) * (in_class + neither) + (both + in_cluster) * (in_cluster + neither);
        excess as f64 / largest as f64
    }
}
