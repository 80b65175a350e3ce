//! The view of graded relevance: systems at any rank, judge by judge, their curves, and the scores that judges give.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::texts::{Words, show_name, to_hundredths};

/// Everything of one folder of graded relevance.
#[derive(Clone, Debug, Default)]
pub struct Graded {
    /// The tasks that are averaged.
    pub tasks: Vec<String>,
    /// The judges, by name.
    pub judges: Vec<String>,
    /// Over all tasks, and where there are several over each alone, in their order.
    pub parts: Vec<GradedPart>,
}

/// All tasks, or one.
#[derive(Clone, Debug, Default)]
pub struct GradedPart {
    /// The systems.
    pub systems: Vec<GradedSystem>,
    /// The scores that each judge gave; by the name of the judge.
    pub distributions: Vec<(String, [usize; 11])>,
    /// How far each two judges agree.
    pub agreement: Vec<JudgePair>,
}

/// Two judges who scored the same pairs.
#[derive(Clone, Debug, Default)]
pub struct JudgePair {
    /// Their names.
    pub judges: [String; 2],
    /// Pairs of query and document that both scored.
    pub common: usize,
    /// Pearson's correlation; not a number where one of them always gives the same score.
    pub pearson: f64,
    /// Spearman's correlation, likewise.
    pub spearman: f64,
}

/// A system: an embedder, alone or with a reranker behind it. Scores are means over tasks, as shares, by rank from 1 on; one list a
/// judge, at last their average.
#[derive(Clone, Debug, Default)]
pub struct GradedSystem {
    /// What it is called.
    pub name: String,
    /// True if a reranker sorted anew what the embedder found.
    pub is_reranked: bool,
    /// nDCG.
    pub ndcg: Vec<Vec<Option<f64>>>,
    /// Recall; empty where tasks were measured by different thresholds.
    pub recall: Vec<Vec<Option<f64>>>,
    /// The share of what was found down to a rank that is judged.
    pub judged: Vec<Option<f64>>,
}

/// What is measured: name in the address, title.
const MEASURES: [(&str, &str); 2] = [("ndcg", "nDCG"), ("recall", "Recall")];

impl Graded {
    fn has_recall(&self) -> bool {
        self.systems().any(|system| !system.recall.is_empty())
    }

    fn has_rerankers(&self) -> bool {
        self.systems().any(|system| system.is_reranked)
    }

    /// The systems over all tasks.
    fn systems(&self) -> impl Iterator<Item = &GradedSystem> {
        self.parts.first().into_iter().flat_map(|part| &part.systems)
    }

    /// What the script works on: scores in hundredths of a percent.
    pub(super) fn data(&self) -> Value {
        let scores = |all: &Vec<Vec<Option<f64>>>| -> Vec<Vec<Value>> {
            all.iter().map(|scores| scores.iter().map(|score| to_hundredths(*score)).collect()).collect()
        };
        let system = |system: &GradedSystem| {
            json!({
                "name": show_name(&system.name),
                "reranked": system.is_reranked,
                "ndcg": scores(&system.ndcg),
                "recall": scores(&system.recall),
                "judged": system.judged.iter().map(|share| to_hundredths(*share)).collect::<Vec<_>>(),
            })
        };
        let pair = |pair: &JudgePair| {
            let share = |number: f64| to_hundredths(Some(number).filter(|number| number.is_finite()));
            let judges = pair.judges.each_ref().map(|name| show_name(name));
            json!([judges, pair.common, share(pair.pearson), share(pair.spearman)])
        };
        let part = |part: &GradedPart| {
            let distributions =
                part.distributions.iter().map(|(judge, bins)| json!([show_name(judge), bins]));
            json!({
                "systems": part.systems.iter().map(system).collect::<Vec<_>>(),
                "distributions": distributions.collect::<Vec<_>>(),
                "agreement": part.agreement.iter().map(pair).collect::<Vec<_>>(),
            })
        };
        json!({
            "tasks": self.tasks.iter().map(|name| show_name(name)).collect::<Vec<_>>(),
            "judges": self.judges.iter().map(|name| show_name(name)).collect::<Vec<_>>(),
            "parts": self.parts.iter().map(part).collect::<Vec<_>>(),
        })
    }

    /// The choices of the view; what is chosen stands in the address.
    pub(super) fn form(&self, words: &Words) -> Markup {
        let judges = self.judges.iter().enumerate();
        html! {
            form #graded-form.toolbar {
                @if self.parts.len() > 1 { (self.tasks_field(words)) }
                @if self.has_recall() { (measure_field(words)) }
                (field(words, "judge", &html! {
                    select name="gjudge" {
                        (write_choice(words, "", "average"))
                        @for (number, judge) in judges { option value=(number) { (show_name(judge)) } }
                    }
                }))
                @if self.has_rerankers() { (systems_field(words)) }
                (field(words, "rankK", &html! {
                    input type="number" name="gk" min="1" max="100" placeholder="10" inputmode="numeric";
                }))
                (self.baseline_field(words))
            }
        }
    }

    fn tasks_field(&self, words: &Words) -> Markup {
        let tasks = self.tasks.iter().zip(1_usize..);
        let control = html! {
            select name="gdata" {
                (write_choice(words, "", "datasetsAll"))
                @for (name, number) in tasks { option value=(number) { (show_name(name)) } }
            }
        };
        field(words, "dataset", &control)
    }

    fn baseline_field(&self, words: &Words) -> Markup {
        let names = self.systems().map(|system| show_name(&system.name));
        let control = html! {
            select name="gbase" {
                (write_choice(words, "", "absolute"))
                @for name in names { option value=(name) { (name) } }
            }
        };
        field(words, "baseline", &control)
    }
}

fn measure_field(words: &Words) -> Markup {
    // The first is what an address without a measure means.
    let value = |key: &'static str| if key == "ndcg" { "" } else { key };
    let control = html! {
        select name="gmeasure" { @for (key, title) in MEASURES { option value=(value(key)) { (title) } } }
    };
    field(words, "measure", &control)
}

fn systems_field(words: &Words) -> Markup {
    let control = html! {
        select name="gsystems" {
            (write_choice(words, "", "systemsAll"))
            (write_choice(words, "alone", "systemsAlone"))
            (write_choice(words, "reranked", "systemsReranked"))
        }
    };
    field(words, "systems", &control)
}

/// What is chosen, below the text of `key`.
fn field(words: &Words, key: &str, control: &Markup) -> Markup {
    html! { label.field { (words.span(key)) (control) } }
}

/// A choice with a text of the page.
fn write_choice(words: &Words, value: &str, key: &str) -> Markup {
    html! { option value=(value) data-text=(key) { (words.text(key)) } }
}
