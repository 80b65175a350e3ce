//! What an author of a plugin asks of the host before anybody else does: is it sound, what does it print, why is it refused.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host, trust, write_pair_card, write_pairs};

fn check(plugin: &str, variables: &[(&str, &str)], more: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let file = faulty_plugin(plugin, folder.path()).unwrap();
    let mut command = host(folder.path());
    command.args(["plugins", "check"]).arg(file).args(more).envs(variables.iter().copied());
    Run::of(&mut command).unwrap()
}

#[test]
fn the_rows_of_a_pack_are_read_as_a_run_reads_them() {
    let sound = check("narrow_pack", &[], &[]);
    assert_eq!((sound.code, sound.stderr.as_str()), (Some(0), ""));
    let column = check("narrow_pack", &[("MTEB_PLUGIN_FAULT", "column")], &[]);
    assert_eq!(column.code, Some(1));
    assert!(column.stderr.contains("task Narrow, split test, subset default: "), "{}", column.stderr);
    assert!(
        column.stderr.contains("no column `sentence2`; its columns are sentence1, sentence_2, score"),
        "{}",
        column.stderr
    );
    let card = check("narrow_pack", &[("MTEB_PLUGIN_FAULT", "card")], &[]);
    assert_eq!(card.code, Some(1));
    assert!(card.stderr.contains("narrow-pack/Narrow:5:1: unknown key `langages`"), "{}", card.stderr);
}

#[test]
fn scores_and_methods_of_a_pack_are_tried() {
    let faults = [
        ("score", "task Narrow: score of a type that the host scores: expected UNSUPPORTED, found an answer"),
        ("method", "task Narrow: call of `echo`, which the manifest lists: expected an answer, found: "),
        (
            "any-method",
            "task Narrow: call of a method that the manifest does not list: expected UNSUPPORTED, found an answer",
        ),
    ];
    for (fault, line) in faults {
        let run = check("narrow_pack", &[("MTEB_PLUGIN_FAULT", fault)], &[]);
        assert_eq!(run.code, Some(1), "{fault}");
        assert!(run.stderr.contains(line), "{fault}: {}", run.stderr);
    }
}

#[test]
fn a_model_whose_name_is_a_pattern_is_run_where_it_is_named() {
    let unnamed = check("changing_model", &[], &[]);
    assert_eq!(unnamed.code, Some(0), "{}", unnamed.stderr);
    assert!(
        unnamed.stderr.contains("for these name patterns: changing-*; `--model NAME` runs one"),
        "{}",
        unnamed.stderr
    );
    let sound = check("changing_model", &[], &["--model", "changing-x"]);
    assert_eq!((sound.code, sound.stderr.as_str()), (Some(0), ""));
    let empty = check("changing_model", &[("MTEB_PLUGIN_DIMENSION", "0")], &["--model", "changing-x"]);
    assert_eq!(empty.code, Some(1));
    assert!(empty.stderr.contains("model changing-x: dimension: expected at least 1"), "{}", empty.stderr);
    let other = check("changing_model", &[], &["--model", "letters"]);
    assert!(other.stderr.contains("expected a model that the plugin provides ("), "{}", other.stderr);
}

#[test]
fn a_plugin_that_does_not_answer_in_time_ends_the_check() {
    let late = check("changing_model", &[("MTEB_PLUGIN_LOAD", "600000")], &["--plugin-timeout", "1"]);
    assert_eq!(late.code, Some(1));
    assert!(late.stderr.contains("gave no answer for 1 s, and was ended"), "{}", late.stderr);
    assert!(late.stderr.contains("needs a longer `--plugin-timeout`"), "{}", late.stderr);
}

#[test]
fn what_a_plugin_prints_is_shown_where_more_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("faulty_model", &plugins).unwrap();
    trust(folder.path(), &plugins).unwrap();
    write_pair_card(folder.path(), "Talk", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("PRINT", "b c", 1.0), ("d e f", "d e", 4.0), ("b c", "b", 2.0)])
        .unwrap();
    let run = |more: &str| {
        let mut command = host(folder.path());
        command.args([
            "run",
            "--registry",
            "task.toml",
            "--model",
            "faulty",
            "--overwrite",
            "always",
            "--no-cache",
        ]);
        Run::of(command.args(["--plugin-dir", "plugins", more])).unwrap()
    };
    let line = "libfaulty_model.so printed: a plugin may print to standard output\n";
    let said = run("--verbose");
    assert!(said.code == Some(0) && said.stderr.contains(line), "{}", said.stderr);
    let said = run("--json");
    assert!(said.code == Some(0) && !said.stderr.contains("printed"), "{}", said.stderr);
}

