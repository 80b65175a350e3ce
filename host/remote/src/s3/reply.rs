//! What a server says when it refuses, as one line.

use std::error::Error;

use crate::transport::causes;

/// What an error with its causes says, on one line: of a reply in XML its code and its message.
pub fn said_by(error: &(dyn Error + 'static)) -> String {
    let text = causes(error);
    let said = match element(&text, "Code") {
        Some(code) => match element(&text, "Message") {
            Some(message) => format!("{code}: {message}"),
            None => code.to_owned(),
        },
        None => text,
    };
    said.replace(['\n', '\r'], " ").trim_end_matches(['.', ' ']).to_owned()
}

/// The text of the first element of this name.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>"))?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_reply_in_xml_the_code_and_the_message_are_said() {
        let said = |text: &str| said_by(&std::io::Error::other(text.to_owned()));
        assert_eq!(
            said("403: <?xml?><Error><Code>AccessDenied</Code>\n<Message>No way.</Message></Error>"),
            "AccessDenied: No way"
        );
        assert_eq!(said("<Error><Code>SlowDown</Code></Error>"), "SlowDown");
        assert_eq!(said("connection\nrefused"), "connection refused");
    }
}
