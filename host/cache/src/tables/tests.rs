//! Rows are the same, piece by piece, whether they were kept or not; and whatever happens to what is kept.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, thread};

use flate2::write::GzEncoder;
use mteb_data::{OpenRows, Parsing, Table, Wanted};
use tempfile::TempDir;

use super::*;

const PLENTY: ByteSize = ByteSize(1 << 30);

/// Files of every format with what changes from piece to piece: missing keys, mixed types, texts over lines.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut lines, mut list, mut csv) = (String::new(), String::from("["), String::from("_id,text,n\n"));
    for row in 0..40 {
        let more = match row {
            10 => ", \"title\": null",
            11.. => ", \"title\": \"ké\", \"any\": [1, {\"b\": -0.0, \"a\": 1e300}]",
            _ => "",
        };
        let number = if row < 20 { row.to_string() } else { format!("{row}.5") };
        let object = format!("{{\"_id\": \"d{row}\", \"text\": \"satu €\\n{row}\", \"n\": {number}{more}}}");
        lines += &format!("{object}\n{}", if row % 7 == 0 { "\n" } else { "" });
        list += &format!("{object}{}", if row < 39 { ",\n" } else { "]" });
        csv += &format!("{row},\"two\nlines {row}\",{}\n", if row < 30 { number } else { "word".to_owned() });
    }
    let mut zipped = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    zipped.write_all(lines.as_bytes()).unwrap();
    let zipped = zipped.finish().unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/data");
    let texts: [(&str, &[u8]); 5] = [
        ("a.jsonl", lines.as_bytes()),
        ("a.json", list.as_bytes()),
        ("a.csv", csv.as_bytes()),
        ("a.tsv", csv.as_bytes()),
        ("a.jsonl.gz", &zipped),
    ];
    let mut paths: Vec<PathBuf> = texts.iter().map(|(name, _)| folder.join(name)).collect();
    texts.iter().for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
    for entry in fs::read_dir(golden).unwrap().flatten() {
        if entry.path().extension().is_some_and(|ending| ending == "parquet") {
            paths.push(folder.join(entry.file_name()));
            fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
        }
    }
    assert!(paths.len() > 6);
    paths
}

/// All that can be seen of tables: cells, types, places, and what is said of a column that is not there.
fn seen(opener: &dyn OpenRows, path: &Path, wanted: &Wanted, limits: &[usize]) -> Vec<String> {
    let mut rows = match opener.open(path, wanted) {
        Ok(rows) => rows,
        Err(error) => return vec![error.to_string()],
    };
    let mut seen = Vec::new();
    for limit in limits.iter().chain(std::iter::repeat(limits.last().unwrap())) {
        let table = match rows.read_rows(*limit) {
            Ok(table) => table,
            Err(error) => {
                seen.push(error.to_string());
                return seen;
            }
        };
        seen.push(shown(&table));
        if table.rows() == 0 {
            return seen;
        }
    }
    seen
}

fn shown(table: &Table) -> String {
    let mut shown = table.column("none").unwrap_err().to_string();
    let names: Vec<&str> = table.names().collect();
    for name in names {
        let column = table.get(name).unwrap();
        let kind = format!("{column:?}").split('(').next().unwrap_or_default().to_owned();
        shown += &format!("\n{name} {kind} {}", table.memory());
        for row in 0..table.rows() {
            shown += &format!("\n{}: {}", table.location(row), column.value(row));
        }
    }
    shown
}

fn cache(folder: &TempDir) -> TableCache {
    TableCache::keeping(&folder.path().join("tables"), PLENTY, 1, Arc::new(Parsing))
}

fn entry(folder: &TempDir) -> PathBuf {
    rows::entries(&folder.path().join("tables")).pop().unwrap().path
}

fn named() -> Wanted {
    Wanted::Named(["_id".to_owned(), "text".to_owned()].into())
}

#[test]
fn rows_are_the_same_in_every_format_and_in_pieces_of_any_size() {
    for limits in [&[usize::MAX][..], &[3, 9, 11], &[100], &[1]] {
        for wanted in [Wanted::All, named()] {
            let folder = tempfile::tempdir().unwrap();
            for path in files(folder.path()) {
                let parsed = seen(&Parsing, &path, &wanted, limits);
                let cache = cache(&folder);
                let before = tables_info(&cache.0.root).files;
                assert_eq!(seen(&cache, &path, &wanted, limits), parsed, "first, {}", path.display());
                let kept = tables_info(&cache.0.root).files - before;
                assert_eq!(seen(&cache, &path, &wanted, limits), parsed, "kept, {}", path.display());
                assert_eq!(tables_info(&cache.0.root).files - before, kept);
                assert_eq!(cache.take_warnings(), Vec::<String>::new());
            }
            assert!(tables_info(&folder.path().join("tables")).files > 6);
            assert!(verify_tables(&folder.path().join("tables")).damaged.is_empty());
        }
    }
}

