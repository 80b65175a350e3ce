//! The arguments about a model behind an HTTP endpoint.

use clap::{Args, ValueEnum};
use mteb_card::LongText;
use mteb_models::model::RemoteChoice;

use super::value_error::ValueError;
use super::whole::whole;

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
    #[arg(help_heading = HEADING, long, value_name = "N", value_parser = whole::<u32>(1, Some(1_048_576)))]
    endpoint_dimensions: Option<u32>,
    /// The model is a reranker: it scores pairs of a query and a document.
    #[arg(help_heading = HEADING, long)]
    reranker: bool,
    /// Maximum number of concurrent requests [default: from the card, else 32].
    #[arg(help_heading = HEADING, long, value_name = "N", value_parser = whole::<u32>(1, Some(1024)))]
    concurrency: Option<u32>,
    /// Maximum number of texts per request [default: from the card, else the provider's limit].
    #[arg(help_heading = HEADING, long, value_name = "N", value_parser = whole::<u32>(1, None))]
    texts_per_request: Option<u32>,
    /// Timeout of a request; must fit within `--batch-timeout` [default: from the card, else 120].
    #[arg(help_heading = HEADING, long, value_name = "SECONDS", value_parser = whole::<u32>(1, Some(86_400)))]
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
