//! axe-core finds nothing wrong with any view, light or dark.

use std::path::PathBuf;

use mteb_host_tests::{absent, root};
use serde_json::json;

use super::browser::Page;
use super::graded::graded;
use super::results::{VIEWS, twelve};

/// The script of axe-core, which `cargo xtask test` fetches from npm.
fn axe() -> Option<String> {
    let file = std::env::var_os("MTEB_AXE")
        .map_or_else(|| root().join("target/axe/package/axe.min.js"), PathBuf::from);
    let text = std::fs::read_to_string(&file).ok();
    if text.is_none() {
        absent(format!("no {}, which `cargo xtask test` fetches", file.display()));
    }
    text
}

#[test]
fn every_view_is_usable_with_a_screen_reader_and_has_contrast() {
    let Some(axe) = axe() else { return };
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "", (1200, 900)) else { return };
    check(&page, &axe, &VIEWS);
    for dialog in ["drawer", "export"] {
        page.value("location.hash = 'view=board&type=STS'");
        page.value(&format!("document.getElementById('{dialog}-open').click()"));
        assert_eq!(page.value(RUN), json!([]), "{dialog}");
        page.value(&format!("document.querySelector('#{dialog} [data-close]').click()"));
    }
}

#[test]
fn so_is_the_view_of_graded_relevance() {
    let Some(axe) = axe() else { return };
    let (_root, file) = graded();
    let Some(page) = Page::open(&file, "", (1200, 900)) else { return };
    check(&page, &axe, &["graded", "graded&gbase=mteb-host%2Fhashing&gk=3&gjudge=0"]);
}

/// What axe-core finds, and where.
const RUN: &str = "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.map(each => \
                   [each.id, each.nodes.map(node => node.html.slice(0, 120)).slice(0, 3)]))";

fn check(page: &Page, axe: &str, views: &[&str]) {
    page.wait("document.getElementById('count').textContent.length > 0");
    page.run(axe);
    for theme in ["light", "dark"] {
        page.prefer(theme);
        for view in views {
            page.value(&format!("location.hash = 'view={view}&theme={theme}'"));
            std::thread::sleep(std::time::Duration::from_millis(50));
            assert_eq!(page.value(RUN), json!([]), "{theme}, {view}");
        }
    }
}
