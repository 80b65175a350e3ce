//! The system's `git`, told to ask nobody, to run nothing and to use one protocol.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::address::{Address, Protocol, Why};

/// Variables of git that the user may have set for networks and keys; all others are taken away.
const KEPT: [&str; 4] = ["GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSH", "GIT_SSH_COMMAND"];

/// Configuration of every call. That of the user and of the system is not read.
const CONFIGURATION: [&str; 12] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.askPass=",
    "credential.helper=",
    "credential.interactive=never",
    "protocol.allow=never",
    "transfer.fsckObjects=true",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "http.followRedirects=initial",
];

/// Below one byte per second for a minute a transfer ends.
const SLOWEST: [&str; 2] = ["http.lowSpeedLimit=1", "http.lowSpeedTime=60"];

/// Most bytes of what git says that are shown.
const SHOWN: usize = 400;

/// Calls git for one repository.
#[derive(Debug)]
pub struct Git {
    protocol: Protocol,
    /// The bare repository that objects are fetched into.
    objects: Option<PathBuf>,
}

/// One file of a commit, as `git ls-tree` lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeEntry {
    /// Six octal digits.
    pub mode: String,
    /// Hash of the content.
    pub object: String,
    /// Bytes; of what is no file none.
    pub size: Option<u64>,
    /// Path from the folder of the repository.
    pub path: String,
}

impl Git {
    /// Git for the repository at `address`.
    ///
    /// # Errors
    /// If there is no `git`.
    pub fn new(address: &Address) -> Result<Self, Why> {
        let git = Self { protocol: address.protocol, objects: None };
        match git.command().arg("--version").output() {
            Ok(found) if found.status.success() => Ok(git),
            Ok(_) => Err("expected the program `git`, found one that fails; install git".to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err("expected the program `git`, which fetches registries, found none; install git, or name a registry file \
                     of a copy"
                    .to_owned())
            }
            Err(error) => Err(format!("cannot start `git`: {error}")),
        }
    }

    /// The commits that `name` stands for now: a branch, a tag, `HEAD` or the first digits of the hash of one of them.
    ///
    /// # Errors
    /// If the repository cannot be asked.
    pub fn commits_named(&self, address: &Address, name: &str) -> Result<Vec<String>, Why> {
        let listed = said(self.command().args(["ls-remote", "--quiet", "--", &address.url]))?;
        let listed = String::from_utf8_lossy(&listed);
        let lines: Vec<(&str, &str)> = listed.lines().filter_map(|line| line.split_once('\t')).collect();
        // A tag of its own points to a commit, which stands in a line of its own.
        let peeled =
            [format!("refs/tags/{name}^{{}}"), format!("refs/heads/{name}"), format!("refs/tags/{name}")];
        let mut exact = peeled.iter().map(String::as_str).chain([name]);
        let line = |wanted: &str| lines.iter().find(|(_, reference)| *reference == wanted);
        if let Some((commit, _)) = exact.find_map(line) {
            return Ok(vec![(*commit).to_owned()]);
        }
        let is_short = name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let short = name.to_ascii_lowercase();
        let begin =
            lines.iter().map(|(commit, _)| *commit).filter(|commit| is_short && commit.starts_with(&short));
        let mut begin: Vec<String> = begin.map(str::to_owned).collect();
        begin.sort();
        begin.dedup();
        Ok(begin)
    }

