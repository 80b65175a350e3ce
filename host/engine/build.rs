//! Has nothing to build: with it the runnable example of the documentation learns where the built plugins lie (`OUT_DIR`).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
