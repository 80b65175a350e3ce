//! Stretches of work, by what is done in them, of which the work of a task consisted (protocol 9.2,
//! `evaluation_phases`).

use std::ops::{Add, AddAssign};
use std::time::{Duration, Instant};

use mteb_json::Json;
use mteb_system::process::processor_time;

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

impl Phase {
    /// A phase as this host writes them; `None` if it is anything else.
    pub fn from_json(json: &Json) -> Option<Self> {
        let text = |key: &str| json.get(key).and_then(Json::as_text).map(str::to_owned);
        let number = |key: &str| json.get(key).and_then(Json::as_number);
        let phase = Self {
            name: text("name")?,
            start: number("start")?,
            end: number("end")?,
            split: text("split")?,
            subset: text("subset")?,
        };
        let has_more = json.as_map().is_some_and(|entries| entries.len() > 5);
        Some(phase).filter(|_| !has_more)
    }

    /// The phase as a result file has it.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("name", Json::from(self.name.as_str())),
            ("start", Json::Float(self.start)),
            ("end", Json::Float(self.end)),
            ("split", Json::from(self.split.as_str())),
            ("subset", Json::from(self.subset.as_str())),
        ])
    }
}

/// A stretch of work; times in seconds from the first phase.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Name as the reference gives it.
    pub name: String,
    /// Begin.
    pub start: f64,
    /// End.
    pub end: f64,
    /// Split, empty for loading.
    pub split: String,
    /// Subset, empty for loading.
    pub subset: String,
}

/// The phases of one task, in seconds from its start.
#[derive(Debug)]
pub struct PhaseLog {
    begin: Instant,
    phases: Vec<Phase>,
    open: bool,
    /// Processor time of this process when the current phase began.
    processor: Duration,
    /// What of the current phase was spent elsewhere.
    elsewhere: Work,
    works: Works,
}

impl PhaseLog {
    /// An empty log of a task that began at `begin`.
    pub fn since(begin: Instant) -> Self {
        let (phases, works) = (Vec::new(), Works::default());
        Self { begin, phases, open: false, processor: Duration::ZERO, elsewhere: Work::default(), works }
    }

    /// Begins a phase and ends the one before it.
    pub fn begin(&mut self, name: &str, split: &str, subset: &str) {
        self.end();
        let start = self.begin.elapsed().as_secs_f64();
        let (split, subset) = (split.to_owned(), subset.to_owned());
        self.phases.push(Phase { name: name.to_owned(), start, end: start, split, subset });
        self.open = true;
        self.processor = processor_time(None).unwrap_or_default();
        self.elsewhere = Work::default();
    }

    /// Ends the current phase.
    pub fn end(&mut self) {
        let now = self.begin.elapsed().as_secs_f64();
        if let Some(phase) = self.phases.last_mut().filter(|_| self.open) {
            phase.end = now;
            if let Some(stretch) = Stretch::of_phase(&phase.name) {
                let processor = processor_time(None).unwrap_or_default().saturating_sub(self.processor);
                let work = Work {
                    wall: (now - phase.start - self.elsewhere.wall).max(0.0),
                    processor: (processor.as_secs_f64() - self.elsewhere.processor).max(0.0),
                };
                self.works.add(stretch, work);
            }
        }
        self.open = false;
    }

    /// Ends the current phase and gives all phases away, with the sum of their seconds.
    pub fn take(&mut self) -> (Vec<Phase>, f64) {
        self.end();
        let phases = std::mem::take(&mut self.phases);
        let seconds = phases.iter().map(|phase| phase.end - phase.start).sum();
        (phases, seconds)
    }

    /// Runs `work`, which counts for no phase: in some the model is asked, too.
    pub fn elsewhere<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let (begin, before) = (Instant::now(), processor_time(None).unwrap_or_default());
        let result = work();
        let processor = processor_time(None).unwrap_or_default().saturating_sub(before);
        let spent = Work { wall: begin.elapsed().as_secs_f64(), processor: processor.as_secs_f64() };
        self.elsewhere = self.elsewhere + spent;
        result
    }

    /// Gives away the work of all phases that have ended.
    pub fn take_works(&mut self) -> Works {
        std::mem::take(&mut self.works)
    }

    /// Adds what another log of the same task gave away.
    pub fn extend(&mut self, phases: Vec<Phase>) {
        self.end();
        self.phases.extend(phases);
    }

    /// The phases so far.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }
}
