//! A program in the place of the host, which tells how it was called.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// One call of the stub.
#[derive(Debug, PartialEq)]
pub struct Call {
    pub folder: String,
    pub cache: String,
    pub threads: String,
    pub gpu: String,
    pub words: Vec<String>,
}

/// Writes an executable with this `text` to `path`.
pub fn write_program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Writes the stub to `path`; it ends with the exit code in the file `code` beside it, if one is there for its shard.
pub fn write_stub(path: &Path) -> PathBuf {
    let text = "#!/usr/bin/env bash\nbeside=$(dirname -- \"$0\")\nmkdir -p \"$beside/calls\"\n\
                printf '%s\\0' \"$PWD\" \"$MTEB_HOST_CACHE\" \"$RAYON_NUM_THREADS\" \"$CUDA_VISIBLE_DEVICES\" \"$@\" \
                >\"$(mktemp \"$beside/calls/XXXXXX\")\"\n\
                [ \"$1\" = run ] && [ -e \"$beside/fail-$5\" ] && exit 7\n\
                [ \"$1\" = merge ] && echo merged all\nexit 0\n";
    write_program(path, text);
    path.to_owned()
}

/// The calls of the stub at `path`, by their words.
pub fn calls(path: &Path) -> Vec<Call> {
    let call = |file: PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        let mut words: Vec<String> = text.split_terminator('\0').map(str::to_owned).collect();
        let more = words.split_off(4);
        let [folder, cache, threads, gpu] = <[String; 4]>::try_from(words).unwrap();
        Call { folder, cache, threads, gpu, words: more }
    };
    let found = fs::read_dir(path.parent().unwrap().join("calls")).into_iter().flatten();
    let mut calls: Vec<Call> = found.map(|entry| call(entry.unwrap().path())).collect();
    calls.sort_by(|left, right| left.words.cmp(&right.words));
    calls
}
