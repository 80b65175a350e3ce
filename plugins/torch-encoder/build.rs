//! Run paths by which the plugin finds libtorch: beside it, in the build folder, and where it was built from.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-env-changed=DEP_TCH_LIBTORCH_LIB");
    for path in ["$ORIGIN/libtorch/torch/lib", "$ORIGIN/../libtorch/torch/lib"] {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{path}");
    }
    let Ok(folder) = std::env::var("DEP_TCH_LIBTORCH_LIB") else { return };
    println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
    if Path::new(&folder).join("libtorch_cuda.so").exists() {
        // Nothing of it is called by name, so the linker would drop it, and with it every CUDA device.
        for argument in [&format!("-L{folder}"), "-Wl,--no-as-needed", "-ltorch_cuda", "-Wl,--as-needed"] {
            println!("cargo::rustc-link-arg={argument}");
        }
    }
}
