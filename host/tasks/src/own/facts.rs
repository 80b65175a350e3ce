//! The facts of a type that is declared, as those of the host's types are.

use mteb_card::{DeclaredType, Holds, OWN, TypeDeclaration};

use crate::{Bounds, Facts, Gold};

/// The facts of `declared`; made once, they stay.
pub fn facts_of(declared: &'static DeclaredType) -> Facts {
    let declaration = &declared.declaration;
    let names = |wanted: &dyn Fn(&mteb_card::ColumnDeclaration) -> bool| -> &'static [&'static str] {
        let found = declaration.columns.iter().filter(|(_, column)| wanted(column));
        Vec::leak(found.map(|(name, _)| name.as_str()).collect())
    };
    let bounds = move |name: &str| {
        let score = declaration.scores.get(name)?;
        Some(Bounds { low: score.low, high: score.high, may_be_undefined: score.undefined })
    };
    Facts {
        instruction: &declaration.instruction,
        options: options(declaration),
        gives: Box::leak(Box::new(move |name: &str| declaration.scores.contains_key(name))),
        bounds: Box::leak(Box::new(bounds)),
        text_columns: names(&|column| column.holds.is_encoded()),
        optional_columns: names(&|column| column.holds.is_encoded() && column.optional),
        other_columns: names(&|column| matches!(column.holds, Holds::Any | Holds::Number)),
        gold: if declaration.ranking.is_some() { Gold::Judgements } else { Gold::Unknown },
        ..UNDECLARED
    }
}

/// The options of a card that tasks of the type have.
fn options(declaration: &TypeDeclaration) -> &'static [&'static str] {
    match (declaration.ranking.is_some(), declaration.options.is_empty()) {
        (false, true) => &[],
        (false, false) => &[OWN],
        (true, true) => &["relevance_threshold", "ignore_identical_ids"],
        (true, false) => &["relevance_threshold", "ignore_identical_ids", OWN],
    }
}

/// Those of a type of which nothing is known.
pub const UNDECLARED: Facts = Facts {
    instruction: "",
    options: &[],
    gives: &|_: &str| false,
    bounds: &|_: &str| None,
    text_columns: &[],
    optional_columns: &[],
    other_columns: &[],
    gold: Gold::Unknown,
    label_tolerance: 0.25,
    learns: false,
    sides_have_languages: false,
    has_topics: false,
    has_levels: false,
};
