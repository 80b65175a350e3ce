//! Stretches of work, by what is done in them.

use std::ops::{Add, AddAssign};

/// Seconds of work.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// On the clock.
    pub wall: f64,
    /// Of all processors, used by the process meanwhile.
    pub processor: f64,
}

/// What the host does itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch {
    /// Reads data and plans.
    Reading,
    /// Looks for documents.
    Searching,
    /// Fits, clusters, compares and measures.
    Scoring,
}

/// The work of all stretches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Works([Work; 3]);

impl Stretch {
    /// What is done in the phase called `name` (protocol 9.2); `None` while the model encodes, whose time is taken where it is
    /// asked.
    pub fn of_phase(name: &str) -> Option<Self> {
        match name {
            "Data loading" | "Dataset transform" => Some(Self::Reading),
            _ if name.starts_with("Searching") || name.starts_with("Retriev") => Some(Self::Searching),
            _ if name.starts_with("Encoding") => None,
            _ => Some(Self::Scoring),
        }
    }

    /// Its name in a file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Searching => "searching",
            Self::Scoring => "scoring",
        }
    }
}

impl Works {
    /// Adds work of a stretch.
    pub fn add(&mut self, stretch: Stretch, work: Work) {
        let all = &mut self.0[stretch as usize];
        *all = *all + work;
    }

    /// The work of a stretch.
    pub fn of(&self, stretch: Stretch) -> Work {
        self.0[stretch as usize]
    }
}

impl Add for Work {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { wall: self.wall + other.wall, processor: self.processor + other.processor }
    }
}

impl AddAssign for Works {
    fn add_assign(&mut self, other: Self) {
        for (work, other) in self.0.iter_mut().zip(other.0) {
            *work = *work + other;
        }
    }
}
