//! How many workers a model has, and on which devices they compute.

use std::panic::resume_unwind;
use std::thread::Builder;

use mteb_base::threads::stack;
use mteb_results::footprint::device_name;
use mteb_workers::plugins::{Catalog, ModelClient, WorkerError};
use mteb_workers::settings::Settings;

use super::error::Listener;
use super::{LoadedModel, ModelChoice, ModelError, python};

/// The workers that a user asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WorkerChoice {
    /// One, on the device of the model.
    #[default]
    One,
    /// So many on the device of the model.
    Many(usize),
    /// One on each of these graphics cards.
    Cards(Vec<String>),
    /// One on each graphics card that is seen.
    AllCards,
}

impl WorkerChoice {
    /// The device of each worker, where the model alone would compute on `device`, and the system shows so many `cards`; `None` where
    /// nobody can tell how many there are.
    ///
    /// # Errors
    /// If there is no such card.
    pub fn devices(&self, device: &str, cards: Option<usize>) -> Result<Vec<String>, DeviceError> {
        match self {
            Self::One => Ok(vec![device.to_owned()]),
            Self::Many(count) => Ok(vec![device.to_owned(); *count]),
            Self::Cards(named) => {
                let is_absent = |name: &&String| {
                    let number = name.strip_prefix("cuda:").and_then(|number| number.parse().ok());
                    cards.zip(number).is_some_and(|(cards, number): (usize, usize)| number >= cards)
                };
                match named.iter().find(is_absent) {
                    Some(absent) => {
                        let (absent, cards) = (absent.clone(), cards.unwrap_or_default());
                        Err(DeviceError::Absent { absent, cards })
                    }
                    None => Ok(named.clone()),
                }
            }
            Self::AllCards => match cards {
                None => Err(DeviceError::Untold),
                Some(0) => Err(DeviceError::None),
                Some(cards) => Ok((0..cards).map(|number| format!("cuda:{number}")).collect()),
            },
        }
    }
}

/// Devices that the machine does not have.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// A card that was named.
    #[error(
        "`--devices`: expected GPUs of this machine, found {absent} where {}; {}",
        describe_cards(*.cards), instead(*.cards)
    )]
    Absent {
        /// Its name.
        absent: String,
        /// How many there are.
        cards: usize,
    },
    /// Nobody can tell how many there are.
    #[error(
        "`--devices`: expected a list such as `cuda:0,cuda:1`, found `all` where no driver reports the number of \
         GPUs; name them"
    )]
    Untold,
    /// There are none.
    #[error("`--devices`: expected GPUs, found `all` where {}; {}", describe_cards(0), instead(0))]
    None,
}

/// What of graphics cards is seen.
fn describe_cards(cards: usize) -> String {
    match cards {
        0 => "none is seen".to_owned(),
        1 => "cuda:0 alone is seen".to_owned(),
        cards => format!("cuda:0 to cuda:{} are seen", cards - 1),
    }
}

fn instead(cards: usize) -> &'static str {
    match cards {
        0 => "`--workers N` shares the processor",
        _ => "`--devices all` takes every card that is seen",
    }
}

impl ModelChoice {
    /// Starts the model in a worker on each of `devices`; the first one speaks for all. A model that one worker asks for everything has
    /// that one alone, and a line says so.
    ///
    /// # Errors
    /// If a worker cannot be started, or is not the same model as the first one.
    pub fn start_on(
        &self,
        devices: &[String],
        (catalog, settings): (&Catalog, &Settings),
        tasks: &[&str],
        listener: &dyn Listener,
    ) -> Result<(LoadedModel, Vec<ModelClient>), ModelError> {
        let [first, others @ ..] = devices else {
            return Ok((self.start(catalog, settings, tasks, listener)?, Vec::new()));
        };
        let threads = if others.is_empty() { 0 } else { share_of(devices.len()) };
        let own = Self { device: first.clone(), threads, ..self.clone() };
        let model = own.start(catalog, settings, tasks, listener)?;
        let Some(client) = model.worker().filter(|_| !others.is_empty()) else {
            if !others.is_empty() {
                listener.say(&format!(
                    "{}: the host itself ranks, on all cores; `--workers` changes nothing",
                    self.name
                ));
            }
            return Ok((model, Vec::new()));
        };
        if let Some(why) = self.why_alone(client) {
            listener.say(&format!("{}: one worker is started, {why}", self.name));
            return Ok((model, Vec::new()));
        }
        warn_of_unlike_cards(devices, listener);
        let started = start_beside(client, others);
        let refused = |(source, device): (WorkerError, &String)| {
            let hint = format!(" (one of {} workers, on {device})", devices.len());
            ModelError::Worker { model: self.name.clone(), source: Box::new(source), hint }
        };
        let started: Result<Vec<ModelClient>, ModelError> = started
            .into_iter()
            .zip(others)
            .map(|(client, device)| client.map_err(|source| refused((source, device))))
            .collect();
        Ok((model, started?))
    }

