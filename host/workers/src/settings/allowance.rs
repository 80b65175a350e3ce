//! An environment variable that the user passes to plugins, and the host for which it is meant.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use mteb_plugin_api::Manifest;

use super::AllowedHost;

/// Begin of the features by which a manifest names the variables that it needs: `env:NAME=HOST`.
const FEATURE: &str = "env:";

/// `NAME=HOST`: the variable `NAME` may be sent to `HOST`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Name of the variable.
    pub variable: String,
    /// Name or address of the host, with a port if it was given one; in lower case.
    pub host: String,
}

/// All that the user allows: name of the variable = hosts.
pub type Allowances = BTreeMap<String, BTreeSet<String>>;

/// Why a text is no allowance. The text is not shown, because it may be a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error(
    "expected `NAME=HOST`, such as `OPENAI_API_KEY=api.openai.com`, found {}; it is not shown \
     because it may be a key",
    self.found()
)]
pub enum AllowanceError {
    /// Nothing parts a name from a host.
    NoEquals,
    /// What stands before `=` is no name of a variable.
    NoVariable,
    /// What stands behind `=` is no host.
    NoHost,
}

impl AllowanceError {
    fn found(self) -> &'static str {
        match self {
            Self::NoEquals => "a text without `=`",
            Self::NoVariable => "no name of a variable before `=`",
            Self::NoHost => "no host after `=`",
        }
    }
}

impl FromStr for Allowance {
    type Err = AllowanceError;

    fn from_str(text: &str) -> Result<Self, AllowanceError> {
        let (variable, host) = text.split_once('=').ok_or(AllowanceError::NoEquals)?;
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let is_variable =
            variable.bytes().all(is_name) && !variable.starts_with(|c: char| c.is_ascii_digit());
        if variable.is_empty() || !is_variable {
            return Err(AllowanceError::NoVariable);
        }
        // A host that no address can have would be allowed in vain.
        let host: AllowedHost = host.parse().map_err(|_| AllowanceError::NoHost)?;
        Ok(Self { variable: variable.to_owned(), host: host.to_string() })
    }
}

/// True if `text` looks like the name of a variable, not like a key that stands in its place and must not be shown: capitals with
/// digits only where `_` parts them, or small letters without digits.
pub fn is_name_of_variable(text: &str) -> bool {
    const LONGEST: usize = 64;
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let is_of = |is_letter: fn(&u8) -> bool| {
        text.bytes().all(|byte| is_letter(&byte) || byte == b'_' || byte.is_ascii_digit())
    };
    let is_capital = is_of(u8::is_ascii_uppercase) && (!has_digit || text.contains('_'));
    let is_small = is_of(u8::is_ascii_lowercase) && !has_digit;
    let begins = text.bytes().next().is_some_and(|byte| byte == b'_' || byte.is_ascii_alphabetic());
    begins && text.len() <= LONGEST && (is_capital || is_small)
}

/// What is said where a key seems to stand in the place of its variable's name.
pub const NO_NAME_OF_VARIABLE: &str = "expected the name of an environment variable, such as `OPENAI_API_KEY`, \
                                       found something that is not shown because it may be a key; put the key \
                                       into a variable, and name that here";

impl fmt::Display for Allowance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}={}", self.variable, self.host)
    }
}

/// The variables that a plugin says it needs, each with the host to which it sends it.
pub fn needs(manifest: &Manifest) -> Vec<Allowance> {
    let features = manifest.features.iter().filter_map(|feature| feature.strip_prefix(FEATURE));
    features.filter_map(|need| need.parse().ok()).collect()
}

/// What is said of variables that were `given` leave for hosts to which no plugin sends them, while one needs them for another.
pub fn given_in_vain(given: &[Allowance], needs: &[(&str, Vec<Allowance>)]) -> Vec<String> {
    let all = || needs.iter().flat_map(|(plugin, needs)| needs.iter().map(move |need| (*plugin, need)));
    let is_used = |given: &&Allowance| all().any(|(_, need)| need == *given);
    let in_vain = given.iter().filter(|given| !is_used(given));
    in_vain
        .filter_map(|given| {
            let (plugin, need) = all().find(|(_, need)| need.variable == given.variable)?;
            Some(format!(
                "`--allow-env {given}`: plugin {plugin} sends `{}` to {} alone and does not get it; if you trust it, add \
                 `--allow-env {need}`",
                need.variable, need.host
            ))
        })
        .collect()
}

/// The names of those variables among `needs` that `allowed` has for the same host.
pub fn granted(needs: &[Allowance], allowed: &Allowances) -> Vec<String> {
    let is_allowed =
        |need: &&Allowance| allowed.get(&need.variable).is_some_and(|hosts| hosts.contains(&need.host));
    needs.iter().filter(is_allowed).map(|need| need.variable.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_granted_for_the_host_for_which_it_is_allowed() {
        let need = |text: &str| -> Vec<Allowance> { vec![text.parse().unwrap()] };
        let allowed = Allowances::from([("KEY".to_owned(), BTreeSet::from(["api.example.org".to_owned()]))]);
        assert_eq!(granted(&need("KEY=API.example.org"), &allowed), ["KEY"]);
        assert!(granted(&need("KEY=evil.example.org"), &allowed).is_empty());
        assert!(granted(&need("OTHER=api.example.org"), &allowed).is_empty());
    }

    #[test]
    fn leave_for_another_host_than_that_of_a_plugin_is_said_to_be_in_vain() {
        let given: Vec<Allowance> =
            ["KEY=api.example.org:8443", "OTHER=host"].map(|text| text.parse::<Allowance>().unwrap()).into();
        let needs = [("asks", vec!["KEY=api.example.org".parse::<Allowance>().unwrap()])];
        let said = given_in_vain(&given, &needs);
        assert_eq!(said.len(), 1);
        assert!(said[0].ends_with("add `--allow-env KEY=api.example.org`"), "{said:?}");
        assert!(given_in_vain(&needs[0].1, &needs).is_empty());
    }

    #[test]
    fn a_key_is_told_from_the_name_of_a_variable() {
        for name in ["OPENAI_API_KEY", "KEY", "_K", "my_key", "path", "KEY_2", "S3_KEY"] {
            assert!(is_name_of_variable(name), "{name}");
        }
        for key in
            ["", "sk-abc", "sk_live_4eC39Hq", "AKIAIOSFODNN7EXAMPLE", "0f3a9c", "hf_AbCdEf", "a b", "A=B"]
        {
            assert!(!is_name_of_variable(key), "{key}");
        }
    }

    #[test]
    fn what_is_no_name_and_host_is_refused() {
        for text in [
            "",
            "KEY",
            "KEY=",
            "=host",
            "KEY=https://host/",
            "KEY=host:",
            "KEY=host:0",
            "1KEY=host",
            "A B=host",
            "KEY=a b",
        ] {
            let refused = text.parse::<Allowance>().unwrap_err().to_string();
            assert!(refused.starts_with("expected `NAME=HOST`"), "{text}: {refused}");
            assert!(text.len() < 5 || !refused.contains(text), "{text}: {refused}");
        }
    }
}
