//! V-measure, adjusted and normalised mutual information, adjusted Rand index.

use proptest::prelude::*;

use super::{golden, labels};
use crate::cluster::Contingency;

#[test]
fn agreement_of_labelings_equals_scikit_learn() {
    for (number, case) in golden("agreement.json").iter().enumerate() {
        let table = Contingency::new(&labels(&case["classes"]), &labels(&case["clusters"]));
        let measures = [
            ("v_measure", table.v_measure()),
            ("ami", table.adjusted_mutual_information()),
            ("nmi", table.normalized_mutual_information()),
            ("ari", table.adjusted_rand_index()),
        ];
        for (name, found) in measures {
            let expected = case[name].as_f64().expect("a number");
            assert!((found - expected).abs() < 1e-12, "case {number}, {name}: {found} for {expected}");
        }
    }
}

#[test]
fn no_row_agrees_perfectly() {
    let table = Contingency::new(&[], &[]);
    assert_eq!((table.v_measure(), table.adjusted_mutual_information()), (1.0, 1.0));
    assert_eq!((table.normalized_mutual_information(), table.adjusted_rand_index()), (1.0, 1.0));
}

proptest! {
    #[test]
    fn names_of_classes_and_clusters_do_not_matter(
        rows in prop::collection::vec((0u32..6, 0u32..6), 1..80)
    ) {
        let (classes, clusters): (Vec<u32>, Vec<u32>) = rows.into_iter().unzip();
        let renamed: Vec<u32> = clusters.iter().map(|cluster| 40 - 7 * cluster).collect();
        let (plain, other) = (Contingency::new(&classes, &clusters), Contingency::new(&classes, &renamed));
        prop_assert!((plain.v_measure() - other.v_measure()).abs() < 1e-12);
        let difference = plain.adjusted_mutual_information() - other.adjusted_mutual_information();
        prop_assert!(difference.abs() < 1e-9);
    }

    #[test]
    fn a_labeling_agrees_with_itself(classes in prop::collection::vec(0u32..6, 1..80)) {
        let table = Contingency::new(&classes, &classes);
        prop_assert!((table.v_measure() - 1.0).abs() < 1e-12);
        prop_assert!((table.adjusted_mutual_information() - 1.0).abs() < 1e-9);
        prop_assert!((table.normalized_mutual_information() - 1.0).abs() < 1e-12);
        prop_assert_eq!(table.adjusted_rand_index(), 1.0);
    }

    #[test]
    fn agreement_is_symmetric(rows in prop::collection::vec((0u32..6, 0u32..4), 1..80)) {
        let (classes, clusters): (Vec<u32>, Vec<u32>) = rows.into_iter().unzip();
        let (one, other) = (Contingency::new(&classes, &clusters), Contingency::new(&clusters, &classes));
        prop_assert!((one.v_measure() - other.v_measure()).abs() < 1e-12);
        prop_assert_eq!(one.adjusted_rand_index(), other.adjusted_rand_index());
    }

    #[test]
    fn agreement_is_bounded(rows in prop::collection::vec((0u32..6, 0u32..6), 1..80)) {
        let (classes, clusters): (Vec<u32>, Vec<u32>) = rows.into_iter().unzip();
        let table = Contingency::new(&classes, &clusters);
        prop_assert!((0.0..=1.0 + 1e-12).contains(&table.v_measure()));
        prop_assert!((-1.0..=1.0 + 1e-9).contains(&table.adjusted_mutual_information()));
        prop_assert!((0.0..=1.0 + 1e-12).contains(&table.normalized_mutual_information()));
        prop_assert!((-0.5..=1.0).contains(&table.adjusted_rand_index()));
    }

    #[test]
    fn clusters_that_split_classes_are_homogeneous(rows in prop::collection::vec((0u32..4, 0u32..3), 2..80)) {
        let classes: Vec<u32> = rows.iter().map(|(class, _)| *class).collect();
        let parts: Vec<u32> = rows.iter().map(|(class, part)| 3 * class + part).collect();
        let (split, whole) = (Contingency::new(&classes, &parts), Contingency::new(&classes, &classes));
        // All information about the class is kept.
        prop_assert!((split.mutual_information() - whole.mutual_information()).abs() < 1e-12);
    }
}
