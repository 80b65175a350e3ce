//! Result files that somebody has edited, and several runs over one folder.
