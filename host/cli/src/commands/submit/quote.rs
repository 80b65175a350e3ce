//! Words for the files of other programs: each stays one word, whatever characters it has.

/// `word` as a shell reads it.
pub fn sh(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=@%+,".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// `words` as a shell reads them, each behind a space.
pub fn sh_words<S: AsRef<str>>(words: &[S]) -> String {
    words.iter().map(|word| format!(" {}", sh(word.as_ref()))).collect()
}

/// `word` as JSON, Python and YAML read it alike.
pub fn json(word: &str) -> String {
    // YAML takes these three for ends of lines, and this one for a mark of the begin of a text.
    ['\u{85}', '\u{2028}', '\u{2029}', '\u{feff}', '\u{7f}']
        .iter()
        .fold(serde_json::Value::from(word).to_string(), |text, letter| {
            text.replace(*letter, &format!("\\u{:04x}", u32::from(*letter)))
        })
}

/// `words` as a list in JSON, Python and YAML.
pub fn json_list<S: AsRef<str>>(words: &[S]) -> String {
    let words: Vec<String> = words.iter().map(|word| json(word.as_ref())).collect();
    format!("[{}]", words.join(", "))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    const HOSTILE: [&str; 12] = [
        "",
        "plain/path-1.json",
        "it's",
        "a \"b\" `id` $(id) $HOME",
        "%A %% \\x \\",
        "-rf",
        "#no ; & | < > * ? [a] {b,c} ~ !x",
        "line\nline\ttab\r",
        "é ü 😀",
        "\u{85}\u{2028}\u{feff}\u{7f}\u{1}",
        "{{name}}",
        "''",
    ];

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        for word in HOSTILE {
            let output =
                Command::new("bash").args(["-c", &format!("printf %s {}", sh(word))]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), word);
        }
    }

    #[test]
    fn python_reads_back_what_was_quoted() {
        let script =
            format!("import sys; sys.stdout.buffer.write('|'.join({}).encode())", json_list(&HOSTILE));
        let output = Command::new("python3").args(["-c", &script]).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), HOSTILE.join("|"));
    }
}
