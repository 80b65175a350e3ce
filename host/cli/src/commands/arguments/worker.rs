//! The arguments that say how many workers a model has, and where they compute.

use clap::Args;
use mteb_models::model::WorkerChoice;
use mteb_results::footprint::count_of_cards;

use super::value_error::ValueError;
use super::whole::whole;
use crate::exit::Exit;
use crate::output::usage;

/// Workers beyond which nobody has so much of a machine.
const MOST: u64 = 256;

/// Arguments about the workers of a model.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Workers")]
pub struct WorkerArgs {
    /// Number of workers that share the device of the model, each with its share of the cores.
    /// Scores and files do not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1, Some(MOST)), conflicts_with = "devices")]
    workers: Option<usize>,
    /// GPUs that share the texts, one worker each: `cuda:0,cuda:1`, or `all`.
    #[arg(long, value_name = "LIST", value_parser = devices, conflicts_with = "device")]
    devices: Option<WorkerChoice>,
}

impl WorkerArgs {
    /// The device of each worker, where the model alone would compute on `device`.
    ///
    /// # Errors
    /// If there is no such device, which is said.
    pub fn devices(&self, device: &str) -> Result<Vec<String>, Exit> {
        let many = self.workers.map(WorkerChoice::Many);
        let choice = self.devices.clone().or(many).unwrap_or_default();
        let cards = self.devices.as_ref().and_then(|_| count_of_cards());
        choice.devices(device, cards).map_err(usage)
    }
}

fn devices(text: &str) -> Result<WorkerChoice, ValueError> {
    if text == "all" {
        return Ok(WorkerChoice::AllCards);
    }
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    for (place, name) in names.iter().enumerate() {
        let number = name.strip_prefix("cuda:").map(str::parse::<u32>);
        if !matches!(number, Some(Ok(_))) {
            return Err(ValueError::NoGpu { found: name.clone() });
        }
        if names[..place].contains(name) {
            return Err(ValueError::GpuTwice { name: name.clone() });
        }
    }
    Ok(WorkerChoice::Cards(names))
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command};

    use super::*;

    #[test]
    fn devices_are_cards_each_once_or_all() {
        let cards =
            |names: &[&str]| Ok(WorkerChoice::Cards(names.iter().map(|name| (*name).to_owned()).collect()));
        assert_eq!(devices("all"), Ok(WorkerChoice::AllCards));
        assert_eq!(devices("cuda:1, cuda:0"), cards(&["cuda:1", "cuda:0"]));
        for (text, found) in [
            ("cuda:0,cuda:0", "found twice: cuda:0"),
            ("cuda:0,", "found: "),
            ("cuda", "found: cuda"),
            ("0,1", "found: 0"),
            ("cpu", "found: cpu; `--workers N` shares the processor"),
            ("cuda:-1", "found: cuda:-1"),
        ] {
            assert!(devices(text).unwrap_err().to_string().ends_with(found), "{text}");
        }
    }

    #[test]
    fn workers_are_counted_from_one() {
        let workers = |text: &str| {
            let command =
                Command::new("mteb-host").no_binary_name(true).arg(Arg::new("device").long("device"));
            let command = WorkerArgs::augment_args(command);
            let matches = command.try_get_matches_from([format!("--workers={text}")]);
            matches.map(|found| found.get_one::<usize>("workers").copied())
        };
        assert_eq!((workers("1").unwrap(), workers("256").unwrap()), (Some(1), Some(256)));
        for text in ["0", "257", "-1", "all"] {
            let refused = workers(text).unwrap_err().to_string();
            assert!(refused.contains("expected a whole number from 1 to 256"), "{refused}");
        }
    }
}
