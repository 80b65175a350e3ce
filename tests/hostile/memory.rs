//! Small files that unpack to more than the memory holds.
