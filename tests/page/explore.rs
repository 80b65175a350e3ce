//! Columns, filters, chips, exports, charts with what runs measured, and comparisons: what is chosen stands in
//! the address, and what is shown is what is exported.

use mteb_host_tests::{Run, host};
use serde_json::json;

use super::browser::Page;
use super::results::{page, twelve, write_model};

const READY: &str = "document.getElementById('count').textContent.length > 0";

fn hash(page: &Page) -> String {
    page.value("location.hash").as_str().unwrap().to_owned()
}

/// The text of an export of this form.
fn export_page(page: &Page, form: &str) -> String {
    page.value(&format!(
        "(() => {{ document.getElementById('export-open').click(); const form = document.getElementById('export-form'); form.value = '{form}'; \
         form.dispatchEvent(new Event('change')); document.querySelector('#export [data-close]').click(); return document.getElementById('export-text').value; }})()"
    ))
    .as_str()
    .unwrap()
    .to_owned()
}

#[test]
fn columns_are_chosen_and_the_address_remembers_them() {
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "", (1200, 800)) else { return };
    page.wait(READY);
    let titles = || {
        page.value(
            "[...document.querySelectorAll('#board thead th[data-sort]')].map(each => each.dataset.sort)",
        )
    };
    assert!(!titles().to_string().contains("dimension"));
    page.value("document.querySelector('details.columns').open = true");
    page.wait("document.getElementById('c-dimension') !== null");
    page.value("document.getElementById('c-dimension').click()");
    page.value("document.getElementById('c-parameters').click()");
    let chosen = titles();
    assert!(
        chosen.to_string().contains("dimension") && !chosen.to_string().contains("parameters"),
        "{chosen}"
    );
    let fragment = hash(&page);
    let Some(other) = Page::open(&file, &fragment[1..], (1200, 800)) else { return };
    other.wait(READY);
    let same = other
        .value("[...document.querySelectorAll('#board thead th[data-sort]')].map(each => each.dataset.sort)");
    assert_eq!(same, chosen);
    // An address of an older page hides columns and shows all others.
    page.value("location.hash = 'hide=interval.release'");
    page.wait("!document.querySelector('#board th[data-sort=interval]')");
    assert!(titles().to_string().contains("dimension") && !titles().to_string().contains("release"));
}

#[test]
fn the_drawer_counts_what_each_choice_leaves_and_chips_take_it_back() {
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "", (1200, 800)) else { return };
    page.wait(READY);
    page.value("document.getElementById('drawer-open').click()");
    let choice = |value: &str| {
        page.value(&format!(
            "document.querySelector('#drawer input[value=\"{value}\"]').closest('label').textContent.trim()"
        ))
    };
    assert_eq!((choice("STS"), choice("Retrieval")), (json!("STS 2"), json!("Retrieval 1")));
    page.value("document.querySelector('#drawer input[value=STS]').click()");
    page.value("document.querySelector('#drawer input[value=\"100000000-500000000\"]').click()");
    // Two types are more than one: choices of one kind add up.
    page.value("document.querySelector('#drawer input[value=Retrieval]').click()");
    assert_eq!(
        page.value("document.getElementById('drawer-count').textContent.includes('3 of 4 tasks')"),
        true
    );
    page.value("document.querySelector('#drawer [data-close]').click()");
    assert_eq!(hash(&page), "#type=STS&type=Retrieval&size=100000000-500000000");
    let chips =
        || page.value("[...document.querySelectorAll('#chips button')].map(each => each.textContent)");
    assert_eq!(
        chips(),
        json!(["Task type: STS ×", "Task type: Retrieval ×", "Parameters: 100 – 500 M ×", "Reset"])
    );
    page.value("document.querySelector('#chips button').click()");
    assert_eq!(hash(&page), "#type=Retrieval&size=100000000-500000000");
    page.value("document.getElementById('reset').click()");
    assert_eq!((hash(&page), chips()), (String::new(), json!([])));
    // What no model and no task has chooses none of them.
    page.value("location.hash = 'license=no-such'");
    page.wait("document.getElementById('count').textContent.startsWith('No model')");
    assert_eq!((page.requests(), page.complaints()), (Vec::new(), Vec::new()));
}

