//! Plugins that nobody has trusted, and the ways around the check.
