//! The order of additions and the rounding that numpy and Python use.
