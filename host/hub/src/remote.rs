//! The list of a repository's files as the hub gives it.

use serde::{Deserialize, Serialize};

use crate::client::Client;
use crate::error::Failure;
use crate::patience::Patience;
use crate::{HubError, Repository};

/// A file of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteFile {
    /// Path inside the repository.
    pub path: String,
    /// Bytes.
    pub size: u64,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "type")]
    kind: String,
    path: String,
    #[serde(default)]
    size: u64,
}

/// Every file of the repository, sorted by path.
pub(crate) fn files(client: &Client, repository: &Repository) -> Result<Vec<RemoteFile>, HubError> {
    let mut patience = Patience::default();
    let (mut files, mut next) = (Vec::new(), None::<String>);
    loop {
        let message = match client.page(repository, next.as_deref()) {
            Ok((text, following)) => {
                add(&mut files, &text, repository)?;
                match following {
                    Some(_) => next = following,
                    None => break,
                }
                continue;
            }
            Err(Failure::Final(error)) => return Err(error),
            Err(Failure::Passing(message)) => message,
        };
        if let Err(attempts) = patience.wait(false) {
            let (repository, what) = (Box::new(repository.clone()), "list of files".to_owned());
            return Err(HubError::Unreachable { repository, what, attempts, message });
        }
    }
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(files)
}

fn add(files: &mut Vec<RemoteFile>, text: &str, repository: &Repository) -> Result<(), HubError> {
    let entries: Vec<Entry> = serde_json::from_str(text).map_err(|error| {
        HubError::Client(format!("{repository}: expected a list of files in JSON, found: {error}"))
    })?;
    let found = entries.into_iter().filter(|entry| entry.kind == "file");
    files.extend(found.map(|entry| RemoteFile { path: entry.path, size: entry.size }));
    Ok(())
}
