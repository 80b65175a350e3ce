//! What the reader of a result should know of the data that it was made from.

/// A line on data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What is said.
    pub text: String,
    /// What it is about.
    pub about: About,
}

/// What a line on data is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// One unit.
    Unit,
    /// The folder of the data, which all units of a task share: it is said once.
    Folder,
    /// Rows to learn from that are those to predict: whoever compares their texts finds the same.
    Training,
}

impl Note {
    /// A line on one unit.
    pub fn of_unit(text: String) -> Self {
        Self { text, about: About::Unit }
    }

    /// A line on the folder of the data.
    pub fn of_folder(text: String) -> Self {
        Self { text, about: About::Folder }
    }

    /// A line on training rows.
    pub fn of_training(text: String) -> Self {
        Self { text, about: About::Training }
    }
}
