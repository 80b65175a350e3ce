//! What the page shows of the data itself: samples where the licence lets it, and texts on a map.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host};
use serde_json::{Value, json};

use super::browser::Page;

const HOSTILE: &str = "</script><img src=x onerror=window.broken=1>";

/// A task of pairs with a licence, or without, whose first text is meant to break the page.
fn write_task(root: &Path, name: &str, license: Option<&str>) {
    let folder = root.join(name);
    fs::create_dir_all(&folder).unwrap();
    let license = license.map_or_else(String::new, |license| format!("license = \"{license}\"\n"));
    let card = format!(
        "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n{license}[dataset]\npath = \"pairs.csv\"\n"
    );
    fs::write(folder.join("card.toml"), card).unwrap();
    let long = "kata ".repeat(2_000);
    let pairs =
        format!("sentence1,sentence2,score\n{HOSTILE},{name} b,1.0\n{long},b c,3.0\nb c,b,2.0\nd,e f,2.5\n");
    fs::write(folder.join("pairs.csv"), pairs).unwrap();
}

/// A registry `mine.toml` of three tasks with results of two models.
fn score_registry() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, license) in [("Open", Some("cc-by-4.0")), ("Closed", Some("cc-by-nc-4.0")), ("Silent", None)] {
        write_task(root.path(), name, license);
    }
    let cards = "schema = 1\nname = \"mine\"\ncards = [\"Open/card.toml\", \"Closed/card.toml\", \"Silent/card.toml\"]\n";
    fs::write(root.path().join("mine.toml"), cards).unwrap();
    for model in ["hashing", "random"] {
        run(root.path(), &["run", "--quiet", "--registry", "mine.toml", "--model", model]);
    }
    root
}