    /// Why more workers would change nothing.
    fn why_alone(&self, client: &ModelClient) -> Option<&'static str> {
        if client.config().options.contains_key("api") {
            return Some("which sends many texts to the endpoint at a time (`--concurrency`)");
        }
        let is_live = python::kind_of(&self.name).is_some_and(|(kind, _)| kind == "live");
        is_live.then_some("as the model lives in the process that called `mteb_host.run`")
    }
}

/// Starts workers beside `client` on `devices`, all at the same time.
fn start_beside(client: &ModelClient, devices: &[String]) -> Vec<Result<ModelClient, WorkerError>> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = devices
            .iter()
            .map(|device| {
                let builder = Builder::new().stack_size(stack()).name("loading".to_owned());
                (device, builder.spawn_scoped(scope, || client.beside(device)))
            })
            .collect();
        let threads = threads.into_iter().map(|(device, thread)| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => client.beside(device),
        });
        threads.collect()
    })
}

/// Threads of the processor for each of so many workers.
fn share_of(workers: usize) -> usize {
    let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    (all / workers).max(1)
}

/// Rows of cards of two kinds may differ in their last bits, whoever takes a batch.
fn warn_of_unlike_cards(devices: &[String], listener: &dyn Listener) {
    let names =
        devices.iter().filter(|device| device.starts_with("cuda")).map(|device| device_name(Some(device)));
    let mut names: Vec<String> = names.flatten().collect();
    names.sort();
    names.dedup();
    if let [_, _, ..] = names.as_slice() {
        listener.warn(&format!(
            "`--devices`: expected GPUs of one type, found {}: embeddings may differ in their last bits depending on the GPU; \
             name GPUs of one type",
            names.join(" and ")
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(names: &[&str]) -> WorkerChoice {
        WorkerChoice::Cards(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn each_worker_has_a_device() {
        assert_eq!(WorkerChoice::One.devices("auto", Some(0)), Ok(vec!["auto".to_owned()]));
        assert_eq!(WorkerChoice::Many(3).devices("cpu", None), Ok(vec!["cpu".to_owned(); 3]));
        let two = vec!["cuda:0".to_owned(), "cuda:1".to_owned()];
        assert_eq!(WorkerChoice::AllCards.devices("auto", Some(2)), Ok(two.clone()));
        assert_eq!(cards(&["cuda:0", "cuda:1"]).devices("auto", Some(2)), Ok(two.clone()));
        assert_eq!(
            cards(&["cuda:0", "cuda:1"]).devices("auto", None),
            Ok(two),
            "a driver that tells nothing"
        );
    }

    #[test]
    fn a_card_that_is_not_there_is_refused_with_those_that_are() {
        let refused =
            |names: &[&str], seen| cards(names).devices("auto", Some(seen)).unwrap_err().to_string();
        assert_eq!(
            refused(&["cuda:0", "cuda:7"], 2),
            "`--devices`: expected GPUs of this machine, found cuda:7 where cuda:0 to cuda:1 are seen; `--devices all` takes \
             every card that is seen"
        );
        assert!(refused(&["cuda:0"], 0).ends_with("where none is seen; `--workers N` shares the processor"));
        let all = WorkerChoice::AllCards.devices("auto", Some(0)).unwrap_err().to_string();
        assert!(all.ends_with("found `all` where none is seen; `--workers N` shares the processor"), "{all}");
        assert!(WorkerChoice::AllCards.devices("auto", None).unwrap_err().to_string().ends_with("name them"));
    }
}
