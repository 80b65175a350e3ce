//! Plugins that nobody has trusted, and the ways around the check.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use mteb_host_tests::{Run, faulty_plugin, host, host_binary, skip, trust, write_pair_card, write_pairs};

/// What the evil library says when its code runs.
const HAS_RUN: &str = "FOREIGN CODE HAS RUN";

#[test]
fn a_forged_entry_of_the_cache_names_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let installed = Installed::new(folder.path());
    let evil = faulty_plugin("evil", &folder.path().join("evil")).unwrap();
    assert!(installed.list().stdout.contains("faulty 1.0.0"));
    for entry in entries(&folder.path().join("cache/plugins")) {
        let text = fs::read_to_string(&entry).unwrap();
        let text = text.replace(&installed.plugin.display().to_string(), &evil.display().to_string());
        fs::write(&entry, text.replace(&sha256(&installed.plugin), &sha256(&evil))).unwrap();
    }
    let list = installed.list();
    assert!(list.stdout.contains("bin/plugins/libfaulty_model.so"), "{}", list.stdout);
    assert!(!list.stdout.contains("evil"), "{}", list.stdout);
}

#[test]
fn a_cache_that_others_can_write_says_nothing_of_plugins() {
    for mode in [0o777, 0o1777] {
        let folder = tempfile::tempdir().unwrap();
        let installed = Installed::new(folder.path());
        assert!(installed.list().stdout.contains("faulty 1.0.0"));
        for entry in entries(&folder.path().join("cache/plugins")) {
            let text = fs::read_to_string(&entry).unwrap();
            fs::write(&entry, text.replace("1.0.0", "6.6.6")).unwrap();
        }
        assert!(installed.list().stdout.contains("faulty 6.6.6"), "only the user can write there");
        set_mode(&folder.path().join("cache/plugins"), mode);
        let list = installed.list();
        assert!(list.stdout.contains("faulty 1.0.0"), "{mode:o}: {}", list.stdout);
    }
}

#[test]
fn a_list_of_trusted_plugins_that_others_can_write_trusts_nothing() {
    for (place, mode) in [("data", 0o777), ("data/plugins.lock", 0o666), (".", 0o777)] {
        let folder = tempfile::tempdir().unwrap();
        let plugins = folder.path().join("plugins");
        faulty_plugin("faulty_model", &plugins).unwrap();
        trust(folder.path(), &plugins).unwrap();
        set_mode(&folder.path().join(place), mode);
        let run =
            Run::of(host(folder.path()).args(["plugins", "list", "--plugin-dir"]).arg(&plugins)).unwrap();
        assert_eq!(run.code, Some(3), "{place}: {}", run.stderr);
        assert!(run.stderr.contains("found: everyone may write to "), "{place}: {}", run.stderr);
    }
}

#[test]
fn a_plugin_beside_the_executable_that_others_can_change_needs_trust() {
    let is_root = Run::of(Command::new("id").arg("-u")).unwrap().stdout.trim() == "0";
    if !is_root {
        return skip("only the administrator can give files to other users and groups");
    }
    let group_writes = |path: &Path| set_mode(path, 0o775);
    let foreign = |path: &Path| chown(path, Some(12345), None).unwrap();
    type Change<'a> = &'a dyn Fn(&Installed);
    // The way by links ends at a file that nobody else can change, and passes a folder in which all may put others.
    let by_open_folder = |of: &Installed, target: &str, passed: &str| {
        let (open, safe) = (of.folder.join("../open"), of.folder.join("../safe"));
        fs::create_dir_all(&open).unwrap();
        fs::create_dir_all(&safe).unwrap();
        set_mode(&safe, 0o755);
        fs::rename(&of.plugin, safe.join("libmoved.so")).unwrap();
        symlink(safe.join(target), open.join("link")).unwrap();
        symlink(of.folder.join("../open").join(passed), &of.plugin).unwrap();
        set_mode(&open, 0o777);
    };
    let changes: [(&str, Change); 8] = [
        ("a group (number 0) may write to", &|of| group_writes(&of.plugin)),
        ("a group (number 0) may write to", &|of| group_writes(&of.folder.join("plugins"))),
        ("a group (number 0) may write to", &|of| group_writes(&of.folder)),
        ("belongs to another user (number 12345)", &|of| foreign(&of.plugin)),
        ("belongs to another user (number 12345)", &|of| foreign(&of.folder.join("plugins"))),
        ("everyone may write to", &|of| {
            let open = of.folder.join("../open/below");
            fs::create_dir_all(&open).unwrap();
            fs::rename(&of.plugin, open.join("libmoved.so")).unwrap();
            symlink("../../open/below/libmoved.so", &of.plugin).unwrap();
            set_mode(&of.folder.join("../open"), 0o777);
        }),
        ("everyone may write to", &|of| by_open_folder(of, "libmoved.so", "link")),
        ("everyone may write to", &|of| by_open_folder(of, "", "link/libmoved.so")),
    ];
    for (reason, change) in changes {
        let folder = tempfile::tempdir().unwrap();
        let installed = Installed::new(folder.path());
        assert!(installed.list().stdout.contains("faulty 1.0.0"));
        change(&installed);
        let list = installed.list();
        assert!(!list.stdout.contains("faulty"), "{reason}: {}", list.stdout);
        for said in ["(it is next to the executable, but ", reason] {
            assert!(list.stderr.contains(said), "{said}: {}", list.stderr);
        }
    }
}

