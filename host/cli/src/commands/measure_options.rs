//! The arguments that ask for measures beside those of the cards.

use clap::Args;
use mteb_results::identity::Measures;

use super::whole::whole;

/// Arguments about measures.
#[derive(Args, Clone, Debug)]
pub struct MeasureArgs {
    /// Compute additional measures beside those of mteb; see section 7.6 of the protocol.
    #[arg(long)]
    extra_measures: bool,
    /// Additional cut-offs k of ranking measures, beside those of the card, e.g. `1,5,50`.
    #[arg(long, value_name = "K,K", value_delimiter = ',', value_parser = whole::<u32>(1, Some(10_000)))]
    k_values: Vec<u32>,
}

impl MeasureArgs {
    /// The measures that are asked for.
    pub fn measures(&self) -> Measures {
        let mut k_values: Vec<usize> = self.k_values.iter().map(|&cut| cut as usize).collect();
        k_values.sort_unstable();
        k_values.dedup();
        Measures { extra: self.extra_measures, k_values }
    }
}
