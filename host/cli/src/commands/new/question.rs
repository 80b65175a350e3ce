//! Questions on a terminal; in a script every answer is an option.

use std::io::{self, BufRead, IsTerminal};

use crate::exit::Exit;
use crate::output;

/// True if somebody is there to answer.
pub fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// The value of an option: `given`, else what somebody answers to `question`, else `otherwise`.
///
/// # Errors
/// If there is neither; which `option` is wanted is said.
pub fn choose_value(
    given: Option<String>,
    question: &str,
    option: &str,
    otherwise: Option<String>,
) -> Result<String, Exit> {
    if let Some(given) = given {
        return Ok(given);
    }
    if !can_ask() {
        return otherwise.ok_or_else(|| {
            output::usage(format!("expected `{option}`, found neither it nor a terminal to ask on"))
        });
    }
    loop {
        let hint = otherwise.as_ref().map(|value| format!(" [{value}]")).unwrap_or_default();
        let answer = read_answer(&format!("{question}{hint}: "))?;
        match (answer.is_empty(), &otherwise) {
            (false, _) => return Ok(answer),
            (true, Some(value)) => return Ok(value.clone()),
            (true, None) => {}
        }
    }
}

/// Whether to go on: with `--yes`, or where somebody agrees.
///
/// # Errors
/// If nobody does.
pub fn check_agreement(has_yes: bool, question: &str) -> Result<(), Exit> {
    if has_yes {
        return Ok(());
    }
    if !can_ask() {
        return Err(output::usage("expected `--yes`, or a terminal to ask on; `--yes` writes what is shown"));
    }
    match read_answer(&format!("{question} [Y/n]: "))?.to_lowercase().as_str() {
        "" | "y" | "yes" => Ok(()),
        _ => {
            output::say("Nothing was written");
            Err(Exit::Done)
        }
    }
}

fn read_answer(question: &str) -> Result<String, Exit> {
    output::ask(question);
    let mut line = String::new();
    match io::stdin().lock().read_line(&mut line) {
        Ok(0) | Err(_) => Err(output::usage("expected an answer, found the end of the input")),
        Ok(_) => Ok(line.trim().to_owned()),
    }
}