#[test]
fn a_file_that_is_too_large_for_a_plugin_is_refused_unread() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    fs::create_dir(&plugins).unwrap();
    let large = plugins.join("libmteb_large.so");
    fs::File::create(&large).unwrap().set_len(6 << 30).unwrap();
    let run = Run::of(host(folder.path()).args(["plugins", "list", "--plugin-dir"]).arg(&plugins)).unwrap();
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    let said = format!(
        "error: plugin refused: {}: expected a plugin of at most 2147483648 bytes, found 6442450944; move it away\n",
        large.display()
    );
    assert!(run.stderr.contains(&said), "{}", run.stderr);
}

#[test]
fn relative_folders_of_the_desktop_are_no_places() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = host(folder.path());
    for (variable, value) in [("XDG_CACHE_HOME", "here"), ("XDG_DATA_HOME", "here"), ("HOME", "home")] {
        let value = if variable == "HOME" { folder.path().join(value) } else { value.into() };
        command.env(variable, value);
    }
    command.env_remove("MTEB_HOST_CACHE").env_remove("MTEB_HOST_DATA").arg("doctor");
    let said = Run::of(&mut command).unwrap().stdout;
    assert!(!folder.path().join("here").exists());
    assert!(said.contains(&folder.path().join("home/.cache/mteb-host").display().to_string()), "{said}");
}

