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

    /// Where leave is missing for `address`: what is said of leave for another port of its host, which a user may take for this one's;
    /// for a `variable`, of leave for that. Empty if there is none.
    pub fn note_on_ports(&self, address: &Address, variable: Option<&str>) -> String {
        let plain = address.plain_host();
        let (host, port) = divided(&plain);
        let of_variable = |name: &str| self.variables.get(name).into_iter().flatten();
        let allowed: Vec<&String> = match variable {
            Some(variable) => of_variable(variable).collect(),
            None => self.hosts.iter().chain(self.variables.values().flatten()).collect(),
        };
        let of_host = allowed.into_iter().find(|allowed| divided(allowed).0 == host && **allowed != plain);
        of_host.map_or_else(String::new, |allowed| {
            let usual = "the usual port of its protocol";
            format!(
                "; the permission for `{allowed}` is for {}, not for {}",
                divided(allowed).1.map_or_else(|| usual.to_owned(), |port| format!("port {port}")),
                port.map_or_else(|| usual.to_owned(), |port| format!("port {port}"))
            )
        })
    }
}

/// A host, and its port if it has one.
fn divided(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')) {
        Some((host, port)) => (host, Some(port)),
        None => (name, None),
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
    fn a_permission_for_another_port_is_named() {
        let hosts = BTreeSet::from(["node17".to_owned(), "10.0.0.7:8000".to_owned()]);
        let variables = Allowances::from([("KEY".to_owned(), BTreeSet::from(["[::1]".to_owned()]))]);
        let permissions = Permissions { variables: &variables, hosts: &hosts };
        let note = |to: &str, variable| permissions.note_on_ports(&address(to), variable);
        assert_eq!(
            note("http://node17:8000/v1", None),
            "; the permission for `node17` is for the usual port of its protocol, not for port 8000"
        );
        assert_eq!(
            note("https://10.0.0.7", None),
            "; the permission for `10.0.0.7:8000` is for port 8000, not for the usual port of its protocol"
        );
        assert!(
            note("http://[::1]:9/v1", Some("KEY"))
                .starts_with("; the permission for `[::1]` is for the usual port")
        );
        assert_eq!(note("http://node18:8000", None) + &note("http://node17:8000", Some("KEY")), "");
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
