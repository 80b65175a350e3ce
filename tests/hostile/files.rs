//! Files that are no regular files, and folders that are not ours.
