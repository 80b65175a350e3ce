//! What runs measured: in the part of a model, and beside its score in charts.

use mteb_host_tests::{Run, host};
use serde_json::json;

use super::browser::Page;

const TASKS: [&str; 4] = ["--task", "IndonesianGeneralSTS", "--task", "IndonesianLawRetrieval"];

#[test]
fn what_runs_measured_stands_beside_the_facts_of_cards_and_is_drawn_in_both_languages() {
    let root = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let run = Run::of(host(root.path()).args(args).args(TASKS)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    run(&["run", "--quiet", "--model", "random"]);
    run(&["run", "--quiet", "--model", "hashing", "--dimensions", "64,256"]);
    let file = root.path().join(run(&["report", "--output", "out"]).trim());
    let Some(page) = Page::open(&file, "view=model&model=mteb%2Fbaseline-random-encoder", (1000, 800)) else {
        return;
    };
    page.wait("!document.getElementById('view-model').hidden");
    let titles = page.value("[...document.querySelectorAll('#model-part h3')].map(each => each.textContent)");
    assert_eq!(titles[0], "Measured cost", "{titles}");
    let fact = |title: &str| {
        page.value(&format!(
            "[...document.querySelectorAll('#model-part dt')].find(each => each.textContent === '{title}')?.nextSibling.textContent ?? null"
        ))
    };
    for title in
        ["Encoding speed (texts per second)", "Peak memory (MB)", "Evaluation time of all tasks (seconds)"]
    {
        let shown = fact(title).as_str().unwrap_or_else(|| panic!("{title} is absent")).replace(',', "");
        assert!(shown.parse::<f64>().is_ok_and(|number| number > 0.0), "{title}: {shown}");
    }
    assert_eq!(fact("Tasks that report it"), "2 / 2");
    assert_eq!(fact("GPU energy (J)"), json!(null), "nothing computed on a card");
    // Charts are there of two models and more.
    page.value("location.hash = 'view=charts&x=peakMemory'");
    page.wait("!document.getElementById('view-charts').hidden");
    let label = "document.getElementById('peakMemory-x')";
    assert_eq!(page.value(&format!("{label}.textContent.trim()")), "Peak memory (MB)");
    let said = page.value("document.querySelector('#charts-part svg').getAttribute('aria-label')");
    assert!(said.as_str().unwrap().contains("Peak memory (MB)"), "{said}");
    page.value("location.hash = 'view=charts&x=peakMemory&lang=id'");
    page.wait("document.documentElement.lang === 'id'");
    assert_eq!(page.value(&format!("{label}.textContent.trim()")), "Memori puncak (MB)");
    assert_eq!((page.requests(), page.complaints()), (Vec::new(), Vec::new()));
}
