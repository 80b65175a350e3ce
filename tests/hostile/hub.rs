//! A hub that lies: about commits, lengths, hashes and pages.