#[test]
fn what_is_shown_is_what_is_exported() {
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "columns=meanType&q=model-1&sort=mean-down", (1200, 800)) else {
        return;
    };
    page.wait(READY);
    let csv = export_page(&page, "csv");
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows[0], "Rank (Borda),Model,Mean (Task),Mean (TaskType)");
    assert_eq!(rows.len(), 3, "{csv}");
    assert!(rows[1].contains("org/model-11,") && rows[2].contains("org/model-10,"), "{csv}");
    let markdown = export_page(&page, "markdown");
    assert!(
        markdown.starts_with(
            "| Rank (Borda) | Model | Mean (Task) | Mean (TaskType) |\n| --: | :-- | --: | --: |\n"
        ),
        "{markdown}"
    );
    let latex = export_page(&page, "latex");
    assert!(
        latex.starts_with("\\begin{tabular}{rlrr}\n\\toprule\n") && latex.contains("\\textbf{"),
        "{latex}"
    );
    let bibtex = export_page(&page, "bibtex");
    assert_eq!(bibtex.matches("note = {revision 1}").count(), 2, "{bibtex}");
    assert!(bibtex.contains("title = {org/model-11}"), "{bibtex}");
}

#[test]
fn a_hostile_name_is_text_in_every_export_and_tooltip() {
    let root = tempfile::tempdir().unwrap();
    let names = [
        "=HYPERLINK(1)",
        "a|b`*c*",
        "x\\end{tabular}%&_#",
        "</script><img src=x onerror=window.broken=1>",
        "q\"q,r",
    ];
    for (number, name) in (1u32..).zip(names) {
        write_model(root.path(), &format!("m{number}"), name, [0.3 + f64::from(number) / 50.0; 4]);
    }
    let file = page(root.path());
    let Some(page) = Page::open(&file, "columns=rank", (800, 800)) else { return };
    page.wait(READY);
    let csv = export_page(&page, "csv");
    assert!(csv.contains("\"'=HYPERLINK(1)\"") && csv.contains("\"q\"\"q,r\""), "{csv}");
    assert!(export_page(&page, "markdown").contains("a\\|b\\`\\*c\\*"));
    let latex = export_page(&page, "latex");
    assert!(
        latex.contains("x\\textbackslash{}end\\{tabular\\}\\%\\&\\_\\#")
            && latex.matches("\\end{tabular}").count() == 1,
        "{latex}"
    );
    let bibtex = export_page(&page, "bibtex");
    assert_eq!(bibtex.matches("note = {revision 1}").count(), names.len(), "{bibtex}");
    page.value("location.hash = 'view=charts'");
    page.wait("document.querySelectorAll('#charts-part .dot').length === 5");
    page.value("document.querySelector('#charts-part .dot').focus()");
    page.value("location.hash = 'view=compare&' + [...document.querySelectorAll('#charts-part .dot')].slice(0, 0).join('') + new URLSearchParams([['models', '=HYPERLINK(1)'], ['models', '</script><img src=x onerror=window.broken=1>']])");
    page.wait("document.querySelectorAll('#compare-part table').length === 3");
    assert_eq!(
        page.value("[window.broken ?? null, document.querySelectorAll('img, iframe').length]"),
        json!([null, 0])
    );
    assert_eq!((page.requests(), page.complaints()), (Vec::new(), Vec::new()));
}

