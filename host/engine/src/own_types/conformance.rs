//! Tries the evaluator of a type on a pack's own rows with made embeddings: it keeps nothing, repeats itself, gives what it declares, and takes
//! no more memory with every question.

use std::ops::Range;
use std::time::{Duration, Instant};

use mteb_card::{Role, Similarity, TaskCard};
use mteb_data::Texts;
use mteb_measures::random::{SplitMix64, mix};
use mteb_tasks::{
    EvaluateError, Matrix, Score, Scores, Session, TaskState, Unit, evaluator, facts, first_items, runner,
};

/// Most items of a unit that is tried, and most units.
const ITEMS: usize = 50;
const UNITS: usize = 4;

/// Numbers of a made embedding.
const DIMENSION: usize = 16;

/// Numbers of one where memory is looked at, so that what is kept of a question can be seen.
const WIDE: usize = 512;

/// Rounds after which memory is looked at, beside a first one, and the questions of each.
const ROUNDS: usize = 3;
const QUESTIONS: usize = 50;

/// Bytes more in every round that are a fault: allocators do not give back everything at once.
const GROWTH: u64 = 256 << 10;

/// An evaluator that takes longer for these questions is not asked them all.
const LONGEST: Duration = Duration::from_secs(30);

/// Values that a number of a made embedding may have.
const STEPS: usize = 1 << 24;

/// What breaks when the evaluator scores `units` of the task of `card`, a line each: whole, in another order, in another process, a
/// single item, and with embeddings that tell nothing apart. After `restart` other processes answer.
pub fn type_faults(card: &TaskCard, units: Vec<Unit>, restart: &dyn Fn()) -> Vec<String> {
    let units: Vec<Unit> = units.into_iter().take(UNITS).collect();
    let place = |unit: &Unit| format!("task {}, split {}, subset {}", unit.task, unit.split, unit.subset);
    let score = |unit: &Unit, items, made| {
        score_items(card, unit.clone(), items, made).map_err(|error| error.to_string())
    };
    let mut faults = Vec::new();
    let mut first: Vec<Option<String>> = Vec::new();
    for unit in &units {
        let found = score(unit, ITEMS, Made::ByText);
        faults.extend(found.as_ref().err().map(|error| format!("{}: {error}", place(unit))));
        first.push(found.ok());
    }
    if !faults.is_empty() {
        return faults;
    }
    let mut compare = |said: &str| {
        for (unit, first) in units.iter().zip(&first).rev() {
            let (Ok(again), Some(first)) = (score(unit, ITEMS, Made::ByText), first) else { continue };
            if again != *first {
                faults.push(format!(
                    "{}: expected the same scores {said}, found {again} after {first}; an evaluator keeps nothing between questions, and \
                     draws begin with the seed of the unit",
                    place(unit)
                ));
            }
        }
    };
    compare("again, in another order of units");
    restart();
    compare("of another process");
    for unit in &units {
        for (said, items, made) in [
            ("a single item", 1, Made::ByText),
            ("embeddings of zeros", ITEMS, Made::Zero),
            ("embeddings that are all the same", ITEMS, Made::Same),
        ] {
            if let Err(error) = score(unit, items, made) {
                faults.push(format!("{}, {said}: {error}", place(unit)));
            }
        }
    }
    for unit in &units {
        match growth_fault(card, unit) {
            Ok(fault) => faults.extend(fault.map(|fault| format!("{}: {fault}", place(unit)))),
            Err(error) => faults.push(format!("{}, asked again and again: {error}", place(unit))),
        }
    }
    faults
}

/// The scores of the first `items` of a unit, as text: null where one is not defined.
fn score_items(card: &TaskCard, unit: Unit, items: usize, made: Made) -> Result<String, EvaluateError> {
    let (unit, options) = first_items(unit, None, facts(card.task_type), &card.protocol, items)?;
    let plan = evaluator(card.task_type).plan(unit, &options, &mut TaskState::new())?;
    plan.check()?;
    plan.score(&mut MadeSession(made, DIMENSION)).map(|Scores(scores)| {
        let scores = scores.iter().map(|(name, score)| format!("{name} {}", show_score(score)));
        scores.collect::<Vec<_>>().join(", ")
    })
}

/// A score as a message has it.
fn show_score(score: &Score) -> String {
    match score.number() {
        Some(number) if number.is_finite() => number.to_string(),
        _ => "none".to_owned(),
    }
}

/// Whether the process that scores `unit` takes more memory with every question: asked the same again and again, in rounds, it holds more
/// after each of them.
fn growth_fault(card: &TaskCard, unit: &Unit) -> Result<Option<String>, EvaluateError> {
    let Some(declared) = card.task_type.declared() else { return Ok(None) };
    let runner = runner(declared)?;
    let begin = Instant::now();
    let mut held = Vec::new();
    for _ in 0..=ROUNDS {
        for _ in 0..QUESTIONS {
            let (unit, options) =
                first_items(unit.clone(), None, facts(card.task_type), &card.protocol, ITEMS)?;
            let plan = evaluator(card.task_type).plan(unit, &options, &mut TaskState::new())?;
            plan.score(&mut MadeSession(Made::ByText, WIDE))?;
            if begin.elapsed() > LONGEST {
                return Ok(None);
            }
        }
        let Some(now) = runner.memory() else { return Ok(None) };
        held.push(now);
    }
    // What it takes in the first round it may keep.
    let grown: Vec<u64> = held.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
    if grown.iter().any(|grown| *grown < GROWTH) {
        return Ok(None);
    }
    Ok(Some(format!(
        "expected the memory of the worker to stay the same, found {:.1} MB more after {} more of the same questions; an evaluator keeps \
         nothing between questions",
        grown.iter().sum::<u64>() as f64 / 1e6,
        ROUNDS * QUESTIONS
    )))
}

/// What embeddings are made of.
#[derive(Clone, Copy)]
enum Made {
    ByText,
    Zero,
    Same,
}

/// A model whose embeddings are made, of so many numbers.
struct MadeSession(Made, usize);

impl Session for MadeSession {
    fn encode_texts(
        &mut self,
        texts: &Texts,
        rows: Range<usize>,
        _: Option<Role>,
    ) -> Result<Matrix, EvaluateError> {
        let row = |text: &str| match self.0 {
            Made::ByText => by_text(text, self.1),
            Made::Zero => vec![0.0; self.1],
            Made::Same => vec![0.25; self.1],
        };
        Ok(Matrix::new(texts.range(rows).flat_map(row).collect(), self.1))
    }

    fn predict(&mut self, _: &Texts, _: &Texts) -> Result<Option<Vec<f32>>, EvaluateError> {
        Ok(None)
    }

    fn similarity(&self) -> Similarity {
        Similarity::Cosine
    }

    fn phase(&mut self, _: &str) {}

    fn warn(&mut self, _: &str) {}
}

/// Numbers from -1 to 1 that the text decides.
fn by_text(text: &str, dimension: usize) -> Vec<f32> {
    let seed = text.bytes().fold(17, |state, byte| mix(state ^ u64::from(byte)));
    let mut random = SplitMix64::new(seed);
    (0..dimension).map(|_| random.below(STEPS) as f32 / (STEPS / 2) as f32 - 1.0).collect()
}
