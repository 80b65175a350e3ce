//! Benchmarks of the host beside the reference, and the check of a GPU: `cargo xtask bench` and `cargo xtask gpu-check`.

mod bench;
mod gpu_check;
mod measure;
mod svg;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let result = match args.next().as_deref() {
        Some("bench") => bench::bench(&args.collect::<Vec<_>>()),
        Some("gpu-check") => gpu_check::gpu_check(&args.collect::<Vec<_>>()),
        _ => Err("usage: mteb-bench bench NAME, or mteb-bench gpu-check [OPTION…]".to_owned()),
    };
    result.unwrap_or_else(|message| {
        eprintln!("{message}");
        ExitCode::from(2)
    })
}