fn run(root: &Path, args: &[&str]) -> String {
    let run = Run::of(host(root).args(args)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

fn report(root: &Path, more: &[&str]) -> PathBuf {
    let args = [&["report", "--registry", "mine.toml", "--output", "out"][..], more].concat();
    root.join(run(root, &args).trim())
}

#[test]
fn a_task_shows_samples_where_the_licence_lets_it_and_says_why_where_not() {
    let root = score_registry();
    let file = report(root.path(), &["--samples", "2"]);
    let Some(page) = Page::open(&file, "view=task&task=Open", (400, 900)) else { return };
    page.wait("document.querySelectorAll('#task-part .sample').length === 2");
    let cells = page.value("[...document.querySelectorAll('#task-part .sample')].map(each => [...each.querySelectorAll('dd')].map(cell => cell.textContent))");
    assert_eq!(cells[0][0], HOSTILE, "text stays text");
    // The third row is the second of two at equal steps.
    assert_eq!(cells[1], json!(["b c", "b", "2.0"]));
    assert_eq!(page.value("[window.broken ?? null, document.images.length]"), json!([null, 0]));
    assert_eq!(page.value("document.documentElement.scrollWidth"), 400);
    let why = |task: &str| {
        page.value(&format!("location.hash = 'view=task&task={task}'"));
        page.wait(&format!("document.querySelector('#task-part h2').textContent === '{task}'"));
        page.value("document.querySelectorAll('#task-part .sample').length").to_string()
            + " "
            + page.value("[...document.querySelectorAll('#task-part h3')].find(each => each.textContent === 'Samples').nextSibling.textContent").as_str().unwrap()
    };
    assert!(why("Closed").starts_with("0 Not shown: the licence (cc-by-nc-4.0)"), "{}", why("Closed"));
    assert!(
        why("Silent").starts_with("0 Not shown: the card of the task states no licence"),
        "{}",
        why("Silent")
    );
    assert_eq!((page.requests(), page.complaints()), (Vec::new(), Vec::new()));
    // What a licence keeps from the page is nowhere in its file, and a long text is cut.
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("Open b") && !text.contains("Closed b") && !text.contains("Silent b"));
    assert!(!text.contains(&"kata ".repeat(100)));
    let none = fs::read_to_string(report(root.path(), &["--samples", "0"])).unwrap();
    assert!(!none.contains("Open b"));
}

#[test]
fn a_map_says_each_text_to_pointer_and_keyboard_and_which_labels_are_confused() {
    let root = tempfile::tempdir().unwrap();
    let task = ["--registry", "indonesia", "--task", "IndonesianNewsTopic"];
    run(root.path(), &[&["run", "--quiet", "--model", "hashing"][..], &task].concat());
    let map = ["report", "--output", "out", "--map", "IndonesianNewsTopic", "--map-model", "hashing"];
    let file = root.path().join(run(root.path(), &[&map[..], &task].concat()).trim());
    let Some(page) = Page::open(&file, "view=map", (1000, 900)) else { return };
    page.wait("document.querySelectorAll('#map-part g.dot').length > 20");
    // A map that is as wide as its place is not drawn again under the pointer.
    page.wait("(plot => plot.drawnFor === plot.clientWidth)(document.querySelector('#map-part .plot'))");
    let dots = page.value("document.querySelectorAll('#map-part g.dot').length").as_u64().unwrap();
    page.point("#map-part g.dot:last-of-type path");
    page.wait("!document.getElementById('tip').hidden");
    let said = page.value("document.getElementById('tip').textContent");
    assert!(said.as_str().unwrap().contains(" · "), "{said}");
    // Texts of other labels fade.
    assert!(page.value("document.querySelectorAll('#map-part g.dot.faint').length").as_u64().unwrap() > 0);
    page.value("document.querySelector('#map-part g.dot[tabindex=\"0\"]').focus()");
    page.press("ArrowRight");
    let focused = page.value("document.activeElement.getAttribute('aria-label')");
    assert_eq!(focused, page.value("document.getElementById('tip').textContent"));
    assert_eq!(page.value("document.querySelectorAll('#map-part g.dot[tabindex=\"0\"]').length"), 1);
    // For readers of screens: the labels that are confused, and every text.
    let sum = page.value("[...document.querySelectorAll('#map-part tbody')[0].rows].reduce((sum, row) => sum + Number(row.cells[1].textContent), 0)");
    assert_eq!(sum, json!(dots));
    page.value("document.querySelector('#map-part details').open = true");
    page.wait(&format!("document.querySelectorAll('#map-part details tbody tr').length === {dots}"));
    page.resize((400, 900));
    page.wait("document.querySelector('#map-part svg').getBoundingClientRect().width <= 400");
    assert_eq!(page.value("document.documentElement.scrollWidth"), 400);
    assert_eq!((page.requests(), page.complaints()), (Vec::new(), Vec::new()));
    let unknown = [&["report", "--map", "Nobody", "--map-model", "hashing"][..], &task[..2]].concat();
    assert_eq!(Run::of(host(root.path()).args(unknown)).unwrap().code, Some(2));
}

#[test]
fn a_registry_brings_a_language_of_the_page_and_what_it_lacks_is_english() {
    let root = score_registry();
    fs::create_dir(root.path().join("page")).unwrap();
    let own = format!(
        "schema = 1\nname = \"Basa Jawa {HOSTILE}\"\n[texts]\nboard = \"Papan {HOSTILE}\"\nshown = \"{{n}} saka {{all}} model\"\n"
    );
    fs::write(root.path().join("page/jv.toml"), &own).unwrap();
    let file = report(root.path(), &["--page-language", "jv"]);
    let Some(page) = Page::open(&file, "", (1000, 800)) else { return };
    page.wait("document.getElementById('count').textContent.length > 0");
    assert_eq!(page.value("document.documentElement.lang"), "jv");
    assert_eq!(page.value("document.getElementById('count').textContent"), "2 saka 2 model");
    let nav =
        |view: &str| page.value(&format!("document.querySelector('nav a[data-view={view}]').textContent"));
    assert_eq!((nav("board"), nav("tasks")), (json!(format!("Papan {HOSTILE}")), json!("Tasks")));
    let languages =
        page.value("[...document.getElementById('page-language').options].map(each => each.value)");
    assert_eq!(languages, json!(["en", "id", "jv"]));
    page.value("location.hash = 'lang=id'");
    page.wait("document.documentElement.lang === 'id'");
    assert_eq!(nav("board"), "Papan peringkat");
    assert_eq!(page.value("[window.broken ?? null, document.images.length]"), json!([Value::Null, 0]));
    assert_eq!((page.requests(), page.complaints()), (Vec::new(), Vec::new()));

    // `validate` names what is missing, and what no page shows.
    let validate = || Run::of(host(root.path()).args(["validate", "mine.toml"])).unwrap();
    let found = validate();
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    assert!(
        found.stderr.contains("page/jv.toml:3:2: ") && found.stderr.contains(" stay English: "),
        "{}",
        found.stderr
    );
    assert!(found.stderr.contains(", tasks,") && !found.stderr.contains(" board,"), "{}", found.stderr);
    fs::write(root.path().join("page/jv.toml"), own.replace("board", "bord").replace("{n} saka", "saka"))
        .unwrap();
    let found = validate();
    assert_eq!(found.code, Some(2), "{}", found.stderr);
    assert!(found.stderr.contains("found: bord (near it: board"), "{}", found.stderr);
    assert!(
        found.stderr.contains("expected these places to be filled: {all}, {n}; found: {all}"),
        "{}",
        found.stderr
    );
    // Such a file is left out, and a page cannot open in it.
    let refused = ["report", "--registry", "mine.toml", "--page-language", "jv"];
    let refused = Run::of(host(root.path()).args(refused)).unwrap();
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("expected one of en, id, found: jv"), "{}", refused.stderr);
    // A folder with such a file has no odd file in it.
    fs::write(root.path().join("page/jv.toml"), &own).unwrap();
    let folder = Run::of(host(root.path()).args(["validate", "."])).unwrap();
    assert!(folder.code == Some(0) && !folder.stderr.contains("neither a card"), "{}", folder.stderr);
}
