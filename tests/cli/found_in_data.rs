//! `validate --data`: contradictions, Unicode forms, near duplicates across splits, and texts that stand in datasets of the hub cache.

use std::fs;

use mteb_host_tests::{Run, host};

use super::task::Task;

/// A classification with these training and test rows.
fn labelled(train: &str, test: &str) -> Task {
    let header = "text,label\n";
    let rows = |text: &str| format!("{header}{text}");
    Task::of("Classification", ".", &[("train.csv", &rows(train)), ("test.csv", &rows(test))])
}

#[test]
fn contradictions_of_rows_are_warned_of() {
    let train = "hujan turun lagi,cuaca\nmacet lagi di kota,jalan\nudara dingin pagi ini,cuaca\njembatan ditutup besok,jalan\n";
    let test = "angin kencang sekali,cuaca\nHujan turun  lagi,jalan\ntruk mogok di tol,jalan\ncerah sepanjang hari,cuaca\n";
    let gate = labelled(train, test).validate();
    assert_eq!(gate.code, Some(0), "{}", gate.stderr);
    let expected = "1 text has rows that contradict each other, the first in test row 3 and train row 2: the same text with the labels \
                    cuaca and jalan: “hujan turun lagi”";
    assert!(gate.stderr.contains(expected), "{}", gate.stderr);
}

#[test]
fn rows_repeated_in_another_unicode_form_and_leaked_ones_are_found() {
    let train = "cafe\u{301} di kota ramai,a\nrumah makan sepi,b\nbioskop penuh,a\ntaman kosong,b\n";
    let test = "café di kota ramai,a\nnaïve sekali dia,b\nnai\u{308}ve sekali dia,b\npasar tutup,a\n";
    let gate = labelled(train, test).validate();
    assert_eq!(gate.code, Some(0), "{}", gate.stderr);
    assert!(gate.stderr.contains("1 training text among the evaluation texts"), "{}", gate.stderr);
    assert!(
        gate.stderr.contains("letters of `text` are written in several Unicode forms: 1 of 3 texts"),
        "{}",
        gate.stderr
    );
    let declared = labelled(train, test).with("[quality]\nother_languages = [\"eng\"]").validate();
    assert_eq!(declared.code, Some(1));
    assert!(declared.stderr.contains("written in several Unicode forms"), "{}", declared.stderr);
}

#[test]
fn near_duplicates_across_splits_are_found_in_scripts_without_spaces() {
    let train =
        "วันนี้อากาศดีมากที่กรุงเทพมหานครและปริมณฑล,a\nรถติดมากบนถนนสายหลัก,b\nฝนตกหนักทางภาคใต้,a\nสะพานปิดซ่อมพรุ่งนี้,b\n";
    let test = "วันนี้อากาศดีมากที่กรุงเทพมหานครและปริมณฑลๆ,a\nรถเสียกลางทางด่วน,b\nลมแรงทั้งวัน,a\nถนนลื่นระวัง,b\n";
    let gate = labelled(train, test).validate();
    assert_eq!(gate.code, Some(0), "{}", gate.stderr);
    assert!(
        gate.stderr.contains("1 evaluation text is nearly the same as training texts"),
        "{}",
        gate.stderr
    );
}

#[test]
fn evaluation_texts_in_datasets_of_the_hub_cache_are_named_offline() {
    let test = "Harga beras di pasar tradisional Jakarta naik lagi pada pekan ini karena hujan.,a\nIa pergi ke pasar bersama ibunya pada hari Minggu pagi yang cerah.,b\n";
    let train = "hujan turun lagi,a\nmacet lagi di kota,b\n";
    let task = labelled(train, test);
    let cached = "hub-cache/datasets--org--news/snapshots/0123456789012345678901234567890123456789";
    let rows = "{\"body\": \"BERITA: harga beras di pasar tradisional Jakarta naik lagi, pada pekan ini, karena hujan! Demikian.\"}\n";
    task.write(&format!("{cached}/data/train.jsonl"), rows);
    task.write(
        "hub-cache/datasets--org--other/snapshots/1/train.jsonl",
        "{\"body\": \"lain sama sekali\"}\n",
    );
    let gate = |more: &[&str]| {
        let mut command = host(task.folder());
        command.env("HF_HUB_CACHE", task.folder().join("hub-cache")).args([
            "validate",
            "--data",
            "card.toml",
        ]);
        Run::of(command.args(more)).unwrap()
    };
    let found = gate(&["--contamination", "--offline"]);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    let expected = "T: 1 of 2 evaluation texts are in the dataset org/news of the hub cache, the first: split test, subset default, row 2";
    assert!(found.stderr.contains(expected), "{}", found.stderr);
    assert!(found.stderr.contains("compared with 2 datasets"), "{}", found.stderr);
    let json = gate(&["--contamination", "--json"]).json().unwrap();
    assert_eq!(
        (&json["contamination"][0]["dataset"], &json["contamination"][0]["found"]),
        (&"org/news".into(), &1.into())
    );
    assert!(!gate(&[]).stderr.contains("org/news"));
    fs::write(task.folder().join(cached).join("data/train.jsonl"), "{\"body\": ").unwrap();
    let damaged = gate(&["--contamination"]);
    assert!(damaged.stderr.contains("org/news: a file is not compared: "), "{}", damaged.stderr);
}
