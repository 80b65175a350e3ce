//! How important a line is that a plugin prints, and which of them are shown (`--log-level`, `RUST_LOG`).

use clap::ValueEnum;

/// Which lines are shown: those of this level and of those above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum LogLevel {
    /// None.
    Off,
    /// What failed.
    Error,
    /// Conditions that may change what a number means.
    Warn,
    /// What is done, and lines without a level.
    Info,
    /// Details for debugging.
    Debug,
    /// All.
    Trace,
}

/// Words by which loggers write levels.
const WORDS: [(&str, LogLevel); 8] = [
    ("CRITICAL", LogLevel::Error),
    ("FATAL", LogLevel::Error),
    ("ERROR", LogLevel::Error),
    ("WARNING", LogLevel::Warn),
    ("WARN", LogLevel::Warn),
    ("INFO", LogLevel::Info),
    ("DEBUG", LogLevel::Debug),
    ("TRACE", LogLevel::Trace),
];

/// A level stands among so many words at the begin of a line: behind a date and a time at most.
const FIRST: usize = 4;

impl LogLevel {
    /// The level of a line: the word for one in capitals at its begin, as `WARN text`, `[2026-11-29T10:00:00Z WARN plugin] text` and
    /// `WARNING:name:text` have it.
    pub fn read_from_line(line: &str) -> Self {
        let words = line.split(|letter: char| letter.is_whitespace() || matches!(letter, '[' | ']' | '|'));
        let words = words.filter(|word| !word.is_empty()).take(FIRST);
        let mut named = words.filter_map(|word| {
            let word = word.split(':').next().unwrap_or_default();
            WORDS.iter().find(|(name, _)| *name == word).map(|(_, level)| *level)
        });
        named.next().unwrap_or(Self::Info)
    }

    /// What `RUST_LOG` says of plugins: a level by itself, or `plugin=LEVEL`, which goes before it; `None` if it says neither.
    pub fn read_from_environment(text: &str) -> Option<Self> {
        let level = |text: &str| Self::from_str(text.trim(), true).ok();
        let parts = || text.split(',');
        let own = parts().filter_map(|part| level(part.trim().strip_prefix("plugin=")?)).next_back();
        own.or_else(|| parts().filter_map(level).next_back())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_read_as_loggers_write_it() {
        for (line, level) in [
            ("WARN 12 texts", LogLevel::Warn),
            ("[2026-11-29T10:00:00Z DEBUG my_model] loaded", LogLevel::Debug),
            ("2026-11-29 10:00:00,123 ERROR broken", LogLevel::Error),
            ("WARNING:root:slow", LogLevel::Warn),
            ("CRITICAL:root:gone", LogLevel::Error),
            ("all went well, without an ERROR", LogLevel::Info),
            ("error: lower case is a sentence", LogLevel::Info),
            ("", LogLevel::Info),
        ] {
            assert_eq!(LogLevel::read_from_line(line), level, "{line}");
        }
        assert!(LogLevel::Error < LogLevel::Warn && LogLevel::Off < LogLevel::Error);
    }

    #[test]
    fn the_environment_may_name_a_level_for_all_or_for_plugins() {
        assert_eq!(LogLevel::read_from_environment("warn"), Some(LogLevel::Warn));
        assert_eq!(LogLevel::read_from_environment("info,plugin=trace"), Some(LogLevel::Trace));
        assert_eq!(LogLevel::read_from_environment("plugin=off,debug"), Some(LogLevel::Off));
        assert_eq!(LogLevel::read_from_environment("hyper=debug"), None);
        assert_eq!(LogLevel::read_from_environment(""), None);
    }
}
