//! Values of options in the files of engines, which read them by rules of their own: what they
//! could misread is refused, each word stays one word whatever characters it has, and what may hold
//! a secret, such as `HF_TOKEN=…` in a line of `--setup`, is repeated in no file of ours.

use std::str::FromStr;

use crate::commands::arguments::ValueError;

/// A value of an option of `sbatch`, which stands in a comment of the job without quotes.
pub fn slurm_value(text: &str) -> Result<String, ValueError> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.:,=+*@/[]()&|!".contains(letter);
    parse_plain(text, is_allowed, "a value as sbatch reads it, without spaces or quotes")
}

/// A line that is written as it is.
pub fn line(text: &str) -> Result<String, ValueError> {
    parse_plain(text, |letter| !letter.is_control(), "one line without control characters")
}

/// A name of a thing in Kubernetes.
pub fn kubernetes_name(text: &str) -> Result<String, ValueError> {
    let is_inner = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let is_name = text.len() <= LONGEST_NAME
        && text.chars().all(|letter| is_inner(letter) || letter == '-')
        && text.starts_with(is_inner)
        && text.ends_with(is_inner);
    if is_name {
        return Ok(text.to_owned());
    }
    Err(ValueError::KubernetesName { longest: LONGEST_NAME })
}

/// Letters of a name to which a job, its index and its pods still add theirs: 63 in all.
const LONGEST_NAME: usize = 40;

/// A name of a class of storage.
pub fn class_name(text: &str) -> Result<String, ValueError> {
    let is_allowed =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-.".contains(letter);
    parse_plain(text, is_allowed, "small letters, digits, `-` and `.`")
}

/// A name of an image, with its registry and its tag or digest.
pub fn image(text: &str) -> Result<String, ValueError> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.:/@".contains(letter);
    parse_plain(text, is_allowed, "a name of an image, as registry.example.org/mteb-host:0.1.0")
}

/// A variable of the environment with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub value: String,
}

/// Why something is no variable that a file of a job may have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariableError {
    /// It has another form.
    #[error("expected `NAME=VALUE`, such as `AWS_REGION=eu-west-1`")]
    Form,
    /// Its value may be a secret.
    #[error(
        "{name}: expected a variable that is no secret; put it into a Secret, and name that with `--env-secret`"
    )]
    Secret {
        /// Its name.
        name: String,
    },
}

impl FromStr for Variable {
    type Err = VariableError;

    fn from_str(text: &str) -> Result<Self, VariableError> {
        let (name, value) = text.split_once('=').ok_or(VariableError::Form)?;
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if name.is_empty()
            || !name.chars().all(is_letter)
            || name.starts_with(|first: char| first.is_ascii_digit())
        {
            return Err(VariableError::Form);
        }
        if has_secret(&[text.to_owned()]) {
            return Err(VariableError::Secret { name: name.to_owned() });
        }
        Ok(Self { name: name.to_owned(), value: value.to_owned() })
    }
}

/// A quantity of Kubernetes: a number, and perhaps a unit.
pub fn quantity(text: &str) -> Result<String, ValueError> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let is_number = digits.parse::<f64>().is_ok_and(|number| number.is_finite() && number > 0.0);
    let unit = &text[digits.len()..];
    if is_number && ["", "m", "k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"].contains(&unit) {
        return Ok(text.to_owned());
    }
    Err(ValueError::Quantity)
}

/// A number of processors or GPUs, which may be a part of one.
pub fn share(text: &str) -> Result<f64, ValueError> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or(ValueError::Share)
}

/// `name` with the begin of the `digest` of a plan, which tells plans of one name apart.
pub fn name_with(name: &str, digest: &str) -> String {
    let digest: String = digest.chars().take(DIGEST).collect();
    let name: String = name.chars().take(LONGEST_NAME - DIGEST - 1).collect();
    format!("{}-{digest}", name.trim_end_matches('-'))
}

/// Digits of the digest of a plan in a name.
const DIGEST: usize = 8;

/// A name made of the letters of `text` that every engine allows.
pub fn name_from(text: &str) -> String {
    let small = text.to_ascii_lowercase();
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name: String = small.chars().map(letter).collect();
    let words: Vec<&str> = name.split('-').filter(|word| !word.is_empty()).collect();
    let name = format!("mteb-{}", if words.is_empty() { "plan".to_owned() } else { words.join("-") });
    name.chars().take(LONGEST_NAME).collect::<String>().trim_end_matches('-').to_owned()
}

fn parse_plain(
    text: &str,
    is_allowed: impl Fn(char) -> bool,
    expected: &'static str,
) -> Result<String, ValueError> {
    if !text.is_empty() && text.chars().all(is_allowed) {
        return Ok(text.to_owned());
    }
    Err(ValueError::Misread(expected))
}

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

/// What names of secret variables have in them.
const IN_NAMES: [&str; 7] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "BEARER"];

/// Begins of keys of usual providers.
const BEGINS: [&str; 7] = ["hf_", "sk-", "AKIA", "ASIA", "ghp_", "github_pat_", "glpat-"];

/// Letters of the shortest value that is looked for in words: shorter ones are parts of usual words.
const SHORTEST: usize = 8;

/// An option whose value is the name of a variable and a host, and never a key.
const OF_NAMES: &str = "--allow-env";

/// True if one of `words` may hold a secret, or what a variable of the environment holds whose name is that of one.
pub fn has_secret(words: &[String]) -> bool {
    let known = secrets_of(
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
    );
    words.iter().enumerate().any(|(place, word)| {
        let is_behind = place > 0 && words[place - 1] == OF_NAMES;
        let is_of_names = is_behind || word.starts_with(&format!("{OF_NAMES}="));
        known.iter().any(|secret| word.contains(secret)) || (!is_of_names && is_secret_like(word))
    })
}