#[test]
fn a_file_that_is_swapped_between_hash_and_load_never_runs() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    let plugin = faulty_plugin("faulty_model", &plugins).unwrap();
    trust(folder.path(), &plugins).unwrap();
    fs::remove_file(plugins.join("plugins.lock")).unwrap();
    let evil = faulty_plugin("evil", &folder.path().join("evil")).unwrap();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                for source in [&evil, &folder.path().join("good.so")] {
                    let new = folder.path().join("new.so");
                    let _ = fs::remove_file(&new);
                    if fs::hard_link(source, &new).is_ok() {
                        let _ = fs::rename(&new, &plugin);
                    }
                }
            }
        });
        let good = folder.path().join("good.so");
        faulty_plugin("faulty_model", &folder.path().join("copy")).unwrap();
        fs::rename(folder.path().join("copy/libfaulty_model.so"), good).unwrap();
        for _ in 0..40 {
            let _ = fs::remove_dir_all(folder.path().join("cache"));
            let mut list = host(folder.path());
            let run = Run::of(list.args(["plugins", "list", "--plugin-dir"]).arg(&plugins)).unwrap();
            is_over.store(run.stderr.contains(HAS_RUN), Ordering::Relaxed);
            if run.stderr.contains(HAS_RUN) {
                panic!("{}", run.stderr);
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
}

#[test]
fn trust_that_is_given_by_many_at_once_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let checksums: Vec<(PathBuf, String)> = (0..12_u8)
        .map(|number| {
            let plugins = folder.path().join(format!("plugins-{number}"));
            let file = faulty_plugin("faulty_model", &plugins).unwrap();
            let mut bytes = fs::read(&file).unwrap();
            bytes.push(number);
            fs::write(&file, bytes).unwrap();
            (plugins, sha256(&file))
        })
        .collect();
    let runs: Vec<_> = checksums
        .iter()
        .map(|(plugins, checksum)| {
            let mut command = host(folder.path());
            command.args(["plugins", "list", "--trust-plugin", checksum, "--plugin-dir"]).arg(plugins);
            command.stdout(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut run in runs {
        assert!(run.wait().unwrap().success());
    }
    let lock = fs::read_to_string(folder.path().join("data/plugins.lock")).unwrap();
    let kept = checksums.iter().filter(|(_, checksum)| lock.contains(checksum)).count();
    assert_eq!(kept, 12, "{lock}");
}

#[test]
fn a_worker_sees_no_secret_but_the_one_that_is_allowed_for_the_host_it_names() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Pairs", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("ENVIRONMENT", "b c", 1.0), ("d", "b c", 2.0)]).unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("faulty_model", &plugins).unwrap();
    trust(folder.path(), &plugins).unwrap();
    let run = |allow: &[&str]| {
        let mut command = host(folder.path());
        for name in ["HF_TOKEN", "FAULTY_API_KEY", "AWS_SECRET_ACCESS_KEY", "OMP_NUM_THREADS", "LC_ALL"] {
            command.env(name, "C");
        }
        command.args(["run", "--registry", "task.toml", "--model", "faulty", "--plugin-dir"]).arg(&plugins);
        let run = Run::of(command.args(allow)).unwrap();
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        run.stderr
    };
    let without = run(&[]);
    for name in [",LC_ALL,", ",OMP_NUM_THREADS,", ",PATH,"] {
        assert!(without.contains(name), "{name}: {without}");
    }
    for name in ["HF_TOKEN", "FAULTY_API_KEY", "AWS_"] {
        assert!(!without.contains(name), "{name}: {without}");
    }
    let elsewhere =
        run(&["--allow-env", "FAULTY_API_KEY=evil.example.org", "--allow-env", "HF_TOKEN=hub.example.org"]);
    assert!(!elsewhere.contains(",FAULTY_API_KEY,") && !elsewhere.contains(",HF_TOKEN,"), "{elsewhere}");
    // Leave that gives the plugin nothing is no silence: the command says for which host it asks.
    assert!(elsewhere.contains("add `--allow-env FAULTY_API_KEY=api.example.org`"), "{elsewhere}");
    assert!(run(&["--allow-env", "FAULTY_API_KEY=api.example.org"]).contains("FAULTY_API_KEY"));
    assert!(run(&[]).contains("FAULTY_API_KEY"), "it is kept");
    let list = Run::of(host(folder.path()).args(["plugins", "list"])).unwrap();
    let line = "Plugins that ask for FAULTY_API_KEY may send it to: api.example.org, evil.example.org";
    assert!(list.stdout.contains(line), "{}", list.stdout);
}

#[test]
fn a_link_in_the_place_of_the_lock_of_plugins_stays() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("data")).unwrap();
    std::os::unix::fs::symlink("elsewhere", folder.path().join("data/plugins.lock")).unwrap();
    let mut command = host(folder.path());
    let run = Run::of(command.args(["cache", "info", "--allow-env", "SOME_KEY=api.example.org"])).unwrap();
    assert!(run.stderr.contains("expected a regular file, found a link"), "{}", run.stderr);
    assert!(fs::symlink_metadata(folder.path().join("data/plugins.lock")).unwrap().is_symlink());
    assert!(!folder.path().join("data/elsewhere").exists());
}

#[test]
fn what_may_be_a_key_is_not_repeated() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["--allow-env", "sk-hunter2-key"][..],
        &["--allow-env", "sk-hunter2-key=api.example.org"],
        &["--model", "openai:m", "--url", "ftp://me:hunter2@127.0.0.1/v1"],
        &["--model", "openai:m", "--url", "http://me:hunter2/a@127.0.0.1/v1"],
    ] {
        let mut command = host(folder.path());
        let run = Run::of(command.args(["run", "--registry", "indonesia"]).args(arguments)).unwrap();
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains("expected") && !run.stderr.contains("hunter2"), "{}", run.stderr);
    }
}

#[test]
fn an_untrusted_plugin_in_the_users_own_folder_is_refused_with_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Pairs", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a", "b c", 1.0), ("d", "b c", 2.0), ("e f g", "b", 4.0)]).unwrap();
    faulty_plugin("faulty_model", &folder.path().join("data/plugins")).unwrap();
    for model in ["hashing", "faulty"] {
        let mut command = host(folder.path());
        let run = Run::of(command.args(["run", "--registry", "task.toml", "--model", model])).unwrap();
        assert_eq!(run.code, Some(3), "{model}: {}", run.stderr);
    }
}