#[test]
fn advice_on_a_locked_folder_leads_on() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("faulty_model", &plugins).unwrap();
    trust(folder.path(), &plugins).unwrap();
    faulty_plugin("no_plugin", &plugins).unwrap();
    let list = |more: &[&str]| {
        Run::of(host(folder.path()).args(["plugins", "list", "--plugin-dir", "plugins"]).args(more)).unwrap()
    };
    let stray = list(&[]);
    assert_eq!(stray.code, Some(3));
    let expected = "libno_plugin.so: expected a plugin, found a file that exports none; remove it";
    assert!(stray.stderr.contains(expected), "{}", stray.stderr);
    fs::remove_file(plugins.join("libno_plugin.so")).unwrap();
    let file = plugins.join("libfaulty_model.so");
    let mut bytes = fs::read(&file).unwrap();
    bytes.push(0);
    fs::write(&file, bytes).unwrap();
    let changed = list(&[]);
    let (_, found) = changed.stderr.split_once(", found ").unwrap();
    let trusted = list(&["--trust-plugin", &found[..64]]);
    assert!(trusted.stderr.contains("(`--trust-plugin` does not change that lock)"), "{}", trusted.stderr);
    let run = run_faulty(folder.path());
    let line = "error: expected a model that a plugin provides, found: faulty; a refused plugin may provide it \
                (`mteb-host doctor` says what to do): ";
    assert!(run.code == Some(3) && run.stderr.contains(line), "{}", run.stderr);
}

#[test]
fn a_file_that_is_cut_off_is_refused_before_it_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let file = faulty_plugin("faulty_model", folder.path()).unwrap();
    let bytes = fs::read(&file).unwrap();
    for kept in [bytes.len() / 2, 4096] {
        fs::write(&file, &bytes[..kept]).unwrap();
        let run = Run::of(host(folder.path()).args(["plugins", "check"]).arg(&file)).unwrap();
        let said = "expected a plugin, found a file that exports none, or that is cut off; end its crate with `export_model!` or `export_task_pack!`, or copy it again";
        assert!(run.code == Some(3) && run.stderr.contains(said), "{:?} {}", run.code, run.stderr);
    }
}

#[test]
fn a_model_near_the_one_that_is_asked_for_is_named_beside_what_was_refused() {
    let folder = tempfile::tempdir().unwrap();
    faulty_plugin("faulty_model", &folder.path().join("plugins")).unwrap();
    write_pair_card(folder.path(), "Talk", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a", "b c", 1.0), ("d e f", "d e", 4.0)]).unwrap();
    let arguments = ["run", "--registry", "task.toml", "--model", "hashin", "--plugin-dir", "plugins"];
    let run = Run::of(host(folder.path()).args(arguments)).unwrap();
    let line = "expected a model that a plugin provides, found: hashin (near it: hashing, mteb-host/hashing); a \
                refused plugin may provide it (`mteb-host doctor` says what to do): ";
    assert!(run.code == Some(3) && run.stderr.contains(line), "{}", run.stderr);
}

fn run_faulty(folder: &Path) -> Run {
    write_pair_card(folder, "Talk", &["ind"]).unwrap();
    write_pairs(folder, "ind", [("a", "b c", 1.0), ("d e f", "d e", 4.0)]).unwrap();
    let arguments = ["run", "--registry", "task.toml", "--model", "faulty", "--plugin-dir", "plugins"];
    Run::of(host(folder).args(arguments)).unwrap()
}

#[test]
fn an_empty_folder_is_not_locked() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("plugins")).unwrap();
    let lock = Run::of(host(folder.path()).args(["plugins", "lock", "--plugin-dir", "plugins"])).unwrap();
    assert_eq!((lock.code, lock.stdout.as_str()), (Some(1), ""));
    assert!(
        lock.stderr.contains("plugins: cannot lock: expected plugins (`NAME.so`) in the folder, found none"),
        "{}",
        lock.stderr
    );
}

#[test]
fn what_is_no_lock_of_ours_is_not_replaced_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("faulty_model", &plugins).unwrap();
    let file = plugins.join("plugins.lock");
    let lock = || Run::of(host(folder.path()).args(["plugins", "lock", "--plugin-dir", "plugins"])).unwrap();
    let own = folder.path().join("own");
    for text in ["my notes\n", "", "[package]\nname = \"mine\"\n", "schema = 2\n"] {
        fs::write(&file, text).unwrap();
        let run = lock();
        let said = "plugins.lock: expected a lock file, found another: ";
        assert!(run.code == Some(1) && run.stderr.contains(said), "{text:?}: {:?} {}", run.code, run.stderr);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        assert!(!folder.path().join("data/plugins.lock").exists(), "nothing is trusted that is not locked");
    }
    fs::remove_file(&file).unwrap();
    fs::write(&own, "schema = 1\n").unwrap();
    std::os::unix::fs::symlink(&own, &file).unwrap();
    let run = lock();
    assert!(
        run.code == Some(1) && run.stderr.contains("expected a regular file, found a link"),
        "{}",
        run.stderr
    );
    assert!(file.is_symlink());
    fs::remove_file(&file).unwrap();
    for _ in 0..2 {
        assert_eq!(lock().code, Some(0));
    }
    assert!(fs::read_to_string(&file).unwrap().contains("libfaulty_model.so"));
}
