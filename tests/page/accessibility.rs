//! axe-core finds nothing wrong with any view, light or dark.

use std::path::PathBuf;

use headless_chrome::protocol::cdp::Emulation;
use mteb_host_tests::root;

use crate::browser::Page;
use crate::graded::graded;
use crate::results::{VIEWS, twelve};

/// The script of axe-core, which `cargo xtask test` fetches from npm.
fn axe() -> Option<String> {
    let file = std::env::var_os("MTEB_AXE")
        .map_or_else(|| root().join("target/axe/package/axe.min.js"), PathBuf::from);
    let text = std::fs::read_to_string(&file).ok();
    if text.is_none() {
        let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
        assert!(!in_ci, "{} is needed in CI: `cargo xtask test` fetches it", file.display());
        eprintln!("skipped: {} is absent", file.display());
    }
    text
}

#[test]
fn every_view_is_usable_with_a_screen_reader_and_has_contrast() {
    let Some(axe) = axe() else { return };
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "", (1200, 900)) else { return };
    check(&page, &axe, &VIEWS);
}

#[test]
fn so_is_the_view_of_graded_relevance() {
    let Some(axe) = axe() else { return };
    let (_root, file) = graded();
    let Some(page) = Page::open(&file, "", (1200, 900)) else { return };
    check(&page, &axe, &["graded", "graded&gbase=mteb-host%2Fhashing&gk=3&gjudge=0"]);
}

fn check(page: &Page, axe: &str, views: &[&str]) {
    page.wait("document.getElementById('count').textContent.length > 0");
    page.tab.evaluate(&format!("{axe}; 0"), false).unwrap();
    for theme in ["light", "dark"] {
        let feature =
            Emulation::MediaFeature { name: "prefers-color-scheme".to_owned(), value: theme.to_owned() };
        page.tab
            .call_method(Emulation::SetEmulatedMedia { media: None, features: Some(vec![feature]) })
            .unwrap();
        for view in views {
            page.value(&format!("location.hash = 'view={view}&theme={theme}'"));
            std::thread::sleep(std::time::Duration::from_millis(50));
            let run = "axe.run(document, {resultTypes: ['violations']}).then(found => JSON.stringify(found.violations.map(each => \
                       [each.id, each.nodes.map(node => node.html.slice(0, 120)).slice(0, 3)])))";
            let found = page.tab.evaluate(run, true).unwrap().value;
            assert_eq!(found.as_ref().and_then(|found| found.as_str()), Some("[]"), "{theme}, {view}");
        }
    }
}
