//! Tests and intervals keep what they promise, on models whose truth is known.

use mteb_measures::correlation::spearman;
use mteb_measures::random::Generator;
use mteb_report::statistics::{
    ALPHA, Bootstrap, Interval, OverParts, bootstrap_mean, mean_interval, on_drawn_items, paired_test,
    permutation_test, rank_intervals, tie_groups,
};

/// Models, or pairs of models, that are drawn for each promise.
const DRAWS: usize = 2_000;

/// A number of a normal distribution (Box and Muller).
fn normal(generator: &mut Generator) -> f64 {
    let (radius, angle) = (1.0 - generator.random_f64(), generator.random_f64());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// Scores of models on tasks: tasks are hard or easy for all, and each model has its own luck and its own strength.
fn scores(strengths: &[f64], tasks: usize, generator: &mut Generator) -> Vec<Vec<f64>> {
    let hardness: Vec<f64> = (0..tasks).map(|_| 0.6 + 0.15 * normal(generator)).collect();
    let model = |strength: &f64, generator: &mut Generator| {
        hardness.iter().map(|hardness| hardness + strength + 0.03 * normal(generator)).collect()
    };
    strengths.iter().map(|strength| model(strength, generator)).collect()
}

fn differences(scores: &[Vec<f64>]) -> Vec<f64> {
    scores[0].iter().zip(&scores[1]).map(|(one, other)| one - other).collect()
}

/// The share of draws in which `holds`.
fn share(seed: u64, mut holds: impl FnMut(&mut Generator) -> bool) -> f64 {
    let mut generator = Generator::new(seed);
    (0..DRAWS).filter(|_| holds(&mut generator)).count() as f64 / DRAWS as f64
}

/// Three standard errors of a share of 5 % in so many draws.
fn error() -> f64 {
    3.0 * (ALPHA * (1.0 - ALPHA) / DRAWS as f64).sqrt()
}

#[test]
fn two_equal_models_are_called_different_in_at_most_5_of_100_draws() {
    for tasks in [6, 10, 14, 15, 30, 56] {
        let called = share(tasks as u64, |generator| {
            paired_test(&differences(&scores(&[0.0, 0.0], tasks, generator))).p_value <= ALPHA
        });
        assert!(called <= ALPHA + error(), "{tasks} tasks: {called}");
        // A test that never calls would pass too: it finds a true difference.
        let found = share(1, |generator| {
            paired_test(&differences(&scores(&[0.05, 0.0], tasks, generator))).p_value <= ALPHA
        });
        assert!(found > 0.3, "{tasks} tasks: {found}");
    }
    let mut generator = Generator::new(7);
    let called = (0..300)
        .filter(|_| permutation_test(&differences(&scores(&[0.0, 0.0], 30, &mut generator))).p_value <= ALPHA)
        .count();
    assert!(called <= 27, "{called} of 300");
}

#[test]
fn none_of_many_equal_models_is_put_into_another_group_in_95_of_100_draws() {
    for tasks in [12, 20] {
        let apart = share(3, |generator| {
            let scores = scores(&[0.0; 6], tasks, generator);
            // The leader is chosen before the draw: the best of several equals is not a random one.
            tie_groups(&scores, &[6.0, 5.0, 4.0, 3.0, 2.0, 1.0]).leaders.len() > 1
        });
        assert!(apart <= ALPHA + error(), "{tasks} tasks: {apart}");
    }
}

#[test]
fn intervals_of_means_and_differences_cover_the_truth_at_93_to_97_of_100() {
    let covers = |seed: u64, units: usize, interval: &dyn Fn(&[f64]) -> Option<Interval>| {
        share(seed, |generator| {
            let values: Vec<f64> = (0..units).map(|_| 0.02 + 0.04 * normal(generator)).collect();
            interval(&values).expect("several units").covers(0.02)
        })
    };
    for units in [10, 20, 56] {
        let student = covers(units as u64, units, &mean_interval);
        assert!((0.93..=0.97).contains(&student), "Student's, {units} units: {student}");
        let how = Bootstrap { draws: 400, ..Bootstrap::default() };
        let bootstrap = covers(100 + units as u64, units, &|values| bootstrap_mean(values, how));
        assert!((0.93..=0.97).contains(&bootstrap), "studentised, {units} units: {bootstrap}");
    }
}

#[test]
fn intervals_of_ranks_hold_all_at_once_in_95_of_100_draws() {
    let strengths = [0.04, 0.03, 0.02, 0.01, 0.0];
    let mut width = 0;
    let held = share(5, |generator| {
        let intervals = rank_intervals(&scores(&strengths, 12, generator));
        width += intervals.iter().map(|(best, worst)| worst - best).sum::<usize>();
        intervals.iter().zip(1..).all(|((best, worst), rank)| (*best..=*worst).contains(&rank))
    });
    assert!(held >= 0.95, "{held}");
    // They say something: less than all five ranks for each.
    assert!((width as f64) < 0.9 * (DRAWS * 5 * 4) as f64, "{width}");
}

/// Two equal models on three units that count the same: means over 12 and 40 items, and a correlation over 60. Gives what the
/// items say, and the means of both.
fn over_items(generator: &mut Generator) -> (OverParts, [f64; 2]) {
    let mut over = OverParts::new(2);
    let mut means = [0.0; 2];
    for items in [12, 40] {
        let hardness: Vec<f64> = (0..items).map(|_| 0.5 + 0.2 * normal(generator)).collect();
        let values: [Vec<f64>; 2] =
            [(); 2].map(|()| hardness.iter().map(|hard| hard + 0.1 * normal(generator)).collect());
        (0..2).for_each(|model| means[model] += values[model].iter().sum::<f64>() / items as f64 / 3.0);
        over.add_mean(1.0 / 3.0, &values);
    }
    let gold: Vec<f64> = (0..60).map(|_| normal(generator)).collect();
    let shared: Vec<f64> = gold.iter().map(|gold| 0.6 * gold + 0.6 * normal(generator)).collect();
    let rest = (1.0f64 - 0.72).sqrt();
    let values: [Vec<f64>; 2] =
        [(); 2].map(|()| shared.iter().map(|shared| shared + rest * normal(generator)).collect());
    let how = Bootstrap { draws: 200, ..Bootstrap::default() };
    let drawn = values.each_ref().map(|numbers| {
        on_drawn_items(60, how, &|items| {
            let of = |numbers: &[f64]| items.iter().map(|item| numbers[*item]).collect::<Vec<f64>>();
            spearman(&of(&gold), &of(numbers))
        })
    });
    (0..2).for_each(|model| means[model] += spearman(&gold, &values[model]) / 3.0);
    over.add_statistic(1.0 / 3.0, 60, &drawn);
    (over, means)
}

#[test]
fn over_items_intervals_cover_the_truth_and_equal_models_are_rarely_called_different() {
    // Spearman's correlation of normal numbers that correlate by 0.6.
    let truth = (0.5 + 0.5 + 6.0 / std::f64::consts::PI * (0.6f64 / 2.0).asin()) / 3.0;
    let covered = share(11, |generator| {
        let (over, means) = over_items(generator);
        over.interval(0, means[0]).covers(truth)
    });
    assert!((0.93..=0.97).contains(&covered), "{covered}");
    let called = share(12, |generator| {
        let (over, means) = over_items(generator);
        over.p_value(0, 1, means[0] - means[1]) <= ALPHA
    });
    assert!(called <= ALPHA + error(), "{called}");
    assert!(called > 0.02, "a test that never calls says nothing: {called}");
}
