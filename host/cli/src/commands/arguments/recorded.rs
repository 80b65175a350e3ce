//! Arguments together with the words that gave them, so that another command can be given the same.

use std::ops::Deref;

use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Args, Command, FromArgMatches};

/// Arguments, and the words of a command line that give them again.
#[derive(Clone, Debug)]
pub struct Recorded<T> {
    value: T,
    words: Vec<String>,
    typed: Vec<String>,
}

impl<T: Args> Recorded<T> {
    /// Words that give these arguments: those that were typed, and those that the defaults of the folder give.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The options that were typed, as `--name`.
    pub fn typed(&self) -> &[String] {
        &self.typed
    }

    /// The arguments that `words` give; of an option that is given twice the last counts.
    ///
    /// # Errors
    /// If they give none.
    pub fn parse(words: &[String]) -> Result<Self, ArgumentsError> {
        let command = Command::new("mteb-host").no_binary_name(true).args_override_self(true);
        let command = T::augment_args(command.disable_help_flag(true));
        Ok(Self::from_arg_matches(&command.try_get_matches_from(words)?)?)
    }

    fn of(value: T, matches: &ArgMatches) -> Self {
        let command = T::augment_args(Command::new("mteb-host"));
        let (mut words, mut typed) = (Vec::new(), Vec::new());
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            let Some(name) = argument.get_long() else { continue };
            let Some(source) = matches.value_source(id) else { continue };
            let given: Vec<String> = matches
                .get_raw(id)
                .into_iter()
                .flatten()
                .map(|value| value.to_string_lossy().into_owned())
                .collect();
            let built_in = argument.get_default_values();
            let is_default = given
                .iter()
                .map(String::as_str)
                .eq(built_in.iter().map(|value| value.to_str().unwrap_or_default()));
            if source == ValueSource::DefaultValue && is_default {
                continue;
            }
            match argument.get_action() {
                ArgAction::SetTrue => words.extend(matches.get_flag(id).then(|| format!("--{name}"))),
                _ => words.extend(given.iter().map(|value| format!("--{name}={value}"))),
            }
            if source == ValueSource::CommandLine {
                typed.push(format!("--{name}"));
            }
        }
        Self { value, words, typed }
    }
}

/// Words that give no arguments. The message is one line.
#[derive(Debug, thiserror::Error)]
#[error("{}", write_in_a_line(.0))]
pub struct ArgumentsError(#[from] clap::Error);

/// What clap says of wrong words, without how the command is used.
fn write_in_a_line(error: &clap::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

impl<T> Deref for Recorded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Args> FromArgMatches for Recorded<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self::of(T::from_arg_matches(matches)?, matches))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<T: Args> Args for Recorded<T> {
    fn augment_args(command: Command) -> Command {
        T::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Args, Debug)]
    struct Example {
        #[arg(long)]
        task: Vec<String>,
        #[arg(long, default_value_t = 3)]
        depth: u32,
        #[arg(long)]
        all: bool,
    }

    fn parse(words: &[&str]) -> Recorded<Example> {
        Recorded::parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn words_give_the_same_again() {
        let found = parse(&["--task", "a b", "--all", "--task", "c", "--depth=4"]);
        assert_eq!(found.words(), ["--task=a b", "--task=c", "--depth=4", "--all"]);
        let again: Recorded<Example> = Recorded::parse(found.words()).unwrap();
        assert_eq!(
            (again.task.clone(), again.depth, again.all),
            (vec!["a b".to_owned(), "c".to_owned()], 4, true)
        );
        assert_eq!(parse(&[]).words(), [""; 0]);
    }

    #[test]
    fn of_two_values_the_last_counts_and_what_is_no_option_is_refused() {
        assert_eq!(parse(&["--depth=4", "--depth=5"]).depth, 5);
        let wrong = Recorded::<Example>::parse(&["--typo".to_owned()]).unwrap_err().to_string();
        assert!(wrong.contains("--typo"), "{wrong}");
    }
}
