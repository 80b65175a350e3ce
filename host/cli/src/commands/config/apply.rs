//! Puts the defaults of a folder into the command line, where an option that is typed goes before them.

use clap::{Arg, ArgAction, Command};

use super::file::{Default, DefaultsError, FolderDefaults};

/// `command` with the defaults of a folder.
///
/// # Errors
/// If no command has an option that the file sets.
pub fn with_defaults(mut command: Command, defaults: &FolderDefaults) -> Result<Command, DefaultsError> {
    // Those of a command go before those of all.
    let mut ordered: Vec<&Default> = defaults.0.iter().collect();
    ordered.sort_by_key(|one| one.command.is_some());
    for default in ordered {
        let names: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
        let mut is_used = false;
        for name in names.iter().filter(|name| default.command.as_ref().is_none_or(|wanted| wanted == *name))
        {
            command = command.mut_subcommand(name, |below| set(below, default, &mut is_used));
        }
        if !is_used {
            let Default { command, option, line, .. } = default.clone();
            return Err(DefaultsError::NoOption { line, option, command });
        }
    }
    Ok(command)
}

/// Sets the option in `command` and all below it.
fn set(mut command: Command, default: &Default, is_used: &mut bool) -> Command {
    // What is hidden tells only how another option is called.
    let is_it = |arg: &&Arg| arg.get_long() == Some(&default.option) && !arg.is_hide_set();
    let id = command.get_arguments().find(is_it).map(|arg| arg.get_id().clone());
    if let Some(id) = id {
        *is_used = true;
        command = command.mut_arg(id.as_str(), |arg| with_default(arg, default));
    }
    let names: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(name, |below| set(below, default, is_used));
    }
    command
}

fn with_default(arg: Arg, default: &Default) -> Arg {
    // The command line lives as long as the program, and so may its defaults.
    let leaked = |value: &String| -> &'static str { value.clone().leak() };
    let values: Vec<&'static str> = default.values.iter().map(leaked).collect();
    let is_required = arg.is_required_set();
    let arg = if is_required { arg.required(false) } else { arg };
    match arg.get_action() {
        ArgAction::SetTrue | ArgAction::SetFalse => {
            arg.default_value(values.first().copied().unwrap_or("true"))
        }
        _ => arg.default_values(values),
    }
}
