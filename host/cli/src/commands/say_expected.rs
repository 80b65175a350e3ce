//! Says how scores stand to those that cards expect.

use mteb_engine::run::Comparison;

use crate::exit::Exit;
use crate::output;

/// Says which scores are not the expected ones.
pub(super) fn say_comparison(comparison: &Comparison, model: &str) -> Exit {
    let Comparison { compared, differences } = comparison;
    if *compared == 0 {
        output::warn(format!("nothing to compare: the cards of these tasks expect no score of {model}"));
        return Exit::Done;
    }
    if differences.is_empty() {
        output::say(format!("{compared} of {compared} expected scores were reached"));
        return Exit::Done;
    }
    output::say(format!("{} of {compared} expected scores were not reached:", differences.len()));
    for difference in differences {
        output::say(format!("  {difference}"));
    }
    Exit::Failed
}
