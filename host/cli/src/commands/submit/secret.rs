//! Words of a command line that may hold a secret, such as `HF_TOKEN=…` in a line of `--setup`: no file of ours repeats them.

/// What names of secret variables have in them.
const IN_NAMES: [&str; 7] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "BEARER"];

/// Begins of keys of usual providers.
const BEGINS: [&str; 7] = ["hf_", "sk-", "AKIA", "ASIA", "ghp_", "github_pat_", "glpat-"];

/// Letters of the shortest value that is looked for in words: shorter ones are parts of usual words.
const SHORTEST: usize = 8;

/// An option whose value is the name of a variable and a host, and never a key.
const OF_NAMES: &str = "--allow-env";

/// True if one of `words` may hold a secret, or what a variable of the environment holds whose name is that of one.
pub fn holds_secret(words: &[String]) -> bool {
    let known = secrets_of(
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
    );
    words.iter().enumerate().any(|(place, word)| {
        let is_behind = place > 0 && words[place - 1] == OF_NAMES;
        let is_of_names = is_behind || word.starts_with(&format!("{OF_NAMES}="));
        known.iter().any(|secret| word.contains(secret)) || (!is_of_names && looks_secret(word))
    })
}

/// True if `name` is that of a variable whose value nobody else is to see.
pub fn is_secret_name(name: &str) -> bool {
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

fn looks_secret(word: &str) -> bool {
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
    use super::*;

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
            assert!(looks_secret(word), "{word}");
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
            assert!(!looks_secret(word), "{word}");
        }
        assert!(!holds_secret(&["--allow-env".to_owned(), "OPENAI_API_KEY=api.openai.com".to_owned()]));
        assert!(!holds_secret(&["--allow-env=OPENAI_API_KEY=api.openai.com".to_owned()]));
    }

    #[test]
    fn what_secret_variables_hold_is_secret() {
        let set = [("HF_TOKEN", "hunter2hunter2"), ("HOME", "/home/me/hunter3"), ("A_KEY", "short")];
        let set = set.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(secrets_of(set.into_iter()), ["hunter2hunter2"]);
    }
}
