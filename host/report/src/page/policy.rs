//! What a browser may do with the page: run its one script, use its one style, and nothing else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::PreEscaped;
use sha2::{Digest, Sha256};

/// The Content-Security-Policy of a page with this style and this script.
pub fn policy(style: &str, script: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash(style),
        hash(script)
    )
}

/// JSON that may stand within a `<script>` element, where the escapes of HTML have no meaning.
pub fn json_in_script(value: &serde_json::Value) -> PreEscaped<String> {
    let text = value.to_string();
    PreEscaped(
        text.replace('<', "\\u003c")
            .replace('>', "\\u003e")
            .replace('&', "\\u0026")
            .replace('\u{2028}', "\\u2028")
            .replace('\u{2029}', "\\u2029"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_others_end_no_script() {
        let json = json_in_script(&"</script><!--".into());
        assert_eq!(json.into_string(), "\"\\u003c/script\\u003e\\u003c!--\"");
    }
}
