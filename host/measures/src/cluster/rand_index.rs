//! Adjusted Rand index (Hubert and Arabie 1985).

use super::Contingency;

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
