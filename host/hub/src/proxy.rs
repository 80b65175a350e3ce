//! The proxy between this machine and the hub, as the environment names it.

use std::env;

use ureq::Proxy;
use ureq::http::Uri;

use crate::SettingError;

/// The variables that name one; the first that holds an address counts.
const VARIABLES: [&str; 6] =
    ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/// A proxy, and the variable that names it.
#[derive(Clone, Debug)]
pub(crate) struct NamedProxy {
    variable: &'static str,
    proxy: Proxy,
}

impl NamedProxy {
    /// The proxy that is used.
    ///
    /// # Errors
    /// If the first variable that is set names none.
    pub fn of_environment() -> Result<Option<Self>, SettingError> {
        let set = VARIABLES.into_iter().find_map(|variable| {
            let value = env::var_os(variable).filter(|value| !value.is_empty())?;
            Some((variable, value.to_string_lossy().into_owned()))
        });
        let Some((variable, value)) = set else { return Ok(None) };
        let is_address = Proxy::new(&value).is_ok() && has_host(&value);
        match Proxy::try_from_env() {
            Some(proxy) if is_address => Ok(Some(Self { variable, proxy })),
            _ => Err(fault(variable, &value)),
        }
    }

    /// How it is named where `url` cannot be reached, if it is on the way there.
    pub fn on_the_way(&self, url: &str) -> Option<String> {
        let uri: Uri = url.parse().ok()?;
        let (variable, host, port) = (self.variable, self.proxy.host(), self.proxy.port());
        (!self.proxy.is_no_proxy(&uri)).then(|| format!("through the proxy {host}:{port} of `{variable}`"))
    }
}

/// True if there is a host, and what stands where the port is, is one.
fn has_host(value: &str) -> bool {
    let place = value.split_once("://").map_or(value, |(_, place)| place);
    let place = place.split('/').next().unwrap_or_default();
    let place = place.rsplit('@').next().unwrap_or_default();
    let after = place.rsplit(']').next().unwrap_or_default();
    let port = after.rsplit_once(':').map(|(_, port)| port);
    !place.starts_with(':') && port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0))
}

fn fault(variable: &str, value: &str) -> SettingError {
    let found = if value.contains('@') {
        " another text, which is not shown here because it may hold a password".to_owned()
    } else {
        format!(": {value}")
    };
    SettingError::Proxy { variable: variable.to_owned(), found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_has_a_host_and_a_port_that_is_one() {
        for value in ["http://proxy:3128", "proxy", "socks5://me:word@[::1]:1080/", "http://proxy"] {
            assert!(has_host(value), "{value}");
        }
        for value in ["junk:", "http://proxy:99999", "http://:3128", "proxy:none", "proxy:0"] {
            assert!(!has_host(value), "{value}");
        }
    }

    #[test]
    fn a_password_is_not_shown() {
        assert!(!fault("http_proxy", "http://me:secret@:").to_string().contains("secret"));
        assert!(
            fault("http_proxy", "junk:").to_string().ends_with("`http://proxy.example:3128`, found: junk:")
        );
    }
}
