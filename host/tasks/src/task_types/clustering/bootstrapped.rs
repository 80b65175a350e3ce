//! The usual form: a sample is embedded, and rows drawn from it are clustered several times per level (protocol 6.5).

use mteb_base::counted::count;
use mteb_card::defaults;
use mteb_data::{DataError, Table};
use mteb_measures::cluster::Rows;
use mteb_measures::numeric::{mean, standard_deviation};
use mteb_measures::random::PythonRandom;
use rayon::prelude::*;

use super::items::{Agreement, Draws, extra_values};
use super::labels::{COLUMN, Level, label_lists, levels};
use super::settings::{Documents, Settings};
use crate::task_types::few_shot::check_given;
use crate::{
    EvaluateError, Evaluated, Items, Keep, Matrix, Part, Plan, Score, Scores, Session, TextColumn, Unit,
};

/// Embedded rows from which on nothing is said of how few they are: the clusterings of the reference embed 2,048 as a rule.
const MANY: usize = 1_000;

/// Draws the rows that are embedded, then those that every round clusters.
pub(super) fn plan(
    unit: &Unit,
    settings: Settings,
    random: &mut PythonRandom,
) -> Result<Box<dyn Plan>, EvaluateError> {
    let table = unit.part(Part::Rows)?;
    let documents = match settings.documents.count(table.rows()) {
        None => (0..table.rows()).collect(),
        Some(count) => random.sample(table.rows(), count),
    };
    if documents.is_empty() {
        return Err(with_faults_of_rows(unit, table, nothing_to_embed(table, settings.documents)));
    }
    let lists =
        label_lists(table, &documents).map_err(|error| check_given(unit, COLUMN).err().unwrap_or(error))?;
    let levels = levels(&lists, settings.max_depth);
    if levels.is_empty() {
        return Err(EvaluateError::Unscorable(format!(
            "{}, column `{COLUMN}`: expected rows with labels, found empty lists",
            table.place(0).0
        )));
    }
    let mut planned = Vec::with_capacity(levels.len());
    for (number, level) in levels.into_iter().enumerate() {
        check(&level, number, settings.drawn, table)?;
        let mut draw = || random.choices(level.rows.len(), settings.drawn);
        let rounds = (0..settings.rounds).map(|_| draw().iter().map(|&place| level.rows[place]).collect());
        planned.push((rounds.collect(), level));
    }
    let texts = table.texts("sentences")?.select(&documents);
    let mut notes = single_levels(&planned, table, documents.len(), settings.max_depth);
    let own_labels = own_labels(&planned, table, documents.len());
    // Refused after all draws, which other units continue.
    check_given(unit, COLUMN)?;
    if unit.is_own && notes.len() + own_labels.len() == planned.len() {
        let reasons: Vec<String> = notes.into_iter().chain(own_labels).collect();
        return Err(EvaluateError::Unscorable(reasons.join("; ")));
    }
    if unit.is_own && notes.is_empty() {
        notes.extend(few_embedded(table, documents.len(), settings.documents));
    }
    let rows = documents;
    let documents = TextColumn { texts, role: None, phase: "Encoding" };
    Ok(Box::new(BootstrappedPlan { documents, rows, levels: planned, settings, notes }))
}

/// A note where the share that nobody chose leaves few of the user's own rows.
fn few_embedded(table: &Table, embedded: usize, documents: Documents) -> Option<String> {
    let is_few = matches!(documents, Documents::UsualFraction) && embedded < table.rows().min(MANY);
    is_few.then(|| {
        format!(
            "{}: {embedded} of {} rows {} embedded and clustered, a share of {} (`max_fraction_of_documents`), \
             because the card sets none: a score of so few says little; write `max_documents = 0` under \
             `[protocol]` to embed all, or the number of rows to embed",
            table.place(0).0,
            table.rows(),
            if embedded == 1 { "is" } else { "are" },
            defaults::MAX_FRACTION_OF_DOCUMENTS
        )
    })
}

/// A note for each level on which the embedded rows have one label.
fn single_levels(planned: &[Planned], table: &Table, embedded: usize, max_depth: usize) -> Vec<String> {
    let place = format!("{}, column `{COLUMN}`", table.place(0).0);
    let rows = table.rows();
    let all: Vec<usize> = (0..rows).collect();
    // What is wrong with rows that are not embedded is no matter here.
    let of_all = || label_lists(table, &all).map(|lists| levels(&lists, max_depth)).unwrap_or_default();
    let note = |number: usize| {
        let has_more = embedded < rows && of_all().get(number).is_some_and(|level| level.count > 1);
        if has_more {
            format!(
                "{place}: {embedded} of {rows} rows {} embedded, all with one label on level {number}: every model scores 1 \
                 there; set `max_documents` to embed more rows, 0 for all",
                if embedded == 1 { "is" } else { "are" }
            )
        } else {
            format!("{place}: all labels of level {number} are equal: every model scores 1 there")
        }
    };
    let single = planned.iter().enumerate().filter(|(_, (_, level))| level.count == 1);
    single.map(|(number, _)| note(number)).collect()
}

/// A reason for each level on which each embedded row has a label of its own: what is drawn twice is found again by any model.
fn own_labels(planned: &[Planned], table: &Table, embedded: usize) -> Vec<String> {
    let (place, rows) = (format!("{}, column `{COLUMN}`", table.place(0).0), table.rows());
    let reason = |(number, (_, level)): (usize, &Planned)| {
        let is_own = level.count > 1 && level.count == level.rows.len();
        let advice = match embedded < rows {
            true => "set `max_documents` to embed more rows, 0 for all",
            false => "give rows that belong together the same label",
        };
        is_own.then(|| {
            format!(
                "{place}: each of the {} rows of level {number} has its own label: every model scores 1 there; \
                 {advice}",
                level.count
            )
        })
    };
    planned.iter().enumerate().filter_map(reason).collect()
}