#[test]
fn who_asks_for_other_pieces_gets_what_a_reader_gives_them() {
    let folder = tempfile::tempdir().unwrap();
    for path in files(folder.path()) {
        let cache = cache(&folder);
        seen(&cache, &path, &Wanted::All, &[9, 5]);
        for limits in [&[9, 5][..], &[9, 6, 1], &[9, 100], &[9, 5, 5, 7]] {
            let parsed = seen(&Parsing, &path, &Wanted::All, limits);
            assert_eq!(seen(&cache, &path, &Wanted::All, limits), parsed, "{} {limits:?}", path.display());
        }
    }
}

#[test]
fn the_content_decides_and_not_the_name_or_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let cache = cache(&folder);
    let [one, other] = ["one.jsonl", "other.jsonl"].map(|name| folder.path().join(name));
    let check = |path: &Path| {
        let parsed = seen(&Parsing, path, &Wanted::All, &[10]);
        assert_eq!(seen(&cache, path, &Wanted::All, &[10]), parsed);
        tables_info(&cache.0.root).files
    };
    fs::write(&one, "{\"a\": \"x\"}\n").unwrap();
    fs::write(&other, "{\"a\": \"x\"}\n").unwrap();
    assert_eq!([check(&one), check(&other)], [1, 1], "one content");
    // The same length at the same time.
    let time = fs::metadata(&one).unwrap().modified().unwrap();
    fs::write(&one, "{\"a\": \"y\"}\n").unwrap();
    fs::File::options().append(true).open(&one).unwrap().set_modified(time).unwrap();
    assert_eq!(check(&one), 2);
    fs::rename(&one, folder.path().join("one.csv")).unwrap();
    assert_eq!(check(&folder.path().join("one.csv")), 3, "another format");
}

#[test]
fn a_hash_is_remembered_while_the_file_is_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    fs::write(&path, "{\"a\": \"x\"}\n").unwrap();
    let cache = cache(&folder);
    let stamps = cache.0.root.join(stamp::STAMPS);
    let hash = || stamp::content(&cache.0, &path, &fs::File::open(&path).unwrap()).unwrap().1;
    let count = || fs::read_dir(&stamps).map_or(0, Iterator::count);
    let first = hash();
    assert_eq!(count(), 0, "the file may change without a new time");
    thread::sleep(Duration::from_millis(3100));
    assert_eq!((hash(), count()), (first.clone(), 1));
    assert_eq!(hash(), first);
    fs::write(&path, "{\"a\": \"y\"}\n").unwrap();
    assert_ne!(hash(), first);
    stamp::remove_stale(&cache.0.root);
    assert_eq!(count(), 0);
}

#[test]
fn rows_of_a_file_with_a_fault_are_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let cache = cache(&folder);
    let path = folder.path().join("a.jsonl");
    fs::write(&path, "{\"a\": \"x\"}\n{\"a\": \n").unwrap();
    for _ in 0..2 {
        let found = seen(&cache, &path, &Wanted::All, &[1]);
        assert!(found.last().unwrap().contains("a.jsonl, line 2: expected a JSON object"), "{found:?}");
        assert_eq!(found, seen(&Parsing, &path, &Wanted::All, &[1]));
    }
    assert_eq!(tables_info(&cache.0.root).files, 0);
}

#[test]
fn what_is_damaged_is_said_removed_and_parsed_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = files(folder.path()).remove(0);
    let parsed = seen(&Parsing, &path, &Wanted::All, &[9]);
    seen(&cache(&folder), &path, &Wanted::All, &[9]);
    let whole = fs::read(entry(&folder)).unwrap();
    let flips = (0..whole.len()).step_by(97).map(|place| {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x20;
        bytes
    });
    let cuts = [0, 1, 55, 56, whole.len() / 2, whole.len() - 1].map(|length| whole[..length].to_vec());
    for (number, bytes) in flips.chain(cuts).chain([[&whole[..], b"more"].concat()]).enumerate() {
        // Replaced whole, as a map must not see its file change.
        let damaged = folder.path().join("damaged");
        fs::write(&damaged, &bytes).unwrap();
        fs::rename(&damaged, entry(&folder)).unwrap();
        let cache = cache(&folder);
        assert_eq!(seen(&cache, &path, &Wanted::All, &[9]), parsed, "{number}");
        let warnings = cache.take_warnings();
        let is_padding = warnings.is_empty() && fs::read(entry(&folder)).unwrap() == bytes;
        assert!(is_padding || warnings[0].ends_with("a.jsonl is parsed again"), "{number}: {warnings:?}");
        if !is_padding {
            assert_eq!(fs::read(entry(&folder)).unwrap(), whole, "{number}");
        }
    }
}

