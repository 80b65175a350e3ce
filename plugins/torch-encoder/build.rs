//! Run paths by which the plugin finds libtorch: beside it, in the build folder, and where it was built from.

fn main() {
    println!("cargo::rerun-if-env-changed=DEP_TCH_LIBTORCH_LIB");
    for path in ["$ORIGIN/libtorch/torch/lib", "$ORIGIN/../libtorch/torch/lib"] {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{path}");
    }
    if let Ok(folder) = std::env::var("DEP_TCH_LIBTORCH_LIB") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
    }
}
