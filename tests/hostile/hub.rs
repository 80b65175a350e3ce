//! A hub that lies: about commits, lengths, hashes and pages.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use mteb_host_tests::{COMMIT, HASH, Lie, LyingHub, ROWS, Run, host};

const OTHER: &str = "89abcdef0123456789abcdef0123456789abcdef";

/// A user's folders beside a hub: `cache` is the host's, `ecosystem` the one that other tools share.
pub struct User {
    folder: tempfile::TempDir,
}

impl User {
    /// A user with a card of the hub's dataset, pinned.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Lies.toml"), card("Lies", COMMIT)).unwrap();
        Self { folder }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn command(&self, hub: &str, arguments: &[&str]) -> Command {
        let mut command = host(self.path());
        command.env("HF_ENDPOINT", hub).env("HF_HOME", self.path().join("ecosystem"));
        for variable in [
            "HF_TOKEN",
            "HF_HUB_OFFLINE",
            "HF_HUB_CACHE",
            "HF_HUB_DOWNLOAD_TIMEOUT",
            "http_proxy",
            "https_proxy",
            "all_proxy",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "REQUESTS_CA_BUNDLE",
            "CURL_CA_BUNDLE",
        ] {
            command.env_remove(variable);
        }
        command.args(arguments);
        command
    }

    fn run(&self, hub: &LyingHub, arguments: &[&str]) -> Run {
        Run::of(&mut self.command(&hub.address, arguments)).unwrap()
    }

    /// Fetches from a hub that tells this lie; those that are about silence are waited for only a second.
    fn fetch(&self, lie: Lie) -> Run {
        let seconds = if matches!(lie, Lie::Silent | Lie::Drips) { "1" } else { "30" };
        let hub = LyingHub::start(lie).unwrap();
        let mut command = self.command(&hub.address, &["fetch", "--quiet", "--registry", "Lies.toml"]);
        Run::of(command.env("HF_HUB_DOWNLOAD_TIMEOUT", seconds)).unwrap()
    }

    /// The folder of the dataset in the shared cache.
    fn dataset(&self) -> PathBuf {
        self.path().join("ecosystem/hub/datasets--lab--lies")
    }

    /// What the shared cache holds under the name of the file.
    pub fn file(&self) -> PathBuf {
        self.dataset().join("snapshots").join(COMMIT).join("test.csv")
    }
}

fn card(name: &str, revision: &str) -> String {
    format!(
        "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"Pairs of a hub.\"\n\
         languages = [\"ind-Latn\"]\n[dataset]\nhub = \"lab/lies\"\nrevision = \"{revision}\"\n"
    )
}

#[test]
fn an_honest_hub_brings_the_file() {
    let user = User::new();
    let run = user.fetch(Lie::Truth);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(fs::read_to_string(user.file()).unwrap(), ROWS);
}

#[test]
fn a_commit_that_leads_out_of_the_cache_touches_nothing() {
    for commit in ["../../../../ssh", "/etc", "..", "", "main", &COMMIT[..39], &format!("{COMMIT}0")] {
        let user = User::new();
        let foreign = user.path().join("ecosystem/ssh/test.csv");
        fs::create_dir_all(foreign.parent().unwrap()).unwrap();
        fs::write(&foreign, "ssh-ed25519 the user's own").unwrap();
        let run = user.fetch(Lie::Commit(commit.to_owned()));
        assert_eq!(run.code, Some(1), "{commit}: {}", run.stderr);
        assert_eq!(fs::read_to_string(&foreign).unwrap(), "ssh-ed25519 the user's own", "{commit}");
        assert!(foreign.symlink_metadata().unwrap().is_file(), "{commit}");
        assert!(run.stderr.contains("X-Repo-Commit"), "{commit}: {}", run.stderr);
        assert!(!run.stdout.contains("here"), "{commit}: {}", run.stdout);
    }
}

#[test]
fn the_commit_of_other_data_is_refused() {
    let user = User::new();
    let run = user.fetch(Lie::Commit(OTHER.to_owned()));
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    let said = format!(
        "test.csv: expected the commit {COMMIT} in `X-Repo-Commit` of the hub, found: {OTHER}; nothing of it was kept"
    );
    assert!(run.stderr.contains(&said), "{}", run.stderr);
    assert!(!user.dataset().join("snapshots").join(OTHER).exists());
}

