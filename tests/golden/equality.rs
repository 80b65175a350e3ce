//! Every result file equals the reference's key by key.

use std::collections::BTreeSet;
use std::fs;

use mteb_host_tests::{Difference, Run, compare_results, host, shared};

/// Rounded scores are the same numbers.
const TOLERANCE: f64 = 0.0;

/// Fits that may end at another iteration, of the 190 of all classification tasks here: scikit-learn computes the
/// objective in `f32`, so rounding decides where a slope stands beside the stopping rule, as it does between
/// processors in scikit-learn itself. Seen is one: experiment 8 of SIB200Classification on `ind_Latn`, where iteration
/// 43 ends with a largest slope of 1.06e-4 there and just below the limit of 1e-4 here, so that the fit ends after 43
/// iterations instead of 52. It changes two of 20,080 predictions, one in `train` and one in `validation`.
const ROUNDED_FITS: usize = 4;

/// How far the scores of such a fit may be from the reference's, and the means over ten experiments.
const ROUNDED_EXPERIMENT: f64 = 0.011;
const ROUNDED_MEAN: f64 = 0.0011;

/// The experiment (task, subset, number) that a difference in a classification task belongs to, if it is no larger
/// than a few flipped predictions make it; for a mean over experiments the number is empty.
fn rounded(task: &str, difference: &Difference) -> Option<(String, String)> {
    let mut path = difference.path.split('/').skip(1);
    let subset = format!("{task}/{}", path.next()?);
    let (experiment, limit) = match (path.next()?, path.next()) {
        ("scores_per_experiment", Some(number)) => (number.to_owned(), ROUNDED_EXPERIMENT),
        (_, None) => (String::new(), ROUNDED_MEAN),
        _ => return None,
    };
    let distance = difference.expected.parse::<f64>().ok()? - difference.found.parse::<f64>().ok()?;
    let is_classification = task.contains("Classification") || task == "NusaX-senti";
    (is_classification && distance.abs() <= limit).then_some((subset, experiment))
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
        "NTREXBitextMining:eng_Latn-ind_Latn,ind_Latn-eng_Latn",
        "NusaXBitextMining",
        "SIB200Classification:ind_Latn,jav_Latn",
        "SIB200ClusteringS2S:ace_Latn,ban_Latn,bjn_Latn,bug_Latn,ind_Latn,jav_Latn,min_Latn,sun_Latn",
        "Tatoeba:jav-eng,ceb-eng,ind-eng",
    ];
    let mut command = host(folder.path());
    // The reference ran on these subsets alone, too.
    command.arg("run").args(["--model", "random", "--quiet", "--draws", "selected"]);
    command.arg("--hub-dir").arg(shared.join("hub"));
    for task in tasks {
        command.args(["--task", task]);
    }
    let run = Run::of(&mut command).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));

    let (mut differences, mut fits, mut means) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for task in tasks {
        let name = task.split(':').next().unwrap();
        let expected = fs::read_to_string(shared.join(format!("golden/random/{name}.json"))).unwrap();
        let results = folder.path().join("results/mteb__baseline-random-encoder/2");
        let found = fs::read_to_string(results.join(format!("{name}.json"))).unwrap();
        for difference in compare_results(&expected, &found, TOLERANCE).unwrap() {
            match rounded(name, &difference) {
                Some((subset, experiment)) if experiment.is_empty() => drop(means.insert(subset)),
                Some(fit) => drop(fits.insert(fit)),
                None => differences.push((name, difference)),
            }
        }
    }
    assert!(differences.is_empty(), "{} differences: {differences:#?}", differences.len());
    assert!(fits.len() <= ROUNDED_FITS, "{fits:?}");
    let explained: BTreeSet<String> = fits.into_iter().map(|(subset, _)| subset).collect();
    assert!(means.is_subset(&explained), "{means:?} beside {explained:?}");
}
