//! Every result file equals the reference's key by key.

use std::fs;

use mteb_host_tests::{Run, compare_results, host, shared};

/// Scores are rounded to six decimals; two values on the two sides of a rounding edge differ by one unit there.
const TOLERANCE: f64 = 1.000_001e-6;

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
        differences.extend(found.into_iter().map(|difference| (name, difference)));
    }
    assert!(differences.is_empty(), "{} differences: {differences:#?}", differences.len());
}
