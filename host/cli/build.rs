//! Takes the architectures that the plugin `torch-encoder` computes from its sources, where each declares its `model_type`.
//! The host cannot ask the plugin: it tells which models run before anybody has built that.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let package = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let folder = package.join("../../plugins/torch-encoder/src/architectures");
    println!("cargo::rerun-if-changed={}", folder.display());
    let cannot = |error| format!("{}: {error}; build from the whole repository", folder.display());
    let mut names = Vec::new();
    for file in fs::read_dir(&folder).map_err(cannot)? {
        let text = fs::read_to_string(file?.path())?;
        let declared = text.split("model_type: \"").skip(1).filter_map(|rest| rest.split('"').next());
        names.extend(declared.map(str::to_owned));
    }
    if names.is_empty() {
        return Err(
            format!("{}: expected architectures with a `model_type`, found none", folder.display()).into()
        );
    }
    names.sort_unstable();
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    Ok(fs::write(out.join("architectures.rs"), format!("{names:?}"))?)
}