#[test]
fn a_branch_that_stands_for_a_path_writes_no_note() {
    let user = User::new();
    for commit in ["../../../outside", "main", OTHER.split_at(39).0] {
        let hub = LyingHub::start(Lie::Commit(commit.to_owned())).unwrap();
        let run = user.run(&hub, &["fetch", "--quiet", "--model", "lab/lies"]);
        assert_eq!(run.code, Some(1), "{commit}: {}", run.stdout);
        assert!(run.stderr.contains("expected a commit of 40 hex digits"), "{}", run.stderr);
        assert!(!user.path().join("ecosystem/hub/models--lab--lies/refs").exists(), "{commit}");
    }
}

#[test]
fn a_revision_that_is_a_path_writes_no_note_there() {
    let user = User::new();
    let hub = LyingHub::start(Lie::Truth).unwrap();
    let outside = "../../../../outside";
    let run = user.run(&hub, &["fetch", "--quiet", "--model", "lab/lies", "--revision", outside]);
    assert_eq!((run.code, hub.asked()), (Some(1), 0), "{}", run.stdout);
    assert!(run.stderr.contains("expected a commit, a branch or a tag as the revision"), "{}", run.stderr);
    assert!(!user.path().join("outside").exists());
}

#[test]
fn a_damaged_note_of_a_branch_is_refused_offline() {
    let user = User::new();
    let note = user.path().join("ecosystem/hub/models--lab--lies/refs/main");
    fs::create_dir_all(note.parent().unwrap()).unwrap();
    fs::write(&note, "../../../outside").unwrap();
    let hub = LyingHub::start(Lie::Truth).unwrap();
    let run = user.run(&hub, &["fetch", "--quiet", "--offline", "--model", "lab/lies"]);
    assert_eq!((run.code, hub.asked()), (Some(1), 0));
    assert!(
        run.stderr.contains("refs/main: expected a commit of 40 hex digits, found: ../../../outside"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_is_not_the_caches_own_is_neither_followed_nor_replaced() {
    let user = User::new();
    let own = user.path().join("own.csv");
    let snapshot = user.file().parent().unwrap().to_owned();
    let make = |what: &dyn Fn(&Path)| {
        fs::write(&own, "the user's own").unwrap();
        let _ = fs::remove_dir_all(user.path().join("ecosystem"));
        fs::create_dir_all(&snapshot).unwrap();
        fs::create_dir_all(user.dataset().join("blobs")).unwrap();
        what(user.path());
        user.fetch(Lie::Truth)
    };
    let link = |path: PathBuf| symlink(&own, path).unwrap();
    let pipe = |path: PathBuf| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let blob = user.dataset().join("blobs").join(HASH);
    let part = user.dataset().join("blobs").join(format!("{HASH}.incomplete"));
    type Make<'a> = &'a dyn Fn(&Path);
    let cases: [(&str, Make, &str); 8] = [
        ("link for a file", &|_| link(user.file()), "own.csv"),
        ("folder for a file", &|_| fs::create_dir(user.file()).unwrap(), "found a folder"),
        ("pipe for a file", &|_| pipe(user.file()), "found a named pipe"),
        ("link for bytes", &|_| link(blob.clone()), "found a link"),
        ("pipe for bytes", &|_| pipe(blob.clone()), "found a named pipe"),
        ("link for a part", &|_| link(part.clone()), "found a link"),
        ("pipe for a part", &|_| pipe(part.clone()), "found a named pipe"),
        (
            "link for a folder",
            &|home| {
                fs::remove_dir(&snapshot).unwrap();
                symlink(home, &snapshot).unwrap();
            },
            "found a link",
        ),
    ];
    for (name, what, said) in cases {
        let run = make(what);
        assert_eq!(run.code, Some(1), "{name}: {}", run.stdout);
        assert!(run.stderr.contains(said), "{name}: {}", run.stderr);
        assert_eq!(fs::read_to_string(&own).unwrap(), "the user's own", "{name}");
        assert!(!user.path().join("test.csv").exists(), "{name}");
    }
}

#[test]
fn names_that_are_no_names_inside_the_repository_are_refused() {
    let long = "a".repeat(300);
    for name in ["../outside.csv", "/etc/outside.csv", "a\\..\\b.csv", "a\0b.csv", "a//b.csv", &long] {
        let user = User::new();
        let run = user.fetch(Lie::Names(vec!["test.csv".to_owned(), name.to_owned()]));
        assert_eq!(run.code, Some(1), "{name:?}: {}", run.stdout);
        let said = "expected paths of files inside the repository, found: ";
        assert!(run.stderr.contains(said), "{name:?}: {}", run.stderr);
    }
}

#[test]
fn names_of_bytes_that_are_paths_are_refused() {
    for etag in ["../../../outside", "a/b", "", &"a".repeat(200)] {
        let run = User::new().fetch(Lie::Etag(etag.to_owned()));
        assert_eq!(run.code, Some(1), "{etag}: {}", run.stdout);
        assert!(run.stderr.contains("`ETag`"), "{etag}: {}", run.stderr);
    }
}

#[test]
fn a_hub_without_hashes_is_said_and_its_sizes_are_checked() {
    let user = User::new();
    let run = user.fetch(Lie::Etag("abc-1".to_owned()));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let said = "warning: the hub gave no hash, so only the size was checked of: test.csv\n";
    assert_eq!(run.stderr, said);
    let run = User::new().fetch(Lie::ListedSize(7));
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    let said = format!("expected the 7 bytes of the list of files, found {} bytes announced", ROWS.len());
    assert!(run.stderr.contains(&said), "{}", run.stderr);
}

#[test]
fn bytes_without_a_hash_of_their_own_are_held_to_that_of_the_list() {
    let user = User::new();
    let run = user.fetch(Lie::ListedHashAlone("0".repeat(64)));
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    let said = format!("expected hash {}, found {HASH}", "0".repeat(64));
    assert!(run.stderr.contains(&said), "{}", run.stderr);
    let run = user.fetch(Lie::ListedHashAlone(HASH.to_owned()));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_part_that_is_announced_as_another_is_not_taken_for_the_beginning() {
    for range in ["bytes 1-9/99", "bytes some-of/them", "lines 1-2/5"] {
        let user = User::new();
        let blobs = user.dataset().join("blobs");
        fs::create_dir_all(&blobs).unwrap();
        fs::write(blobs.join(format!("{HASH}.incomplete")), &ROWS[..ROWS.len() / 2]).unwrap();
        let run = user.fetch(Lie::OtherPart(range.to_owned()));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{range}");
        assert_eq!(fs::read_to_string(user.file()).unwrap(), ROWS, "{range}");
    }
}

#[test]
fn a_hash_in_capitals_names_the_same_bytes_as_one_in_small_letters() {
    const UNDEFINED: &str = "warning: Lies, split test, subset default: the correlation is undefined: all cosine similarities are \
                             equal\n";
    let user = User::new();
    let hub = LyingHub::start(Lie::Etag(HASH.to_uppercase())).unwrap();
    let run = user.run(&hub, &["run", "--quiet", "--registry", "Lies.toml"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), UNDEFINED));
    assert!(user.dataset().join("blobs").join(HASH).is_file(), "as other tools call it");
    // What an earlier version has put there is no other file either.
    let user = User::new();
    let capitals = user.dataset().join("blobs").join(HASH.to_uppercase());
    fs::create_dir_all(capitals.parent().unwrap()).unwrap();
    fs::create_dir_all(user.file().parent().unwrap()).unwrap();
    fs::write(&capitals, ROWS).unwrap();
    symlink(Path::new("../../blobs").join(HASH.to_uppercase()), user.file()).unwrap();
    hub.tell(Lie::Truth);
    let run = user.run(&hub, &["run", "--quiet", "--registry", "Lies.toml"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), UNDEFINED));
}

#[test]
fn a_next_page_is_found_from_the_root_of_its_host() {
    let user = User::new();
    let run = user.fetch(Lie::PagesFromTheRoot);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(fs::read_to_string(user.file()).unwrap(), ROWS);
}

/// Each of them may be a split or a config of its own: what was looked for one by one took a minute for these.
#[test]
fn a_list_of_many_tables_that_no_part_needs_holds_nothing_up() {
    let user = User::new();
    let tables = (0..20_000).flat_map(|number| [format!("x{number}.csv"), format!("d{number}/x.csv")]);
    let names = tables.chain(["test.csv".to_owned()]).collect();
    let run = user.fetch(Lie::Names(names));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(fs::read_to_string(user.file()).unwrap(), ROWS);
}

#[test]
fn a_hub_without_end_or_form_is_left_with_one_line() {
    let cases = [
        (Lie::CutsAndStartsAnew, "gave up after "),
        (Lie::EndsEarly, "gave up after 6 attempts: broken off after 36 of 73 bytes"),
        (Lie::EndlessBody, "expected "),
        (Lie::Length(7), "found 7 bytes announced"),
        (Lie::Length(1 << 60), "bytes announced"),
        (Lie::Drips, "gave up after 6 attempts: "),
        (Lie::Silent, "cannot be reached: no answer within 1 seconds"),
        (Lie::EndlessPages, "expected at most 2000 pages, found more"),
        (Lie::EmptyPages, "its pages repeat without end"),
        (Lie::SamePage, "its pages repeat without end"),
        (Lie::Entries(1_000_001), "expected at most 1000000 files, found more"),
        (Lie::Redirects, "expected at most 8 redirects, found more"),
        (Lie::Compressed, "found `Content-Encoding: gzip`"),
        (Lie::PageForPeople, "expected JSON, found a web page (HTML)"),
        (Lie::FilesForPeople, "expected `X-Repo-Commit`, `ETag` and `Content-Length`"),
        (Lie::Status(500), "gave up after 6 attempts: the hub answered 500"),
        (Lie::Status(418), "the hub answered 418"),
    ];
    thread::scope(|scope| {
        for (lie, said) in cases {
            scope.spawn(move || {
                let user = User::new();
                let run = user.fetch(lie.clone());
                assert_eq!(run.code, Some(1), "{lie:?}: {}", run.stdout);
                assert_eq!(run.stderr.lines().count(), 1, "{lie:?}: {}", run.stderr);
                assert!(run.stderr.contains(said), "{lie:?}: {}", run.stderr);
                assert!(!user.file().exists(), "{lie:?}");
            });
        }
    });
}

#[test]
fn settings_that_cannot_be_are_named_and_ask_nobody() {
    let user = User::new();
    let hub = LyingHub::start(Lie::Truth).unwrap();
    for (variable, value, said) in [
        ("HF_TOKEN", "hf_secret\nX-Evil: 1", "`HF_TOKEN`: expected a token"),
        ("HF_TOKEN", "hf_secret\u{1}", "`HF_TOKEN`: expected a token"),
        (
            "HF_ENDPOINT",
            "huggingface.co",
            "`HF_ENDPOINT`: expected an address such as `https://huggingface.co`",
        ),
        ("HF_ENDPOINT", "http://hub\nX-Evil: 1", "`HF_ENDPOINT`: expected an address"),
        ("HF_ENDPOINT", "https://me:hf_secret@hub.example", "`HF_ENDPOINT`: expected an address"),
        ("HF_HUB_DOWNLOAD_TIMEOUT", "soon", "`HF_HUB_DOWNLOAD_TIMEOUT`: expected a number of seconds"),
    ] {
        let mut command = user.command(&hub.address, &["fetch", "--quiet", "--registry", "Lies.toml"]);
        let run = Run::of(command.env(variable, value)).unwrap();
        assert_eq!((run.code, hub.asked()), (Some(1), 0), "{value:?}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{value:?}: {}", run.stderr);
        assert!(!run.stderr.contains("secret"), "{}", run.stderr);
    }
}

#[test]
fn a_dead_network_is_one_line_and_data_that_is_here_is_used() {
    let user = User::new();
    assert_eq!(user.fetch(Lie::Truth).code, Some(0));
    let cards = user.path().join("cards");
    fs::create_dir(&cards).unwrap();
    fs::rename(user.path().join("Lies.toml"), cards.join("Lies.toml")).unwrap();
    for task in 0..20 {
        let card = card(&format!("Absent{task}"), &format!("{task:040}"));
        fs::write(cards.join(format!("Absent{task}.toml")), card).unwrap();
    }
    let names: Vec<String> = (0..20).map(|task| format!("\"Absent{task}\"")).collect();
    let registry = format!(
        "schema = 1\nname = \"all\"\ntitle = \"All\"\ncards = [\"cards\"]\ntasks = [\"Lies\", {}]\n",
        names.join(", ")
    );
    fs::write(user.path().join("all.toml"), registry).unwrap();
    let nobody = "http://127.0.0.1:9";
    let run = Run::of(&mut user.command(nobody, &["fetch", "--quiet", "--registry", "all.toml"])).unwrap();
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), "Lies: 1 unit was already downloaded\n"));
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(
        run.stderr.starts_with(&format!(
            "error: 20 units of Absent0, Absent1, Absent2 and 17 more: {nobody} cannot be reached: "
        )),
        "{}",
        run.stderr
    );

    let arguments = ["run", "--quiet", "--model", "hashing", "--registry", "all.toml"];
    let run = Run::of(&mut user.command(nobody, &arguments)).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let lines: Vec<&str> = run.stderr.lines().filter(|line| !line.starts_with("warning: ")).collect();
    assert_eq!(lines.len(), 3, "{}", run.stderr);
    assert!(lines[0].contains("Absent0, split test, subset default: "), "{}", run.stderr);
    assert_eq!(lines[1], "20 units failed, for the reasons above");
    let others =
        "  19 units of Absent1, Absent2, Absent3 and 16 more: same as Absent0, split test, subset default";
    assert_eq!(lines[2], others, "the cause itself is said once");
}
