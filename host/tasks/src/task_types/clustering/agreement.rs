//! How well clusters agree with labels: the reference's measures, and those beside them.

use mteb_measures::cluster::{Contingency, MiniBatchKMeans, Rows};

use super::settings::Settings;

/// Agreement of one clustering with the labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Agreement {
    pub v_measure: f64,
    pub adjusted_information: f64,
    /// Measures beside those of the reference, if they are wanted.
    pub extra: Option<ExtraAgreement>,
    /// The cluster of each row; empty for rows that need no clustering.
    pub clusters: Vec<u32>,
    /// Their clusters as the paper makes them, if measures beside those of the reference are wanted.
    pub clusters_of_paper: Vec<u32>,
}

/// Measures beside those of the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ExtraAgreement {
    pub normalized_information: f64,
    pub rand_index: f64,
    /// V-measure of clusters that were made with mini-batches of 32 rows.
    pub v_measure_of_paper: f64,
}

impl Agreement {
    /// Of things that need no clustering, as they have one label.
    pub fn perfect(extra: bool) -> Self {
        let all = ExtraAgreement { normalized_information: 1.0, rand_index: 1.0, v_measure_of_paper: 1.0 };
        let extra = extra.then_some(all);
        Self { v_measure: 1.0, adjusted_information: 1.0, extra, ..Self::default() }
    }

    /// Clusters `drawn` of `rows` into `count` clusters and compares them with `classes`, one a drawn row.
    pub fn of(settings: &Settings, rows: Rows<'_>, drawn: &[u32], classes: &[u32], count: usize) -> Self {
        let clusters = |learner: MiniBatchKMeans| learner.fit(rows, drawn).labels;
        let of_paper = settings.extra.then(|| clusters(settings.k_means_of_paper(count)));
        Self::measured(classes, clusters(settings.k_means(count)), of_paper)
    }

    /// Compares clusters with `classes`; if there are some made as the paper makes them, by all measures.
    pub fn measured(classes: &[u32], clusters: Vec<u32>, of_paper: Option<Vec<u32>>) -> Self {
        let found = Contingency::new(classes, &clusters);
        Self {
            v_measure: found.v_measure(),
            adjusted_information: found.adjusted_mutual_information(),
            extra: of_paper.as_ref().map(|of_paper| ExtraAgreement {
                normalized_information: found.normalized_mutual_information(),
                rand_index: found.adjusted_rand_index(),
                v_measure_of_paper: Contingency::new(classes, of_paper).v_measure(),
            }),
            clusters,
            clusters_of_paper: of_paper.unwrap_or_default(),
        }
    }
}

/// Names and values of the measures beside those of the reference, over all clusterings; empty if they are not wanted.
pub(super) fn extra_values(agreements: &[Agreement]) -> Vec<(&'static str, Vec<f64>)> {
    let values = |value: fn(&ExtraAgreement) -> f64| -> Vec<f64> {
        agreements.iter().filter_map(|agreement| agreement.extra.as_ref().map(value)).collect()
    };
    let named = [
        ("nmi", values(|extra| extra.normalized_information)),
        ("ari", values(|extra| extra.rand_index)),
        ("v_measure_batch_32", values(|extra| extra.v_measure_of_paper)),
    ];
    named.into_iter().filter(|(_, values)| !values.is_empty()).collect()
}
