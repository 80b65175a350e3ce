//! Clustering beside scikit-learn (fixtures from the scripts in `tests/golden/cluster`).

use proptest::prelude::*;
use serde_json::Value;

use crate::cluster::{Clustering, Contingency, Generation, MiniBatchKMeans, Rows};
use crate::golden::fixture;

/// The cases in a fixture file.
fn golden(name: &str) -> Vec<Value> {
    fixture(&format!("cluster/{name}"))
}

fn labels(value: &Value) -> Vec<u32> {
    value.as_array().expect("a list").iter().filter_map(Value::as_u64).map(|label| label as u32).collect()
}

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

const GENERATIONS: [Generation; 2] = [Generation::Since1_9, Generation::Since1_4];

/// The fixture's generator.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    fn matrix(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| (self.next() % 8192) as f32 - 4096.0).collect()
    }

    fn indices(&mut self, count: usize, below: usize) -> Vec<u32> {
        (0..count).map(|_| (self.next() % below as u64) as u32).collect()
    }

    /// Rows around the centres of `groups`, as the fixture's script makes them.
    fn data(&mut self, rows: usize, dimension: usize, groups: usize, distance: f32) -> Vec<f32> {
        let centres = self.matrix(groups * dimension);
        let group = self.indices(rows, groups);
        let noise = self.matrix(rows * dimension);
        let centre = |row: usize| &centres[group[row] as usize * dimension..][..dimension];
        let mix = |(noise, centre): (&f32, &f32)| (noise * 4.0 + centre * distance) / 4096.0;
        let rows = noise.chunks_exact(dimension).enumerate();
        rows.flat_map(|(row, noise)| noise.iter().zip(centre(row)).map(mix)).collect()
    }
}

/// Fixtures from `make_k_means.py`.
fn check(file: &str, generation: Generation) {
    for case in golden(file) {
        let shape: Vec<usize> = case["shape"]
            .as_array()
            .unwrap()
            .iter()
            .map(|number| number.as_u64().unwrap() as usize)
            .collect();
        let [rows, dimension, groups, distance, clusters, batch_size, draws] = shape[..] else {
            panic!("shape {shape:?}")
        };
        let mut numbers = Numbers(case["seed"].as_u64().unwrap());
        let values = numbers.data(rows, dimension, groups, distance as f32);
        let drawn =
            if draws > 0 { numbers.indices(draws, rows) } else { (0..rows as u32).collect::<Vec<u32>>() };
        let model = MiniBatchKMeans { clusters, batch_size, generation, seed: 42 };
        let found = model.fit(Rows::new(&values, dimension), &drawn);
        assert_eq!(found.steps as u64, case["steps"].as_u64().unwrap(), "{file}, steps of {shape:?}");
        let expected = read_labels(&case["labels"]);
        let different =
            drawn.iter().zip(&found.labels).filter(|(row, label)| expected[**row as usize] != Some(**label));
        assert_eq!(different.count(), 0, "{file}, labels of {shape:?}");
    }
}

/// Labels of two base-36 digits each.
fn read_labels(text: &Value) -> Vec<Option<u32>> {
    let text = text.as_str().expect("digits");
    (0..text.len() / 2).map(|row| u32::from_str_radix(&text[2 * row..2 * row + 2], 36).ok()).collect()
}

#[test]
fn labels_and_steps_equal_scikit_learn_1_9() {
    check("k_means_1_9.json", Generation::Since1_9);
}

#[test]
fn labels_and_steps_equal_scikit_learn_1_8() {
    check("k_means_1_8.json", Generation::Since1_4);
}

#[test]
fn fewer_distinct_rows_than_clusters_leave_clusters_empty() {
    let values = [1.0, 2.0, -3.0, 0.5];
    let drawn: Vec<u32> = (0..40).map(|place| place % 2).collect();
    for generation in GENERATIONS {
        let model = MiniBatchKMeans { clusters: 5, batch_size: 16, generation, seed: 42 };
        let found = model.fit(Rows::new(&values, 2), &drawn).labels;
        assert!(found.chunks_exact(2).all(|pair| pair == &found[..2] && pair[0] != pair[1]), "{found:?}");
    }
}

/// Rows with draws from them, at least as many as clusters.
fn draws() -> impl Strategy<Value = (Vec<f32>, Vec<u32>, MiniBatchKMeans)> {
    (1u32..40, 1usize..8, 0..2usize, 1usize..60).prop_flat_map(|(rows, clusters, generation, batch_size)| {
        let values = prop::collection::vec(-1.0f32..1.0, rows as usize * 3);
        let drawn = prop::collection::vec(0..rows, clusters..80);
        let generation = GENERATIONS[generation];
        (values, drawn, Just(MiniBatchKMeans { clusters, batch_size, generation, seed: 42 }))
    })
}

fn fit_with_threads(threads: usize, model: MiniBatchKMeans, values: &[f32], drawn: &[u32]) -> Clustering {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| model.fit(Rows::new(values, 3), drawn))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_repeated_row_counts_as_often_as_it_is_drawn((values, drawn, model) in draws()) {
        let rows = Rows::new(&values, 3);
        let copied: Vec<f32> = drawn.iter().flat_map(|&index| rows.row(index)).copied().collect();
        let all: Vec<u32> = (0..drawn.len() as u32).collect();
        prop_assert_eq!(model.fit(rows, &drawn), model.fit(Rows::new(&copied, 3), &all));
    }

    #[test]
    fn labels_are_clusters_and_equal_rows_are_together((values, drawn, model) in draws()) {
        let labels = model.fit(Rows::new(&values, 3), &drawn).labels;
        prop_assert_eq!(labels.len(), drawn.len());
        prop_assert!(labels.iter().all(|&label| (label as usize) < model.clusters));
        for (index, label) in drawn.iter().zip(&labels) {
            let first = drawn.iter().position(|other| other == index);
            prop_assert_eq!(first.map(|place| labels[place]), Some(*label));
        }
    }

    #[test]
    fn threads_change_no_label((values, drawn, model) in draws()) {
        let alone = fit_with_threads(1, model, &values, &drawn);
        prop_assert_eq!(alone, fit_with_threads(3, model, &values, &drawn));
    }
}
