//! Every result file equals the reference's key by key.

use std::fs;

use mteb_host_tests::{Difference, Run, compare_results, host, shared};

/// Scores are rounded to six decimals; two values on the two sides of a rounding edge differ by one unit there.
const TOLERANCE: f64 = 1.000_001e-6;

/// Scores that hang on rounding: scikit-learn computes the objective in `f32`. In the fit of experiment 8 of
/// SIB200Classification on `ind_Latn`, iteration 43 ends with a largest slope of 1.06e-4 there and just below the
/// limit of 1e-4 here, so that fit ends after 43 iterations instead of 52. Two of 20,080 predictions differ, one
/// in `train` and one in `validation`; `test` has none.
const ROUNDED: [(&str, &str, f64); 4] = [
    ("SIB200Classification", "train/ind_Latn/scores_per_experiment/8/", 5e-4),
    ("SIB200Classification", "train/ind_Latn/", 5e-5),
    ("SIB200Classification", "validation/ind_Latn/scores_per_experiment/8/", 1.1e-2),
    ("SIB200Classification", "validation/ind_Latn/", 1.1e-3),
];

/// True if the score at `path` is one of [`ROUNDED`] and no farther away than stated there.
fn is_rounded(task: &str, difference: &Difference) -> bool {
    let known = ROUNDED.iter().find(|(of, path, _)| *of == task && difference.path.starts_with(path));
    let (Some((_, _, size)), Ok(expected), Ok(found)) =
        (known, difference.expected.parse::<f64>(), difference.found.parse::<f64>())
    else {
        return false;
    };
    (expected - found).abs() <= *size
}

#[test]
fn the_random_encoder_has_the_reference_scores_on_real_data() {
    let Some(shared) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let tasks = [
        "NusaX-senti",
        "SemRel24STS:ind,eng",
        "SciFact",
        "STSBenchmark",
        "Banking77Classification",
        "NTREXBitextMining",
        "NusaXBitextMining",
        "SIB200Classification",
        "SIB200ClusteringS2S",
        "Tatoeba",
    ];
    let mut command = host(folder.path());
    command.arg("run").args(["--model", "random", "--quiet"]).arg("--hub-dir").arg(shared.join("hub"));
    for task in tasks {
        command.args(["--task", task]);
    }
    let run = Run::of(&mut command).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));

    let mut differences = Vec::new();
    for task in tasks {
        let name = task.split(':').next().unwrap();
        let expected = fs::read_to_string(shared.join(format!("golden/random/{name}.json"))).unwrap();
        let results = folder.path().join("results/mteb__baseline-random-encoder/2");
        let found = fs::read_to_string(results.join(format!("{name}.json"))).unwrap();
        let found = compare_results(&expected, &found, TOLERANCE).unwrap();
        differences
            .extend(found.into_iter().filter(|found| !is_rounded(name, found)).map(|found| (name, found)));
    }
    assert!(differences.is_empty(), "{} differences: {differences:#?}", differences.len());
}