#[test]
fn a_dot_says_its_model_to_pointer_and_keyboard_and_leads_to_it() {
    let (_root, file) = twelve();
    for width in [1200, 400] {
        let Some(page) = Page::open(&file, "view=charts&q=model-0", (width, 900)) else { return };
        page.wait("document.querySelectorAll('#charts-part .dot').length === 10");
        page.wait("document.querySelector('#charts-part svg').getBoundingClientRect().width > 200");
        page.point("#charts-part .dot:last-of-type circle");
        page.wait("!document.getElementById('tip').hidden");
        let said = page.value("document.getElementById('tip').textContent");
        let said = said.as_str().unwrap();
        assert!(
            said.contains("org/model-09") && said.contains("Mean (Task)") && said.contains("Parameters"),
            "{said}"
        );
        page.value("document.querySelector('#charts-part .dot').focus()");
        page.press("ArrowRight");
        let focused = page.value("document.activeElement.getAttribute('aria-label')");
        assert!(focused.as_str().unwrap().contains("org/model-01"), "{focused}");
        page.press("Enter");
        page.wait("!document.getElementById('view-model').hidden");
        assert_eq!(page.value("document.querySelector('#model-part h2').textContent"), "org/model-01");
        assert_eq!((page.requests(), page.complaints()), (Vec::new(), Vec::new()));
    }
}

#[test]
fn charts_are_also_tables_and_say_what_is_absent() {
    let (root, _) = twelve();
    write_model(root.path(), "org__part", "org/part", [0.99; 4]);
    std::fs::remove_file(root.path().join("results/org__part/1/SciFact.json")).unwrap();
    let file = page(root.path());
    let Some(page) = Page::open(&file, "view=charts", (1200, 900)) else { return };
    page.wait("document.querySelectorAll('#charts-part .dot').length === 12");
    assert_eq!(page.value("document.querySelectorAll('#charts-part tbody tr').length"), 12);
    let said = page.value("document.querySelector('#charts-part > p').textContent");
    assert!(said.as_str().unwrap().contains("1 have no mean"), "{said}");
}

#[test]
fn two_models_are_compared_by_the_differences_of_the_same_tasks() {
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "", (1200, 900)) else { return };
    page.wait(READY);
    let pick = |name: &str| {
        page.value(&format!("[...document.querySelectorAll('#board tbody tr')].find(row => row.querySelector('bdi').textContent === '{name}').querySelector('input').click()"));
    };
    pick("org/model-03");
    pick("org/model-07");
    page.value("document.getElementById('tray-go').click()");
    page.wait("!document.getElementById('view-compare').hidden");
    // Differences of 10, 13, 7 and -10: their standard error is 5.148, Student's quantile of three degrees of freedom 3.182.
    let first =
        page.value("[...document.querySelectorAll('#compare-part tbody tr')][0].cells[2].textContent");
    assert_eq!(first, "+5.00 (−11.38 … +21.38)");
    let wins = page.value("[...document.querySelectorAll('#compare-part table')[1].tBodies[0].rows[0].cells].map(cell => cell.textContent)");
    assert_eq!(wins, json!(["All chosen tasks", "1", "3", "0"]));
    assert_eq!(page.value("document.querySelectorAll('#compare-part .radar path.hue').length"), 2);
    let fragment = hash(&page);
    assert_eq!(fragment, "#models=org%2Fmodel-03&models=org%2Fmodel-07&view=compare");
    assert_eq!((page.requests(), page.complaints()), (Vec::new(), Vec::new()));
}

#[test]
fn tasks_are_sorted_by_any_column_and_a_task_shows_all_its_models() {
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "view=tasks", (1200, 900)) else { return };
    page.wait("document.querySelectorAll('#tasks-part tbody tr').length === 4");
    let first = || page.value("document.querySelector('#tasks-part tbody th').textContent");
    let sort = |title: &str| {
        page.value(&format!("[...document.querySelectorAll('#tasks-part th button')].find(each => each.textContent === '{title}').click()"))
    };
    sort("Task");
    assert_eq!(first(), "Banking77Classification");
    sort("Best score");
    assert_eq!(first(), "STSBenchmark");
    page.value("location.hash = 'view=task&task=STS12'");
    page.wait("!document.getElementById('view-task').hidden");
    let counts = page.value("[...document.querySelectorAll('#task-part details tbody tr')].map(row => Number(row.cells[1].textContent))");
    let counts: Vec<u64> = serde_json::from_value(counts).unwrap();
    assert_eq!(counts.iter().sum::<u64>(), 12, "every model is in one bin");
    assert!((3..=15).contains(&counts.len()), "{counts:?}");
}

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