#[test]
fn an_entry_under_the_name_of_another_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let cache = cache(&folder);
    let [one, other] = ["one", "other"].map(|text| {
        let path = folder.path().join(text).with_extension("jsonl");
        fs::write(&path, format!("{{\"a\": \"{text}\"}}\n")).unwrap();
        seen(&cache, &path, &Wanted::All, &[9]);
        path
    });
    let mut paths: Vec<PathBuf> = rows::entries(&cache.0.root).into_iter().map(|entry| entry.path).collect();
    paths.sort();
    fs::copy(&paths[0], folder.path().join("copy")).unwrap();
    fs::rename(folder.path().join("copy"), &paths[1]).unwrap();
    for path in [one, other] {
        assert_eq!(seen(&cache, &path, &Wanted::All, &[9]), seen(&Parsing, &path, &Wanted::All, &[9]));
    }
    let warnings = cache.take_warnings();
    assert!(warnings.len() == 1 && warnings[0].contains("expected the rows of "), "{warnings:?}");
}

#[test]
fn what_was_not_used_for_the_longest_time_goes_first() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("tables");
    let paths: Vec<PathBuf> = (0..3).map(|number| folder.path().join(format!("{number}.jsonl"))).collect();
    let mut limit = 1 << 30;
    for (number, path) in paths.iter().enumerate() {
        fs::write(path, format!("{{\"a\": \"{number}\"}}\n")).unwrap();
        seen(&TableCache::keeping(&root, ByteSize(limit), 1, Arc::new(Parsing)), path, &Wanted::All, &[9]);
        limit = 2 * tables_info(&root).bytes / (number as u64 + 1).min(2);
        for entry in rows::entries(&root) {
            let earlier = entry.used - Duration::from_secs(100);
            fs::File::open(entry.path).unwrap().set_modified(earlier).unwrap();
        }
        // The first one is used again and again.
        seen(
            &TableCache::keeping(&root, ByteSize(limit), 1, Arc::new(Parsing)),
            &paths[0],
            &Wanted::All,
            &[9],
        );
    }
    let left = rows::entries(&root);
    assert_eq!(left.len(), 2);
    let newest = left.iter().map(|entry| entry.used).max().unwrap();
    assert!(newest > mteb_base::calendar::now() - Duration::from_secs(50), "the first one is there");
    seen(&TableCache::keeping(&root, ByteSize(10), 1, Arc::new(Parsing)), &paths[1], &Wanted::All, &[9]);
    assert_eq!(tables_info(&root).files, 2, "what is larger than the limit costs nobody's place");
}

#[test]
fn a_cache_that_cannot_be_written_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let in_the_way = folder.path().join("tables");
    fs::write(&in_the_way, "a file").unwrap();
    let cache = TableCache::open(&in_the_way, PLENTY, Arc::new(Parsing));
    let cache = TableCache::keeping(&cache.0.root, PLENTY, 1, Arc::new(Parsing));
    for path in files(folder.path()) {
        assert_eq!(seen(&cache, &path, &Wanted::All, &[9]), seen(&Parsing, &path, &Wanted::All, &[9]));
    }
    let warnings = cache.take_warnings();
    assert!(warnings.len() == 1 && warnings[0].contains("cannot write parsed rows"), "{warnings:?}");
}

#[test]
fn two_readers_at_once_do_not_meet_and_a_removed_folder_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = files(folder.path()).remove(0);
    let parsed = seen(&Parsing, &path, &Wanted::All, &[9]);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(seen(&cache(&folder), &path, &Wanted::All, &[9]), parsed));
        }
    });
    assert_eq!(tables_info(&folder.path().join("tables")).files, 1);
    let cache = cache(&folder);
    let mut rows = cache.open(&path, &Wanted::All).unwrap();
    let first = rows.read_rows(9).unwrap();
    assert!(clear_tables(&cache.0.root).unwrap() > 0);
    assert_eq!(rows.read_rows(9).unwrap().rows(), 9, "an open entry stays");
    assert_eq!(first.rows(), 9);
    assert_eq!(seen(&cache, &path, &Wanted::All, &[9]), parsed);
    assert_eq!(cache.take_warnings(), Vec::<String>::new());
}

#[test]
fn nobody_may_read_kept_rows_who_may_not_read_the_data() {
    for (of_data, of_rows) in [(0o600, 0o600), (0o640, 0o640), (0o444, 0o644), (0o777, 0o644)] {
        let folder = tempfile::tempdir().unwrap();
        let path = files(folder.path()).remove(0);
        fs::set_permissions(&path, fs::Permissions::from_mode(of_data)).unwrap();
        seen(&cache(&folder), &path, &Wanted::All, &[9]);
        let mode = fs::metadata(entry(&folder)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, of_rows, "{of_data:o}");
    }
}
