//! Developer commands of mteb-host, one module each; what the programs in `tools/` share with them is public.

mod ahead;
mod circles;
mod compare;
mod contract;
mod dataset_cards;
pub mod document;
mod import;
mod installed;
mod ladder;
mod long_tests;
mod minutes;
mod packages;

#[allow(dead_code, reason = "it is the build script of plugins, too")]
mod plugin_sources;
mod prove;
pub mod python;
mod references;
mod release;
mod runner;
mod schemas;
mod skipped;
mod speed_chart;
mod test;
pub mod torch;
mod wheel;

use std::process::ExitCode;

use xtask_start::{build, command, lint};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  host ARGS     build the host, then run `mteb-host ARGS` (alias: cargo mteb-host)
  build         build the host, with the default plugins in it, in release mode
  install       install the host with cargo
  schemas       write the JSON Schemas under registries/schemas
  cards         write metadata, provenance, facts and reference into the dataset cards of the Indonesian pack
  ladder        measure every set of the Indonesian pack for a ladder of models, or go on where that was stopped; writes the tables of
                docs/indonesia.md
  import        write cards of tasks and models, and benchmarks, from an installed reference; `--check` compares
  prove [TASK…]  score made data with an installed reference and the host; writes registries/proofs.tsv
  compare SECONDS [--seed N]   score random data of every type with an installed reference and the host; lists what differs
  torch         fetch libtorch if it is not there, and build plugins/torch-encoder
  wheel         build a wheel of the Python package with the host, the default plugins and torch-encoder into target/wheel;
                `--without-torch` leaves torch-encoder out
  packages      pack the crates that are published, and look at what is in the packages; `--install` also installs the host from them
                alone and runs the bundled benchmark with it
  contract      compare the plugin interface with the packed copy in tests/abi/published (cargo-semver-checks)
  release VERSION [--check] [--without-wheel]
                set versions, changelog and tag; make packages, wheel, checksums and notes (docs/releasing.md); `--check`: all but
                the tag, in a copy
  python        make the Python environment of the tests in the target folder
  bench NAME    run a benchmark (tools/bench): bits, bridge, evaluators, encode, memory, memory-cache, once, once-time, own-types,
                search, e2e, start, growth, curves, judge, cores, load, makespan, page, workers; `instructions` fails where a hot path has grown
  gpu-check     look at the plugin of libtorch on a GPU, beside transformers; `--device cpu` rehearses it, `--pack` packs it
  fuzz TARGET SECONDS   feed a reader with damaged input; targets are the folders of tests/fuzz/corpus
  soak [COUNT]  kill, interrupt and cross runs at random moments (100 times each); writes docs/reliability.md
  circles       find files of a crate that need each other
  test [TOPIC [NAME…]]  run every check: format, lints, circles, schemas, tests; or the tests of one topic (a folder of tests/,
                say `cli`) or of one file, by name
  test-distributed [ENGINE…]  score shards on real Slurm and real Ray on this machine, disturb them, and look at manifests of
                Kubernetes; installs what it needs
  parts NAME…   run these parts of the checks alone, as xtask/README.md names them
  minutes       put what the parts of the last checks took into xtask/README.md
  site          build the documentation site into target/site/html
  speed-chart   draw the picture of the README from the tables of docs/benchmarks.md";

/// Runs the command that the first of `args` names.
///
/// # Errors
/// One report, if there is no such command or it fails.
pub fn run(mut args: impl Iterator<Item = String>) -> Result<ExitCode, String> {
    match args.next().as_deref() {
        Some("host") => build::host(args.collect()),
        Some("build") => build::release(),
        Some("install") => build::install(),
        Some("schemas") => schemas::write(),
        Some("import") => import::import(&args.collect::<Vec<_>>()),
        Some("prove") => prove::prove(&args.collect::<Vec<_>>()),
        Some("compare") => compare::compare(&args.collect::<Vec<_>>()),
        Some("gpu-check") => build::bench("gpu-check", &args.collect::<Vec<_>>()),
        Some("cards") => dataset_cards::write(),
        Some("ladder") => ladder::ladder(),
        Some("test") => test::test(&args.collect::<Vec<_>>()),
        Some("test-distributed") => long_tests::test_distributed(&args.collect::<Vec<_>>()),
        Some("part") => test::part(&args.collect::<Vec<_>>()),
        Some("parts") => test::parts(&args.collect::<Vec<_>>()),
        Some("minutes") => minutes::write(),
        Some("site") => document::build_site(),
        Some("speed-chart") => speed_chart::write(),
        Some("circles") => circles::check().map(|()| ExitCode::SUCCESS),
        Some("fuzz") => long_tests::fuzz(&args.collect::<Vec<_>>()),
        Some("soak") => long_tests::soak(&args.collect::<Vec<_>>()),
        Some("torch") => torch::build(),
        Some("wheel") => wheel::wheel(&args.collect::<Vec<_>>()),
        Some("python") => python::make_environment(),
        Some("packages") => installed::packages(&args.collect::<Vec<_>>()),
        Some("contract") => contract::check(),
        Some("release") => release::release(&args.collect::<Vec<_>>()),
        Some("bench") => build::bench("bench", &args.collect::<Vec<_>>()),
        _ => Err(USAGE.to_owned()),
    }
}
