//! Values of options that engines read by rules of their own: what they could misread is refused.

use std::ffi::OsStr;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;

use super::secret::holds_secret;

/// A value of an option of `sbatch`, which stands in a comment of the job without quotes.
pub fn slurm_value(text: &str) -> Result<String, String> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.:,=+*@/[]()&|!".contains(letter);
    plain(text, is_allowed, "a value as sbatch reads it, without spaces or quotes")
}

/// A line that is written as it is.
pub fn line(text: &str) -> Result<String, String> {
    plain(text, |letter| !letter.is_control(), "one line without control characters")
}

/// A name of a thing in Kubernetes.
pub fn kubernetes_name(text: &str) -> Result<String, String> {
    let is_inner = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let is_name = text.len() <= LONGEST_NAME
        && text.chars().all(|letter| is_inner(letter) || letter == '-')
        && text.starts_with(is_inner)
        && text.ends_with(is_inner);
    if is_name {
        return Ok(text.to_owned());
    }
    Err(format!("expected a name of at most {LONGEST_NAME} small letters, digits and `-`"))
}

/// Letters of a name to which a job, its index and its pods still add theirs: 63 in all.
const LONGEST_NAME: usize = 40;

/// A name of a class of storage.
pub fn class_name(text: &str) -> Result<String, String> {
    let is_allowed =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-.".contains(letter);
    plain(text, is_allowed, "small letters, digits, `-` and `.`")
}

/// A name of an image, with its registry and its tag or digest.
pub fn image(text: &str) -> Result<String, String> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.:/@".contains(letter);
    plain(text, is_allowed, "a name of an image, as registry.example.org/mteb-host:0.1.0")
}

/// A variable of the environment with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub value: String,
}

/// Reads a variable. What is none is not repeated, as clap would: it may be a key.
#[derive(Clone)]
pub struct VariableParser;

impl TypedValueParser for VariableParser {
    type Value = Variable;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Variable, clap::Error> {
        variable(&value.to_string_lossy()).map_err(|why| {
            clap::Error::raw(ErrorKind::ValueValidation, format!("--env: {why}\n")).with_cmd(command)
        })
    }
}

/// A variable as `NAME=VALUE`, which is no secret.
fn variable(text: &str) -> Result<Variable, String> {
    let expected = "expected `NAME=VALUE`, such as `AWS_REGION=eu-west-1`";
    let (name, value) = text.split_once('=').ok_or(expected)?;
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if name.is_empty()
        || !name.chars().all(is_letter)
        || name.starts_with(|first: char| first.is_ascii_digit())
    {
        return Err(expected.to_owned());
    }
    if holds_secret(&[text.to_owned()]) {
        return Err(format!(
            "{name}: expected a variable that is no secret; put it into a Secret, and name that with `--env-secret`"
        ));
    }
    Ok(Variable { name: name.to_owned(), value: value.to_owned() })
}

/// A quantity of Kubernetes: a number, and perhaps a unit.
pub fn quantity(text: &str) -> Result<String, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let is_number = digits.parse::<f64>().is_ok_and(|number| number.is_finite() && number > 0.0);
    let unit = &text[digits.len()..];
    if is_number && ["", "m", "k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"].contains(&unit) {
        return Ok(text.to_owned());
    }
    Err("expected a quantity as Kubernetes has it, such as `500m`, `4` or `16Gi`".to_owned())
}

/// A number of processors or GPUs, which may be a part of one.
pub fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a number of at least 0".to_owned())
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

fn plain(text: &str, is_allowed: impl Fn(char) -> bool, expected: &str) -> Result<String, String> {
    if !text.is_empty() && text.chars().all(is_allowed) {
        return Ok(text.to_owned());
    }
    Err(format!("expected {expected}"))
}

#[cfg(test)]
mod tests {
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
        let region = variable("AWS_REGION=eu-west-1").unwrap();
        assert_eq!((region.name.as_str(), region.value.as_str()), ("AWS_REGION", "eu-west-1"));
        assert!(variable("AWS_REGION").is_err() && variable("1A=b").is_err() && variable("=b").is_err());
        let refused = variable("AWS_SECRET_ACCESS_KEY=hunter2").unwrap_err();
        assert!(refused.contains("--env-secret") && !refused.contains("hunter2"), "{refused}");
    }
}
