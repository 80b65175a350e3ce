//! The arguments about a model behind an HTTP endpoint.

use clap::Args;
use mteb_models::model::RemoteChoice;

use super::whole::whole;

/// How a model behind an endpoint is asked.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Models behind an endpoint (`--model openai:NAME`, or one whose card says so)")]
pub struct RemoteArgs {
    /// Address of the endpoint, as `http://localhost:8000/v1` [default: that of the card, else of the provider].
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Environment variable with the key. Naming it is the consent to send it to the address of `--url`, of the provider or of a
    /// card of mteb-host's own; an address of another card needs `--allow-env`, too [default: that of the card or the provider,
    /// at the provider's own address alone].
    #[arg(long, value_name = "NAME")]
    key_env: Option<String>,
    /// Numbers a row that the endpoint is asked for [default: what the card says, else what the endpoint gives].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, Some(1_048_576)))]
    endpoint_dimensions: Option<u32>,
    /// The model scores pairs of a query and a document.
    #[arg(long)]
    reranker: bool,
    /// Most requests at once [default: what the card says, else 32].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, Some(1024)))]
    concurrency: Option<u32>,
    /// Most texts in a request [default: what the card says, else what the provider takes].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, None))]
    texts_per_request: Option<u32>,
    /// Longest time of a request; `--batch-timeout` must leave room for it [default: what the card says, else 120].
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u32>(1, Some(86_400)))]
    seconds_per_request: Option<u32>,
    /// Most requests of this run, repeated ones included.
    #[arg(long, value_name = "N")]
    max_calls: Option<u64>,
    /// Most money that this run may cost, in the currency of the card's prices.
    #[arg(long, value_name = "AMOUNT", value_parser = amount)]
    max_cost: Option<f64>,
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
            max_calls: self.max_calls,
            max_cost: self.max_cost,
        }
    }
}

pub(super) fn amount(text: &str) -> Result<f64, String> {
    let amount = text.parse::<f64>().ok().filter(|amount| amount.is_finite() && *amount >= 0.0);
    amount.ok_or_else(|| "expected an amount of money, as `2.50`".to_owned())
}