    /// Fetches `commit` alone into a new bare repository `folder`. A server that gives no single commits gives all branches and tags.
    ///
    /// # Errors
    /// If the repository has no such commit, or cannot be reached.
    pub fn fetch(&mut self, folder: &Path, address: &Address, commit: &str) -> Result<(), Why> {
        let format = if commit.len() == 64 { "--object-format=sha256" } else { "--object-format=sha1" };
        said(self.command().args(["init", "--quiet", "--bare", "--template=", format, "--"]).arg(folder))?;
        self.objects = Some(folder.to_owned());
        let fetch = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"];
        let single = said(self.command().args(fetch).args(["--depth=1", "--", &address.url, commit]));
        if let Err(why) = single {
            let all = ["--", &address.url, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
            said(self.command().args(fetch).args(all)).map_err(|_| why)?;
        }
        let name = format!("{commit}^{{commit}}");
        let found =
            said(self.command().args(["rev-parse", "--verify", "--quiet", "--end-of-options", &name]));
        let found =
            found.map_err(|_| format!("expected the commit {commit} in the repository, found none"))?;
        let found = String::from_utf8_lossy(&found).trim().to_owned();
        if found != commit {
            return Err(format!("expected the hash of a commit, found that of a tag; its commit is {found}"));
        }
        Ok(())
    }

    /// All files of `commit`.
    ///
    /// # Errors
    /// If they cannot be listed, or a path is not UTF-8.
    pub fn files_of(&self, commit: &str) -> Result<Vec<TreeEntry>, Why> {
        let listed = said(self.command().args(["ls-tree", "-r", "-z", "-l", "--full-tree", commit]))?;
        let listed = String::from_utf8(listed)
            .map_err(|_| "expected paths in UTF-8 in the commit, found others".to_owned())?;
        let entry = |line: &str| {
            let (head, path) = line.split_once('\t')?;
            let mut words = head.split_whitespace();
            let (mode, _, object, size) = (words.next()?, words.next()?, words.next()?, words.next()?);
            let [mode, object, path] = [mode, object, path].map(str::to_owned);
            Some(TreeEntry { mode, object, size: size.parse().ok(), path })
        };
        let lines = listed.split('\0').filter(|line| !line.is_empty());
        lines
            .map(|line| entry(line).ok_or_else(|| format!("cannot read what `git ls-tree` says: {line}")))
            .collect()
    }

    /// A reader of contents.
    ///
    /// # Errors
    /// If git cannot be started.
    pub fn contents(&self) -> io::Result<Contents> {
        let mut command = self.command();
        command
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        let missing = || io::Error::other("git has no streams");
        let asked = child.stdin.take().ok_or_else(missing)?;
        let answered = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        Ok(Contents { child, asked: Some(asked), answered })
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("GIT_") && !KEPT.contains(&&*name) {
                command.env_remove(&*name);
            }
        }
        command
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
        command.env("GIT_NO_LAZY_FETCH", "1").env("LC_ALL", "C").env_remove("SSH_ASKPASS");
        if ["GIT_SSH", "GIT_SSH_COMMAND"].iter().all(|name| std::env::var_os(name).is_none()) {
            command.env("GIT_SSH_COMMAND", "ssh -oBatchMode=yes");
        }
        command.stdin(Stdio::null());
        for setting in CONFIGURATION.iter().chain(&SLOWEST) {
            command.args(["-c", setting]);
        }
        command.args(["-c", &format!("protocol.{}.allow=always", self.protocol.name())]);
        if let Some(objects) = &self.objects {
            command.arg("--git-dir").arg(objects);
        }
        command
    }
}

/// Gives the contents of objects, one after the other.
#[derive(Debug)]
pub struct Contents {
    child: Child,
    asked: Option<ChildStdin>,
    answered: BufReader<ChildStdout>,
}

impl Contents {
    /// The content of `object`.
    ///
    /// # Errors
    /// If git does not give `size` bytes.
    pub fn read(&mut self, object: &str, size: u64) -> io::Result<Vec<u8>> {
        let asked = self.asked.as_mut().ok_or_else(|| io::Error::other("git has no streams"))?;
        writeln!(asked, "{object}")?;
        asked.flush()?;
        let mut head = String::new();
        self.answered.read_line(&mut head)?;
        if head.split_whitespace().nth(2).and_then(|found| found.parse().ok()) != Some(size) {
            return Err(io::Error::other(format!("git says of {object}: {}", head.trim())));
        }
        let mut content = Vec::new();
        (&mut self.answered).take(size + 1).read_to_end(&mut content)?;
        if content.len() as u64 != size + 1 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        content.pop();
        Ok(content)
    }
}

impl Drop for Contents {
    fn drop(&mut self) {
        self.asked = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a command of git writes.
fn said(command: &mut Command) -> Result<Vec<u8>, Why> {
    let output = command.output().map_err(|error| format!("cannot start `git`: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let said = lines.join("; ");
    let said = mteb_files::visible_line(&said);
    let end = said.floor_char_boundary(SHOWN.min(said.len()));
    Err(format!("git says: {}", &said[..end]))
}
