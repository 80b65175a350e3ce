//! Arrow files of `save_to_disk` that lie among rows in other formats: they are not read, and somebody should know.

use mteb_base::suggest::some;
use mteb_data::{Folder, SAVED_ADVICE, saved_files};

/// The Arrow files of the folder that `save_to_disk` wrote, in words with what to do; `None` if there are none.
pub fn unread_arrow(folder: &Folder) -> Option<String> {
    let saved = saved_files(folder.all_files().collect::<Vec<_>>().into_iter());
    let names = some(saved.iter().copied());
    (!saved.is_empty()).then(|| {
        format!("the output of `save_to_disk` is not read: {names}; {SAVED_ADVICE}, or move it away")
    })
}
