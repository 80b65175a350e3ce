//! Benchmarks that run both sides in one go and print their ratio, one a file or folder.

mod bits;
mod bridge;
mod cores;
mod curves;
mod datasets;
mod e2e;
mod encode;
mod endpoint;
mod environment;
mod evaluators;
mod growth;
mod instructions;
mod judge;
mod kept;
mod limit;
mod live;
mod load;
mod made;
mod makespan;
mod memory;
mod once;
mod own_types;
mod page;
mod score;
mod search;
mod sides;
mod start;
mod workers;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask bench bits|bridge|cores|evaluators|encode|endpoint|kept|limit|live|load|makespan|memory|memory-cache|once|once-time|own-types|own-types-proof|page|score|search|e2e|start|growth|curves|judge|workers|instructions [--record]

Needs a Python with mteb 2.26.24 (MTEB_PYTHON, default python3) and a hub folder (MTEB_HUB_DIR, default ../shared/hub).
All but `instructions` write their tables into docs/benchmarks.md; `memory`, `memory-cache`, `growth`, `judge` and `endpoint` need neither of the two,
nor do `limit`, which encodes if libtorch and the model of the tests are already there, and `makespan`, which writes into docs/clusters.md; `workers` needs no hub folder, `curves` a Python with numpy alone, `load` one with sentence-transformers, `cores` no more than `search`,
`bridge` and `live` no hub folder, `search` and `bits` no hub folder but a Python with faiss-cpu (MTEB_FAISS_PYTHON, default the same).
`page` needs Chromium alone.
`instructions` needs valgrind alone: it compares what the hot paths take with tools/bench/instructions.toml, or records it.
`kept` and `own-types-proof` need a model (MTEB_MODEL, default st:sentence-transformers/all-MiniLM-L6-v2), `score` pytrec_eval.
MTEB_ROUNDS says how often both sides of `encode` (3), `e2e` (3), `limit` (5) and `search` (5) take turns.
`growth` also draws docs/growth-*.svg; MTEB_LARGEST leaves larger sizes out. A trial of `bits` or `limit` with MTEB_LARGEST documents, of `own-types`
with MTEB_LARGEST pairs and documents, of `kept` and `score` with MTEB_LARGEST runs prints its table alone, and so does one of `load`, without long texts.";

/// Runs the benchmark that `args` names.
pub fn bench(args: &[String]) -> Result<ExitCode, String> {
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["bits"] => bits::bits(),
        ["bridge"] => bridge::bridge(),
        ["endpoint"] => endpoint::endpoint(),
        ["evaluators"] => evaluators::evaluators(),
        ["encode"] => encode::encode(),
        ["kept"] => kept::measure_kept(),
        ["limit"] => limit::limit(),
        ["live"] => live::live(),
        ["makespan"] => makespan::makespan(),
        ["memory"] => memory::memory(),
        ["once"] => once::once(),
        ["page"] => page::page(),
        ["own-types"] => own_types::own_types(),
        ["own-types-proof"] => own_types::own_types_proof(),
        ["once-time"] => once::once_time(),
        ["memory-cache"] => memory::memory_with_cache(),
        ["e2e"] => e2e::e2e(),
        ["start"] => start::start(),
        ["growth"] => growth::growth(),
        ["instructions"] => instructions::instructions(),
        ["instructions", "--record"] => instructions::record_instructions(),
        ["cores"] => cores::cores(),
        ["load"] => load::load(),
        ["curves"] => curves::curves(),
        ["judge"] => judge::judge(),
        ["score"] => score::score(),
        ["search"] => search::search(),
        ["workers"] => workers::workers(),
        _ => Err(USAGE.to_owned()),
    }
}
