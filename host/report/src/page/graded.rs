//! The view of graded relevance: systems at any rank, judge by judge, their curves, and the scores that judges give.

use std::fmt::Write;

use serde_json::{Value, json};

use super::policy::escape;
use super::shown::{hundredths, shown};
use crate::figure::RankCurves;

/// Everything of one folder of graded relevance.
#[derive(Clone, Debug, Default)]
pub struct Graded {
    /// The tasks that are averaged.
    pub tasks: Vec<String>,
    /// The judges, by name.
    pub judges: Vec<String>,
    /// The systems.
    pub systems: Vec<GradedSystem>,
    /// The scores that each judge gave; by the name of the judge.
    pub distributions: Vec<(String, [usize; 11])>,
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

/// Which systems a figure has: name in the address, and which.
type Shown = (&'static str, fn(&GradedSystem) -> bool);

const SYSTEMS: [Shown; 3] =
    [("all", |_| true), ("alone", |system| !system.is_reranked), ("reranked", |system| system.is_reranked)];

/// What is measured: name in the address, title, and its scores.
type Measured = (&'static str, &'static str, fn(&GradedSystem) -> &Vec<Vec<Option<f64>>>);

const MEASURES: [Measured; 2] =
    [("ndcg", "nDCG", |system| &system.ndcg), ("recall", "Recall", |system| &system.recall)];

impl Graded {
    fn has_recall(&self) -> bool {
        self.systems.iter().any(|system| !system.recall.is_empty())
    }

    fn has_rerankers(&self) -> bool {
        self.systems.iter().any(|system| system.is_reranked)
    }

    fn measures(&self) -> impl Iterator<Item = Measured> + '_ {
        MEASURES.into_iter().filter(|(key, _, _)| *key == "ndcg" || self.has_recall())
    }

    /// What the script works on: scores in hundredths of a percent.
    pub(super) fn data(&self) -> Value {
        let scores = |all: &Vec<Vec<Option<f64>>>| -> Vec<Vec<Value>> {
            all.iter().map(|scores| scores.iter().map(|score| hundredths(*score)).collect()).collect()
        };
        let system = |system: &GradedSystem| {
            json!({
                "name": shown(&system.name),
                "reranked": system.is_reranked,
                "ndcg": scores(&system.ndcg),
                "recall": scores(&system.recall),
                "judged": system.judged.iter().map(|share| hundredths(*share)).collect::<Vec<_>>(),
            })
        };
        json!({
            "tasks": self.tasks.iter().map(|name| shown(name)).collect::<Vec<_>>(),
            "judges": self.judges.iter().map(|name| shown(name)).collect::<Vec<_>>(),
            "systems": self.systems.iter().map(system).collect::<Vec<_>>(),
            "distributions": self.distributions.iter().map(|(judge, bins)| json!([shown(judge), bins])).collect::<Vec<_>>(),
        })
    }

    /// The choices of the view; what is chosen stands in the address.
    pub(super) fn form(&self, text: &dyn Fn(&str) -> String) -> String {
        let label = |key: &str, control: String| {
            format!("<label><span data-text=\"{key}\">{}</span>{control}</label>", text(key))
        };
        let keyed = |value: &str, key: &str| {
            format!("<option value=\"{value}\" data-text=\"{key}\">{}</option>", text(key))
        };
        let plain = |value: &str, name: &str| format!("<option value=\"{value}\">{}</option>", escape(name));
        let mut judges = keyed("", "average");
        for (number, judge) in self.judges.iter().enumerate() {
            judges += &plain(&number.to_string(), &shown(judge));
        }
        let mut bases = keyed("", "absolute");
        for system in &self.systems {
            let name = shown(&system.name);
            let _ = write!(bases, "<option value=\"{0}\">{0}</option>", escape(&name));
        }
        let mut parts = String::new();
        if self.has_recall() {
            let measures: String = self
                .measures()
                .map(|(key, title, _)| plain(if key == "ndcg" { "" } else { key }, title))
                .collect();
            parts += &label("measure", format!("<select name=\"gmeasure\">{measures}</select>"));
        }
        parts += &label("judge", format!("<select name=\"gjudge\">{judges}</select>"));
        if self.has_rerankers() {
            let systems = keyed("", "systemsAll")
                + &keyed("alone", "systemsAlone")
                + &keyed("reranked", "systemsReranked");
            parts += &label("systems", format!("<select name=\"gsystems\">{systems}</select>"));
        }
        parts += &label(
            "rankK",
            "<input type=\"number\" name=\"gk\" min=\"1\" max=\"100\" placeholder=\"10\" inputmode=\"numeric\">".to_owned(),
        );
        parts += &label("baseline", format!("<select name=\"gbase\">{bases}</select>"));
        format!("<form class=\"filters\" id=\"graded-form\">{parts}</form>")
    }

    /// The curves of each choice; the script shows one of them.
    pub(super) fn figures(&self) -> String {
        let mut out = String::new();
        for (measure, title, scores) in self.measures() {
            for judge in 0..=self.judges.len() {
                for (key, is_shown) in SYSTEMS {
                    let lines =
                        self.systems.iter().filter(|system| is_shown(system)).filter_map(|system| {
                            Some((shown(&system.name), scores(system).get(judge)?.clone()))
                        });
                    let lines: Vec<(String, Vec<Option<f64>>)> = lines.collect();
                    if lines.is_empty() || (key != "all" && !self.has_rerankers()) {
                        continue;
                    }
                    let curves = RankCurves { y_label: format!("{title} × 100"), lines };
                    let Ok(svg) = curves.svg() else { continue };
                    let whose =
                        self.judges.get(judge).map_or_else(|| "Average".to_owned(), |judge| shown(judge));
                    let judge = if judge == self.judges.len() { String::new() } else { judge.to_string() };
                    let _ = write!(
                        out,
                        "<figure class=\"chart curves\" data-curves=\"{measure}.{judge}.{key}\" role=\"img\" aria-label=\"{}\" hidden>{svg}</figure>",
                        escape(&format!("{title}, k = 1 to 100, {whose}"))
                    );
                }
            }
        }
        out
    }
}
