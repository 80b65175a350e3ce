//! Permissions for cards that do not come with mteb-host: to send texts to a host, and an
//! environment variable with them.

use std::collections::BTreeSet;

use mteb_remote::Address;

use super::{Allowance, Allowances};

/// What the user permits cards and plugins that do not come with mteb-host.
#[derive(Clone, Copy, Debug)]
pub struct Permissions<'a> {
    /// Variables, each for hosts.
    pub variables: &'a Allowances,
    /// Hosts that get texts.
    pub hosts: &'a BTreeSet<String>,
}

impl Permissions<'_> {
    /// The permission that is missing to send the texts of a run to `address`. This machine needs
    /// none, and neither does a host for which a variable is allowed.
    pub fn missing_host(&self, address: &Address) -> Option<String> {
        let is_of_variable = |name: &String| self.variables.values().any(|hosts| hosts.contains(name));
        let is_allowed = |name: &String| self.hosts.contains(name) || is_of_variable(name);
        let is_needed = !address.is_local() && !address.names().iter().any(is_allowed);
        is_needed.then(|| address.plain_host())
    }

    /// The permission that is missing to send `variable` to `address`.
    pub fn missing_variable(&self, variable: &str, address: &Address) -> Option<Allowance> {
        let hosts = self.variables.get(variable);
        let is_allowed = |name: &String| hosts.is_some_and(|hosts| hosts.contains(name));
        let is_needed = !address.names().iter().any(is_allowed);
        is_needed.then(|| Allowance { variable: variable.to_owned(), host: address.plain_host() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        Address::new(text).unwrap()
    }

    fn missing(host: &str, to: &str) -> Option<String> {
        let hosts = BTreeSet::from([host.to_owned()]);
        Permissions { variables: &Allowances::new(), hosts: &hosts }.missing_host(&address(to))
    }

    #[test]
    fn a_permission_is_for_one_host_however_its_address_is_written() {
        for to in [
            "https://api.example.org/v1",
            "https://API.example.org.:443",
            "http://api.example.org",
            "http://localhost:1",
        ] {
            assert_eq!(missing("api.example.org", to), None, "{to}");
        }
        assert_eq!(missing("api.example.org:443", "https://api.example.org"), None);
        for to in [
            "https://example.org",
            "https://evil.api.example.org",
            "https://api.example.org.evil.org",
            "https://api.example.org:8443",
            "https://api-example.org",
        ] {
            let plain = address(to).plain_host();
            assert_eq!(missing("api.example.org", to), Some(plain), "{to}");
        }
    }

    #[test]
    fn a_variable_that_may_go_to_a_host_lets_texts_go_there_too_and_not_the_other_way() {
        let variables =
            Allowances::from([("KEY".to_owned(), BTreeSet::from(["api.example.org".to_owned()]))]);
        let none = BTreeSet::new();
        let permissions = Permissions { variables: &variables, hosts: &none };
        let to = address("https://api.example.org/v1");
        assert_eq!((permissions.missing_host(&to), permissions.missing_variable("KEY", &to)), (None, None));
        let missing = permissions.missing_variable("OTHER", &to).unwrap();
        assert_eq!(missing.to_string(), "OTHER=api.example.org");
        let here = permissions.missing_variable("KEY", &address("http://localhost:8000"));
        assert_eq!(here.unwrap().to_string(), "KEY=localhost:8000", "this machine gets no key unasked");
    }
}
