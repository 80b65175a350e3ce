//! Standard streams that are closed or full, signals, and limits of the system.