/// A level needs as many draws as clusters, and at least one row.
fn check(level: &Level, number: usize, drawn: usize, table: &Table) -> Result<(), EvaluateError> {
    let place = format!("{}, column `{COLUMN}`, level {number}", table.place(0).0);
    let message = match level.count {
        0 => "expected labels, found only -1, which stands for no label".to_owned(),
        labels if labels > drawn => format!(
            "expected at most {}, as many as rows are clustered (`max_documents_per_cluster`), found: {labels}",
            count(drawn, "label")
        ),
        _ => return Ok(()),
    };
    Err(EvaluateError::Unscorable(format!("{place}: {message}")))
}

/// That no row is embedded, behind what else is wrong with rows of the user's own, which would be told only once there are enough.
fn with_faults_of_rows(unit: &Unit, table: &Table, too_few: DataError) -> EvaluateError {
    let all: Vec<usize> = (0..table.rows()).collect();
    let of_labels =
        || label_lists(table, &all).err().map(|error| check_given(unit, COLUMN).err().unwrap_or(error));
    let of_labels = || of_labels().or_else(|| check_given(unit, COLUMN).err());
    let faults = match unit.is_own && !all.is_empty() {
        true => [table.texts("sentences").err(), of_labels()],
        false => [None, None],
    };
    let faults: Vec<String> = faults.iter().flatten().map(ToString::to_string).collect();
    if faults.is_empty() {
        return too_few.into();
    }
    EvaluateError::Unscorable(format!("{}; {too_few}", faults.join("; ")))
}

fn nothing_to_embed(table: &Table, documents: Documents) -> DataError {
    let fraction = match documents {
        Documents::Fraction(fraction) => fraction,
        _ => defaults::MAX_FRACTION_OF_DOCUMENTS,
    };
    let message = match documents {
        Documents::Fraction(_) | Documents::UsualFraction if table.rows() > 0 => format!(
            "expected at least {} rows, of which the share {fraction} (`max_fraction_of_documents`) is one to embed, found: \
             {}; set `max_documents = 0` to embed all, or the number of rows to embed",
            (1.0 / fraction).ceil(),
            table.rows()
        ),
        _ => "expected at least one row, found none".to_owned(),
    };
    DataError::Malformed { place: table.place(0).0.to_owned(), message }
}

struct BootstrappedPlan {
    documents: TextColumn,
    /// The places of the documents in their split.
    rows: Vec<usize>,
    levels: Vec<Planned>,
    settings: Settings,
    notes: Vec<String>,
}

/// A level with the documents that each of its rounds clusters.
type Planned = (Vec<Vec<u32>>, Level);

impl Plan for BootstrappedPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        vec![&self.documents]
    }

    fn check(&self) -> Result<Vec<String>, EvaluateError> {
        Ok(self.notes.clone())
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        self.notes.iter().for_each(|note| session.warn(note));
        let embedded = session.encode(&self.documents, 0..self.documents.texts.len())?;
        session.phase("Scoring");
        let rounds: Vec<(&Level, &Vec<u32>)> = self
            .levels
            .iter()
            .flat_map(|(rounds, level)| rounds.iter().map(move |drawn| (level, drawn)))
            .collect();
        let agreements: Vec<Agreement> =
            rounds.par_iter().map(|(level, drawn)| self.round(&embedded, level, drawn)).collect();
        let v_measures = agreements.iter().map(|agreement| agreement.v_measure).collect();
        let information = agreements.iter().map(|agreement| agreement.adjusted_information).collect();
        let mut scores = Scores::new();
        for (list, name, values) in
            [("v_measures", "v_measure", v_measures), ("ami_scores", "ami", information)]
        {
            let values: Vec<f64> = values;
            scores.insert(list, self.by_level(&values));
            scores.insert(name, mean(&values));
            scores.insert(format!("{name}_std"), standard_deviation(&values));
        }
        for (name, values) in extra_values(&agreements) {
            scores.insert(format!("{name}_scores"), self.by_level(&values));
            scores.insert(name, mean(&values));
            scores.insert(format!("{name}_std"), standard_deviation(&values));
        }
        let items = keep.items.then(|| self.items(&rounds, &agreements));
        Ok(Evaluated { scores, items, rankings: None })
    }
}

impl BootstrappedPlan {
    fn items(&self, rounds: &[(&Level, &Vec<u32>)], agreements: &[Agreement]) -> Items {
        let mut draws = Draws::default();
        for (number, ((level, drawn), found)) in rounds.iter().zip(agreements).enumerate() {
            let place = (number % self.settings.rounds, number / self.settings.rounds);
            let rows = drawn.iter().map(|&row| {
                let class = level.classes[row as usize] as usize;
                (self.rows[row as usize], level.names[class].as_str())
            });
            draws.add(place, rows, found);
        }
        draws.items(false)
    }

    fn round(&self, embedded: &Matrix, level: &Level, drawn: &[u32]) -> Agreement {
        let rows = Rows::new(&embedded.values, embedded.dimension);
        let classes: Vec<u32> = drawn.iter().map(|&row| level.classes[row as usize]).collect();
        Agreement::of(&self.settings, rows, drawn, &classes, level.count)
    }

    fn by_level(&self, values: &[f64]) -> Score {
        let lists = values.chunks(self.settings.rounds).enumerate();
        Score::Map(Scores(
            lists.map(|(level, list)| (format!("Level {level}"), list.to_vec().into())).collect(),
        ))
    }
}