#[test]
fn a_task_pack_that_was_refused_is_refused_with_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), "schema = 1\nname = \"mine\"\npacks = [\"faulty-pack\"]\n")
        .unwrap();
    let card = "schema = 1\nname = \"SoundTask\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\nplugin = \"faulty-pack\"\n";
    fs::write(folder.path().join("card.toml"), card).unwrap();
    let plugins = folder.path().join("packs");
    faulty_plugin("faulty_pack", &plugins).unwrap();
    let run = |arguments: &[&str]| {
        Run::of(host(folder.path()).args(arguments).args(["--plugin-dir", "packs"])).unwrap()
    };
    for arguments in [
        &["run", "--quiet", "--registry", "mine.toml"][..],
        &["run", "--quiet", "--registry", "card.toml"],
        &["run", "--quiet", "--registry", "mine.toml", "--task", "SoundTask"],
        &["list", "tasks", "--registry", "mine.toml"],
        &["show", "task", "SoundTask"],
        &["stats", "SoundTask", "--registry", "mine.toml"],
        &["leaderboard", "--registry", "mine.toml"],
        &["validate", "--data", "mine.toml"],
    ] {
        let run = run(arguments);
        assert_eq!(run.code, Some(3), "{arguments:?}: {}", run.stderr);
    }
    fs::write(folder.path().join("other.toml"), "schema = 1\nname = 7\n").unwrap();
    let faulty = run(&["leaderboard", "--registry", "other.toml"]);
    assert_eq!(faulty.code, Some(2), "a registry at fault is no refusal: {}", faulty.stderr);
}

#[test]
fn a_task_pack_beside_the_executable_that_was_refused_is_refused_with_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let installed = Installed::new(folder.path());
    let pack = faulty_plugin("faulty_pack", &installed.folder.join("plugins")).unwrap();
    set_mode(&pack, 0o777);
    fs::write(folder.path().join("mine.toml"), "schema = 1\nname = \"mine\"\npacks = [\"faulty-pack\"]\n")
        .unwrap();
    let run = |registry: &str| {
        let mut command = installed.command();
        Run::of(command.current_dir(folder.path()).args(["run", "--quiet", "--registry", registry])).unwrap()
    };
    let refused = run("mine.toml");
    assert_eq!(refused.code, Some(3), "{}", refused.stderr);
    fs::write(folder.path().join("other.toml"), "schema = 1\nname = 7\n").unwrap();
    assert_eq!(run("other.toml").code, Some(2), "a registry at fault is no refusal");
}

/// A host of its own with a plugin that was installed beside it.
struct Installed {
    folder: PathBuf,
    plugin: PathBuf,
    home: PathBuf,
}

impl Installed {
    fn new(home: &Path) -> Self {
        let folder = home.canonicalize().unwrap().join("bin");
        let plugin = faulty_plugin("faulty_model", &folder.join("plugins")).unwrap();
        fs::copy(host_binary(), folder.join("mteb-host")).unwrap();
        for path in [&folder, &folder.join("plugins"), &plugin] {
            set_mode(path, 0o755);
        }
        Self { folder, plugin, home: home.to_owned() }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.folder.join("mteb-host"));
        command.env("MTEB_HOST_DATA", self.home.join("data")).env("MTEB_HOST_CACHE", self.home.join("cache"));
        command
    }

    fn list(&self) -> Run {
        Run::of(self.command().args(["plugins", "list"])).unwrap()
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect()
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn sha256(file: &Path) -> String {
    let run = Run::of(Command::new("sha256sum").arg(file)).unwrap();
    run.stdout.split(' ').next().unwrap_or_default().to_owned()
}

#[test]
fn commands_of_the_cache_keep_what_they_are_told_to_allow() {
    for action in ["info", "verify", "clear"] {
        let folder = tempfile::tempdir().unwrap();
        let allow = ["cache", action, "--allow-env", "FAULTY_API_KEY=api.example.org"];
        let run = Run::of(host(folder.path()).args(allow)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let list = Run::of(host(folder.path()).args(["plugins", "list"])).unwrap();
        let line = "Plugins that ask for FAULTY_API_KEY may send it to: api.example.org";
        assert!(list.stdout.contains(line), "{action}: {}", list.stdout);
    }
}
