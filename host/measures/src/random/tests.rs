//! Known answers of numpy 2.4.6 and CPython (protocol, appendix A), and what holds for every draw.

use proptest::prelude::*;

use super::{Generator, PythonRandom, RandomState};

#[test]
fn random_state_shuffles_as_numpy() {
    let mut items: Vec<usize> = (0..1000).collect();
    RandomState::new(42).shuffle(&mut items);
    assert_eq!(items[..8], [521, 737, 740, 660, 411, 678, 626, 513]);
}

#[test]
fn a_fresh_shuffle_of_a_kept_order_permutes_again() {
    let mut order: Vec<usize> = (0..20).collect();
    let mut seen = Vec::new();
    for _ in 0..3 {
        RandomState::new(42).shuffle(&mut order);
        seen.push(order.clone());
    }
    assert_eq!(seen[0], [0, 17, 15, 1, 8, 5, 11, 3, 18, 16, 13, 2, 9, 19, 4, 12, 7, 10, 14, 6]);
    assert_eq!(seen[1], [0, 10, 12, 17, 18, 5, 2, 1, 14, 7, 19, 15, 16, 6, 8, 9, 3, 13, 4, 11]);
    assert_eq!(seen[2], [0, 13, 9, 10, 14, 5, 15, 17, 4, 3, 6, 12, 7, 11, 18, 16, 1, 19, 8, 2]);
}

#[test]
fn random_state_draws_integers_and_numbers_as_numpy() {
    assert_eq!(RandomState::new(42).randint(1000, 10), [102, 435, 860, 270, 106, 71, 700, 20, 614, 121]);
    let mut state = RandomState::new(42);
    let draws: Vec<f64> = (0..5).map(|_| state.random_sample()).collect();
    let expected = [
        0.374_540_118_847_362_5,
        0.950_714_306_409_916_2,
        0.731_993_941_811_405_1,
        0.598_658_484_197_036_6,
        0.156_018_640_442_436_52,
    ];
    assert_eq!(draws, expected);
}

#[test]
fn random_state_chooses_with_weights_as_numpy() {
    let weights = vec![f64::from(1.0_f32 / 777.0); 777];
    let chosen = RandomState::new(42).choice_weighted(&weights, 12);
    assert_eq!(chosen, [291, 738, 568, 465, 121, 121, 45, 673, 467, 550, 15, 753]);
}

#[test]
fn python_chooses_as_cpython() {
    assert_eq!(PythonRandom::new(42).choices(1000, 6), [639, 25, 275, 223, 736, 676]);
}

#[test]
fn python_samples_from_a_pool_and_from_a_set_as_cpython() {
    // random.Random(42).sample(range(30), 10) and random.Random(42).sample(range(100000), 8)
    assert_eq!(PythonRandom::new(42).sample(30, 10), [20, 3, 0, 23, 8, 7, 24, 4, 28, 17]);
    assert_eq!(
        PythonRandom::new(42).sample(100_000, 8),
        [83810, 14592, 3278, 97196, 36048, 32098, 29256, 18289]
    );
}

#[test]
fn generator_shuffles_as_numpy() {
    let mut items: Vec<usize> = (0..1000).collect();
    Generator::new(42).shuffle(&mut items);
    assert_eq!(items[..8], [978, 933, 859, 916, 127, 608, 856, 260]);
    let mut generator = Generator::new(42);
    let mut first: Vec<usize> = (0..10).collect();
    generator.shuffle(&mut first);
    let mut second: Vec<usize> = (0..10).collect();
    generator.shuffle(&mut second);
    assert_eq!(first, [5, 6, 0, 7, 3, 2, 4, 9, 1, 8]);
    assert_eq!(second, [4, 8, 2, 6, 5, 9, 7, 3, 0, 1]);
}

#[test]
fn generator_chooses_and_draws_as_numpy() {
    assert_eq!(Generator::new(42).choice_without_replacement(10, 3), [9, 0, 6]);
    // default_rng(42).choice(20000, 5000, replace=False)[:5]
    assert_eq!(
        Generator::new(42).choice_without_replacement(20_000, 5000)[..5],
        [7479, 10179, 12294, 16123, 3177]
    );
    let mut generator = Generator::new(42);
    let draws: Vec<f32> = (0..3).map(|_| generator.random_f32()).collect();
    assert_eq!(draws, [0.089_250_92, 0.773_956, 0.654_571_5]);
}

#[test]
fn the_baseline_encoder_draws_as_numpy() {
    let mut generator = Generator::new(2_475_399_204);
    let draws: Vec<f32> = (0..4).map(|_| generator.random_f32()).collect();
    let expected =
        [0.776_469_945_907_592_8, 0.571_106_553_077_697_8, 0.373_582_184_314_727_8, 0.559_978_187_084_198];
    assert_eq!(draws, expected.map(|value: f64| value as f32));
}

/// `drawn` are different numbers below `n`.
fn are_different(mut drawn: Vec<usize>, n: usize) -> bool {
    drawn.sort_unstable();
    drawn.windows(2).all(|pair| pair[0] < pair[1]) && drawn.last().is_none_or(|last| *last < n)
}

proptest! {
    #[test]
    fn draws_without_replacement_differ(seed in any::<u32>(), n in 1usize..300, share in 0.0..=1.0) {
        let count = (n as f64 * share) as usize;
        let python = PythonRandom::new(seed.into()).sample(n, count);
        let numpy = RandomState::new(seed).choice_without_replacement(n, count);
        let generator = Generator::new(seed.into()).choice_without_replacement(n, count);
        for drawn in [python, numpy, generator] {
            prop_assert_eq!(drawn.len(), count);
            prop_assert!(are_different(drawn, n));
        }
    }

    #[test]
    fn shuffles_keep_all_items(seed in any::<u32>(), n in 0usize..300) {
        prop_assert!(are_different(RandomState::new(seed).permutation(n), n));
        prop_assert!(are_different(Generator::new(seed.into()).permutation(n), n));
    }

    #[test]
    fn draws_with_replacement_stay_below_the_bound(seed in any::<u32>(), n in 1usize..300) {
        let (mut python, mut numpy) = (PythonRandom::new(seed.into()), RandomState::new(seed));
        let drawn = [python.choices(n, 50), numpy.randint(n, 50)].concat();
        prop_assert!(drawn.len() == 100 && drawn.iter().all(|draw| *draw < n));
    }
}
