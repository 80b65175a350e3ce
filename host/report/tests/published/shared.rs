//! The published results, unpacked outside the project's own files.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folder with `published.tar.xz` and the reference's tables. `None`, after a line that says so, where it is absent; a
/// failure where it is absent and `CI` is `true`.
#[track_caller]
pub fn shared() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/published");
    if folder.join("published.tar.xz").is_file() {
        return Some(folder);
    }
    mteb_host_tests::absent(format!("no {}", folder.display()));
    None
}

/// The results, unpacked into the folder of the build.
pub fn published() -> Option<PathBuf> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let archive = shared()?.join("published.tar.xz");
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("published");
            if !folder.join("whole").exists() {
                std::fs::create_dir_all(&folder).unwrap();
                let tar = Command::new("tar").arg("xJf").arg(archive).arg("-C").arg(&folder).status();
                assert!(tar.expect("tar starts").success());
                std::fs::write(folder.join("whole"), "").unwrap();
            }
            Some(folder)
        })
        .clone()
}
