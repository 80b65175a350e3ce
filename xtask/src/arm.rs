//! Whether everything compiles for ARM64, where the compiler has what that takes.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::build::WITHOUT_TORCH;
use crate::command::run_cargo;

/// The target.
const TARGET: &str = "aarch64-unknown-linux-gnu";

/// The compiler that builds what is C for it.
const COMPILER: &str = "aarch64-linux-gnu-gcc";

/// Compiles everything but the plugin that links libtorch for ARM64, without linking; says so where the target is not installed.
///
/// # Errors
/// If something does not compile.
pub fn check() -> Result<(), String> {
    if !is_installed() {
        println!(
            "not checked: {TARGET} or {COMPILER} is not installed (`rustup target add {TARGET}`, `apt install gcc-aarch64-linux-gnu`)"
        );
        return Ok(());
    }
    run_cargo(&[&["check", "--target", TARGET], &WITHOUT_TORCH[..]].concat())
}

fn is_installed() -> bool {
    let compiles = Command::new(COMPILER).arg("--version").stdout(Stdio::null()).status();
    compiles.is_ok_and(|status| status.success()) && has_target()
}

fn has_target() -> bool {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let root = Command::new(compiler).args(["--print", "sysroot"]).output();
    root.is_ok_and(|root| {
        let root = String::from_utf8_lossy(&root.stdout).trim().to_owned();
        Path::new(&root).join("lib/rustlib").join(TARGET).join("lib").is_dir()
    })
}
