//! A git address with a commit: `https://HOST/PATH@COMMIT`, with `:FILE` behind it where the repository has several registries.

use std::path::{Component, Path};

/// Why something was not fetched, in one line without the address.
pub type Why = String;

/// Hex digits of a commit, by SHA-1 and by SHA-256.
const DIGITS: [usize; 2] = [40, 64];

/// How a repository is reached: the protocols of git that its transfer may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Over TLS.
    Https,
    /// Over SSH, without asking for a password.
    Ssh,
    /// A folder of this machine.
    File,
}

impl Protocol {
    /// As git calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Https => "https",
            Self::Ssh => "ssh",
            Self::File => "file",
        }
    }
}

/// What stands behind the `@`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A full hash, in small letters.
    Commit(String),
    /// A branch, a tag or a short hash.
    Reference(String),
    /// Nothing.
    Nothing,
}

/// A repository, a commit of it, and a file there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The address as it was given, for messages.
    pub shown: String,
    /// The address that git is given; it begins with a protocol.
    pub url: String,
    /// How it is reached.
    pub protocol: Protocol,
    /// The commit, or what stands in its place.
    pub named: Named,
    /// The registry's file from the folder of the repository.
    pub file: Option<String>,
}

/// True if `name` is meant for a git address rather than for a file or a name.
pub fn is_git_address(name: &str) -> bool {
    name.starts_with("git+") || name.starts_with("git@") || name.contains("://") || name.contains("::")
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// If git is not to be given it.
    pub fn read(text: &str) -> Result<Self, Why> {
        if text.chars().any(|letter| letter.is_control() || letter.is_whitespace()) {
            return Err("expected a git address without spaces and control characters, found some".to_owned());
        }
        let bare = text.strip_prefix("git+").unwrap_or(text);
        let (protocol, rest) = split_protocol(bare).ok_or_else(|| {
            "expected a git address that begins with `https://`, `git+ssh://` or `git+file://`, found another".to_owned()
        })?;
        let path = if protocol == Protocol::File { 0 } else { rest.find('/').unwrap_or(rest.len()) };
        let (host, path) = rest.split_at(path);
        if protocol != Protocol::File {
            check_host(protocol, host)?;
        }
        let (path, named, file) = split_commit(path)?;
        let path = if protocol == Protocol::File { absolute(path)? } else { path.to_owned() };
        if path.trim_matches('/').is_empty() {
            return Err("expected the path of a repository in the address, found none".to_owned());
        }
        let url = format!("{}://{host}{path}", protocol.name());
        Ok(Self { shown: text.to_owned(), url, protocol, named, file })
    }

    /// The address with `commit` behind it, as a user types it.
    pub fn pinned(&self, commit: &str) -> String {
        let git = if self.protocol == Protocol::Https { "" } else { "git+" };
        let file = self.file.as_ref().map(|file| format!(":{file}")).unwrap_or_default();
        format!("{git}{}@{commit}{file}", self.url)
    }
}

fn split_protocol(text: &str) -> Option<(Protocol, &str)> {
    let known = [("https://", Protocol::Https), ("ssh://", Protocol::Ssh), ("file://", Protocol::File)];
    let found = known.iter().find_map(|(begin, protocol)| Some((*protocol, text.strip_prefix(begin)?)));
    let is_path = ["/", "./", "../"].iter().any(|begin| text.starts_with(begin));
    found.or_else(|| is_path.then_some((Protocol::File, text)))
}

/// A host that begins with `-` would be an option of ssh; a password would be written into results.
fn check_host(protocol: Protocol, host: &str) -> Result<(), Why> {
    let (user, name) = host.rsplit_once('@').map_or((None, host), |(user, name)| (Some(user), name));
    let is_secret = user.is_some_and(|user| protocol == Protocol::Https || user.contains(':'));
    if is_secret {
        return Err("expected an address without a user's name and password, found one with them; it would stand in result \
                    files"
            .to_owned());
    }
    if name.is_empty() || [Some(name), user].into_iter().flatten().any(|part| part.starts_with('-')) {
        return Err("expected a host in the address, found none".to_owned());
    }
    Ok(())
}

/// The path of the repository, what stands behind its `@`, and the file behind that.
fn split_commit(path: &str) -> Result<(&str, Named, Option<String>), Why> {
    let Some((path, named)) = path.rsplit_once('@') else { return Ok((path, Named::Nothing, None)) };
    let (name, file) = named.split_once(':').map_or((named, None), |(name, file)| (name, Some(file)));
    if let Some(file) = file {
        let is_below = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
        if !file.ends_with(".toml") || !is_below {
            return Err(format!(
                "expected a file `NAME.toml` of the repository behind the commit, found: {file}"
            ));
        }
    }
    let is_hash = DIGITS.contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let named = match name {
        "" => Named::Nothing,
        hash if is_hash => Named::Commit(hash.to_ascii_lowercase()),
        other if other.starts_with('-') => {
            return Err(format!("expected a commit behind `@`, found an option: {other}"));
        }
        other => Named::Reference(other.to_owned()),
    };
    Ok((path, named, file.map(str::to_owned)))
}

fn absolute(path: &str) -> Result<String, Why> {
    let found = Path::new(path).canonicalize();
    let found = found.map_err(|error| format!("cannot read the repository {path}: {error}"))?;
    let text = found.to_str().ok_or_else(|| "expected a path in UTF-8, found another".to_owned())?;
    Ok(text.to_owned())
}
