//! What a process is started for, and what it is kept from then.

/// What a process is started for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It computes, perhaps on a graphics card, and may start programs.
    Computation,
    /// It parses files, and does nothing else.
    Parser,
}

/// What the kernel keeps a process from that was restricted in what it writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// True if it writes nowhere else.
    pub is_kept: bool,
    /// True if it sends signals to nobody else.
    pub are_signals_kept: bool,
}
