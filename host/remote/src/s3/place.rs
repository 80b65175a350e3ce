//! Where a bucket is and who asks for it: an address as `s3://bucket/folder`, and the environment variables of AWS.

use std::fmt;

use super::error::PlaceError;
use crate::{Address, Secret};

/// The region of those who name none.
const REGION: &str = "us-east-1";

/// Letters of the shortest key id that AWS gives out.
const SHORTEST_KEY_ID: usize = 16;

/// What stands before the name of a bucket.
const SCHEME: &str = "s3://";

/// A bucket, a name before those of all objects, and how to ask for them.
#[derive(Clone)]
pub struct Place {
    /// Name of the bucket.
    pub bucket: String,
    /// What stands before the names of objects, without a slash at its end; empty if nothing does.
    pub below: String,
    /// The server; that of AWS where none is named.
    pub endpoint: Option<Address>,
    /// Its region.
    pub region: String,
    pub(super) key_id: String,
    pub(super) key: String,
    pub(super) token: Option<String>,
    /// True if another machine may be asked without encryption.
    pub(super) allows_http: bool,
}

impl Place {
    /// The place at `address`, with what the environment says: `variable` gives the value of a variable that is set.
    ///
    /// # Errors
    /// If the address is none, credentials are missing, or they would travel unencrypted.
    pub fn new(address: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self, PlaceError> {
        let rest = address.strip_prefix(SCHEME).ok_or_else(|| PlaceError::NoAddress(address.to_owned()))?;
        let (bucket, below) = rest.split_once('/').unwrap_or((rest, ""));
        let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
        if bucket.is_empty() || !bucket.chars().all(is_of_name) {
            return Err(PlaceError::NoBucket(bucket.to_owned()));
        }
        let below = below.trim_matches('/');
        let is_part =
            |part: &str| !part.is_empty() && !part.starts_with('.') && !part.chars().any(char::is_control);
        if !below.is_empty() && !below.split('/').all(is_part) {
            return Err(PlaceError::NoFolder(below.to_owned()));
        }
        let set = |name: &str| {
            variable(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
        };
        let needed = |variable: &'static str| {
            let missing = || PlaceError::NoCredentials { address: address.to_owned(), variable };
            set(variable).ok_or_else(missing)
        };
        let endpoint = match set("AWS_ENDPOINT_URL_S3").or_else(|| set("AWS_ENDPOINT_URL")) {
            Some(endpoint) => Some(Address::new(&endpoint)?),
            None => None,
        };
        let allows_http = set("AWS_ALLOW_HTTP")
            .is_some_and(|value| matches!(value.to_ascii_lowercase().as_str(), "1" | "true"));
        let is_open = |server: &&Address| !server.is_encrypted() && !server.is_local() && !allows_http;
        if let Some(open) = endpoint.as_ref().filter(is_open) {
            return Err(PlaceError::Unencrypted(open.clone()));
        }
        Ok(Self {
            bucket: bucket.to_owned(),
            below: below.to_owned(),
            endpoint,
            region: set("AWS_REGION")
                .or_else(|| set("AWS_DEFAULT_REGION"))
                .unwrap_or_else(|| REGION.to_owned()),
            key_id: needed("AWS_ACCESS_KEY_ID")?,
            key: needed("AWS_SECRET_ACCESS_KEY")?,
            token: set("AWS_SESSION_TOKEN"),
            allows_http,
        })
    }

    /// What no message may show.
    pub(super) fn secrets(&self) -> Vec<Secret> {
        // Names that tests and small servers give are parts of usual words; those of AWS are not.
        let key_id = Some(&self.key_id).filter(|id| id.len() >= SHORTEST_KEY_ID);
        let all = [Some(&self.key), self.token.as_ref(), key_id];
        all.into_iter().flatten().map(|text| Secret::new(text)).collect()
    }

    /// The name of an object in its bucket.
    pub(super) fn key_of(&self, name: &str) -> String {
        if self.below.is_empty() { name.to_owned() } else { format!("{}/{name}", self.below) }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "s3://{}/{}", self.bucket, self.below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(address: &str, set: &[(&str, &str)]) -> Result<Place, PlaceError> {
        let set = set.to_vec();
        Place::new(address, move |name| {
            set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    const KEYS: [(&str, &str); 2] = [("AWS_ACCESS_KEY_ID", "id"), ("AWS_SECRET_ACCESS_KEY", "hunter2")];

    #[test]
    fn an_address_names_a_bucket_and_a_folder() {
        let found = place("s3://results/mteb/run 1/", &KEYS).unwrap();
        assert_eq!((found.bucket.as_str(), found.below.as_str()), ("results", "mteb/run 1"));
        assert_eq!(found.key_of("0/shard.json"), "mteb/run 1/0/shard.json");
        assert_eq!(place("s3://results", &KEYS).unwrap().key_of("a"), "a");
        for wrong in
            ["results/mteb", "s3://", "s3:///mteb", "s3://a b/c", "s3://a/../b", "s3://a/b//c", "https://a/b"]
        {
            assert!(
                place(wrong, &KEYS)
                    .unwrap_err()
                    .to_string()
                    .starts_with("expected an address such as `s3://"),
                "{wrong}"
            );
        }
    }

    #[test]
    fn credentials_come_from_the_environment_and_are_named_where_they_are_missing() {
        let missing = place("s3://results", &KEYS[..1]).unwrap_err().to_string();
        assert!(missing.ends_with("found none in `AWS_SECRET_ACCESS_KEY`"), "{missing}");
        let region = [&KEYS[..], &[("AWS_DEFAULT_REGION", "eu-west-1")]].concat();
        assert_eq!(place("s3://results", &KEYS).unwrap().region, REGION);
        let found = place("s3://results", &region).unwrap();
        assert_eq!(found.region, "eu-west-1");
        assert!(!format!("{found:?}").contains("hunter2"));
    }

    #[test]
    fn what_is_sent_travels_unencrypted_on_this_machine_alone() {
        let with = |endpoint| place("s3://results", &[&KEYS[..], &[("AWS_ENDPOINT_URL", endpoint)]].concat());
        assert!(with("http://127.0.0.1:5000").is_ok() && with("https://s3.example.org").is_ok());
        let refused = with("http://s3.example.org").unwrap_err().to_string();
        assert!(refused.starts_with("AWS_ENDPOINT_URL: expected `https://`"), "{refused}");
        assert!(!with("https://me:hunter3@example.org").unwrap_err().to_string().contains("hunter3"));
        let allowed = |value| {
            let more = [("AWS_ENDPOINT_URL", "http://s3.example.org"), ("AWS_ALLOW_HTTP", value)];
            place("s3://results", &[&KEYS[..], &more].concat()).is_ok()
        };
        assert!(allowed("true") && allowed("1") && !allowed("false"));
    }
}
