//! The arguments that say where a model computes: in how many workers and on which devices, or
//! behind an HTTP endpoint.

use clap::{Args, ValueEnum};
use mteb_card::LongText;
use mteb_models::model::{RemoteChoice, WorkerChoice};
use mteb_results::footprint::count_of_cards;

use super::value::{ValueError, parse_whole};
use crate::exit::Exit;
use crate::output::usage;

/// Above these options in the help. It is said of each: that of a group would stay for the options after it.
const HEADING: &str = "Models behind an endpoint (`--model openai:NAME`, or one whose card says so)";

/// How a model behind an endpoint is asked.
#[derive(Args, Clone, Debug, Default)]
pub struct RemoteArgs {
    /// URL of the endpoint, e.g. `http://localhost:8000/v1` [default: from the card, else the
    /// provider's].
    #[arg(help_heading = HEADING, long, value_name = "URL")]
    url: Option<String>,
    /// Environment variable with the API key. Naming it permits sending it to the address of
    /// `--url`, of the provider, or of a card that comes with mteb-host; the address of any other
    /// card also needs `--allow-env` [default: from the card or the provider, only for the
    /// provider's own address].
    #[arg(help_heading = HEADING, long, value_name = "NAME")]
    key_env: Option<String>,
    /// Embedding dimensions to request from the endpoint [default: from the card, else the
    /// endpoint's own].
    #[arg(help_heading = HEADING, long, value_name = "N", value_parser = parse_whole::<u32>(1, Some(1_048_576)))]
    endpoint_dimensions: Option<u32>,
    /// The model is a reranker: it scores pairs of a query and a document.
    #[arg(help_heading = HEADING, long)]
    reranker: bool,
    /// Maximum number of concurrent requests [default: from the card, else 32].
    #[arg(help_heading = HEADING, long, value_name = "N", value_parser = parse_whole::<u32>(1, Some(1024)))]
    concurrency: Option<u32>,
    /// Maximum number of texts per request [default: from the card, else the provider's limit].
    #[arg(help_heading = HEADING, long, value_name = "N", value_parser = parse_whole::<u32>(1, None))]
    texts_per_request: Option<u32>,
    /// Timeout of a request; must fit within `--batch-timeout` [default: from the card, else 120].
    #[arg(help_heading = HEADING, long, value_name = "SECONDS", value_parser = parse_whole::<u32>(1, Some(86_400)))]
    seconds_per_request: Option<u32>,
    /// How to treat a text that the endpoint refuses as too long [default: from the card, else
    /// refuse].
    #[arg(help_heading = HEADING, long, value_name = "HOW")]
    long_text: Option<LongTextName>,
    /// Maximum number of requests in this run, retries included.
    #[arg(help_heading = HEADING, long, value_name = "N")]
    max_calls: Option<u64>,
    /// Maximum cost of this run, in the currency of the card's prices.
    #[arg(help_heading = HEADING, long, value_name = "AMOUNT", value_parser = amount)]
    max_cost: Option<f64>,
}

/// What becomes of a text that is too long.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LongTextName {
    /// The unit fails.
    Refuse,
    /// Truncate it by a quarter at a time until the endpoint accepts it; results record this.
    Cut,
}

impl RemoteArgs {
    /// The same for the engine.
    pub fn choice(&self) -> RemoteChoice {
        RemoteChoice {
            url: self.url.clone(),
            key_env: self.key_env.clone(),
            dimensions: self.endpoint_dimensions,
            reranker: self.reranker,
            concurrency: self.concurrency,
            texts_per_request: self.texts_per_request,
            seconds_per_request: self.seconds_per_request,
            long_text: self.long_text.map(|how| match how {
                LongTextName::Refuse => LongText::Refuse,
                LongTextName::Cut => LongText::Cut,
            }),
            max_calls: self.max_calls,
            max_cost: self.max_cost,
        }
    }
}

/// Reads an amount of money.
///
/// # Errors
/// If it is none, or less than nothing.
pub fn amount(text: &str) -> Result<f64, ValueError> {
    let amount = text.parse::<f64>().ok().filter(|amount| amount.is_finite() && *amount >= 0.0);
    amount.ok_or(ValueError::Amount)
}

/// Workers beyond which nobody has so much of a machine.
const MOST: u64 = 256;

/// Arguments about the workers of a model.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Workers")]
pub struct WorkerArgs {
    /// Number of workers that share the device of the model, each with its share of the cores.
    /// Scores and files do not depend on it.
    #[arg(long, value_name = "N", value_parser = parse_whole::<usize>(1, Some(MOST)), conflicts_with = "devices")]
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