/// True if `name` is that of a variable whose value nobody else is to see.
fn is_secret_name(name: &str) -> bool {
    let is_variable =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let name = name.to_ascii_uppercase();
    is_variable && IN_NAMES.iter().any(|part| name.contains(part))
}

fn secrets_of(variables: impl Iterator<Item = (String, String)>) -> Vec<String> {
    variables
        .filter(|(name, value)| is_secret_name(name) && value.len() >= SHORTEST && !value.contains('/'))
        .map(|(_, value)| value)
        .collect()
}

fn is_secret_like(word: &str) -> bool {
    let is_boundary = |letter: char| {
        letter.is_whitespace() || matches!(letter, '"' | '\'' | ',' | ';' | '&' | '|' | '(' | ')')
    };
    word.split(is_boundary).any(|piece| is_assigned(piece) || has_password(piece) || is_key(piece))
}

/// True if a secret variable is given a value in `piece`, other than that of another variable.
fn is_assigned(piece: &str) -> bool {
    let parts: Vec<&str> = piece.split('=').collect();
    let is_value = |value: &str| !value.is_empty() && !value.starts_with('$');
    parts.windows(2).any(|pair| is_secret_name(pair[0]) && is_value(pair[1]))
}

/// True if `piece` is an address with a user and a password.
fn has_password(piece: &str) -> bool {
    let user = piece.split_once("://").and_then(|(_, rest)| rest.split('/').next()?.rsplit_once('@'));
    user.is_some_and(|(user, _)| user.contains(':'))
}

fn is_key(piece: &str) -> bool {
    let value = piece.rsplit('=').next().unwrap_or_default();
    value.len() >= 16 && BEGINS.iter().any(|begin| value.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn values_that_an_engine_could_misread_are_refused() {
        assert!(slurm_value("gpu:a100:2").is_ok() && slurm_value("1-12:00:00").is_ok());
        for value in ["", "a b", "x\n#SBATCH --uid=0", "a'b", "a#b", "a\\b"] {
            assert!(slurm_value(value).is_err(), "{value}");
        }
        assert!(line("source ~/venv/bin/activate && true").is_ok() && line("a\nb").is_err());
        assert!(image("r.example.org:5000/a/b@sha256:00").is_ok() && image("a b").is_err());
        assert!(kubernetes_name("mteb-2").is_ok());
        assert!(
            ["", "-a", "a-", "A", "a_b", &"a".repeat(41)].iter().all(|name| kubernetes_name(name).is_err())
        );
        assert!(["4", "500m", "1.5", "16Gi"].iter().all(|text| quantity(text).is_ok()));
        assert!(
            ["", "Gi", "-1", "0", "1e400", "4 Gi", "inf", "nan"].iter().all(|text| quantity(text).is_err())
        );
    }

    #[test]
    fn a_name_is_made_of_any_path() {
        assert_eq!(name_from("my plan (v2)"), "mteb-my-plan-v2");
        assert_eq!(name_from("日本"), "mteb-plan");
        assert!(kubernetes_name(&name_from(&"x-".repeat(50))).is_ok());
    }

    #[test]
    fn plans_of_one_name_are_told_apart() {
        let digest = "0123456789abcdef";
        assert_eq!(name_with("mteb-plan", digest), "mteb-plan-01234567");
        assert!(kubernetes_name(&name_with(&name_from(&"x-".repeat(50)), digest)).is_ok());
    }

    #[test]
    fn a_variable_with_a_secret_is_refused_without_it() {
        let variable = |text: &str| text.parse::<Variable>();
        let region = variable("AWS_REGION=eu-west-1").unwrap();
        assert_eq!((region.name.as_str(), region.value.as_str()), ("AWS_REGION", "eu-west-1"));
        assert!(variable("AWS_REGION").is_err() && variable("1A=b").is_err() && variable("=b").is_err());
        let refused = variable("AWS_SECRET_ACCESS_KEY=hunter2").unwrap_err().to_string();
        assert!(refused.contains("--env-secret") && !refused.contains("hunter2"), "{refused}");
    }

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

    #[test]
    fn a_value_of_a_secret_variable_is_one_and_its_name_alone_is_none() {
        for word in [
            "--setup=export HF_TOKEN=hf_short",
            "--setup=HF_TOKEN=abc; true",
            "--container=docker run -e OPENAI_API_KEY=sk-1",
            "--sbatch=--export=ALL,AWS_SECRET_ACCESS_KEY=abc",
            "--setup=curl https://me:hunter2@example.org/x",
            "--setup=login hf_abcdefghijklmnop",
        ] {
            assert!(is_secret_like(word), "{word}");
        }
        for word in [
            "--key-env=OPENAI_API_KEY",
            "--setup=export HF_TOKEN=$(cat ~/.token)",
            "--batch-tokens=512",
            "--gres=gpu:1",
            "--sbatch=--account=nlp",
            "--dashboard=http://head:8265",
            "s3://bucket/run7",
        ] {
            assert!(!is_secret_like(word), "{word}");
        }
        assert!(!has_secret(&["--allow-env".to_owned(), "OPENAI_API_KEY=api.openai.com".to_owned()]));
        assert!(!has_secret(&["--allow-env=OPENAI_API_KEY=api.openai.com".to_owned()]));
    }

    #[test]
    fn what_secret_variables_hold_is_secret() {
        let set = [("HF_TOKEN", "hunter2hunter2"), ("HOME", "/home/me/hunter3"), ("A_KEY", "short")];
        let set = set.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(secrets_of(set.into_iter()), ["hunter2hunter2"]);
    }
}
