//! Names of folders that a shell, Slurm, Python or YAML could misread.

/// A word with what each of them reads its own way.
pub const HOSTILE: &str = "it's \"$HOME\" `id` $(id) #1 %A %% {{name}} \\x ; & é";
