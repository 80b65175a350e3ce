//! The view of graded relevance: systems at any rank, judge by judge, their curves, and the scores that judges give.

use std::fmt::Write;

use serde_json::{Value, json};

use super::policy::escape;
use super::shown::{hundredths, shown};

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
        let pair = |pair: &JudgePair| {
            let share = |number: f64| hundredths(Some(number).filter(|number| number.is_finite()));
            let judges = pair.judges.each_ref().map(|name| shown(name));
            json!([judges, pair.common, share(pair.pearson), share(pair.spearman)])
        };
        let part = |part: &GradedPart| {
            let distributions = part.distributions.iter().map(|(judge, bins)| json!([shown(judge), bins]));
            json!({
                "systems": part.systems.iter().map(system).collect::<Vec<_>>(),
                "distributions": distributions.collect::<Vec<_>>(),
                "agreement": part.agreement.iter().map(pair).collect::<Vec<_>>(),
            })
        };
        json!({
            "tasks": self.tasks.iter().map(|name| shown(name)).collect::<Vec<_>>(),
            "judges": self.judges.iter().map(|name| shown(name)).collect::<Vec<_>>(),
            "parts": self.parts.iter().map(part).collect::<Vec<_>>(),
        })
    }

    /// The choices of the view; what is chosen stands in the address.
    pub(super) fn form(&self, text: &dyn Fn(&str) -> String) -> String {
        let label = |key: &str, control: String| {
            format!("<label class=\"field\"><span data-text=\"{key}\">{}</span>{control}</label>", text(key))
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
        for system in self.systems() {
            let name = shown(&system.name);
            let _ = write!(bases, "<option value=\"{0}\">{0}</option>", escape(&name));
        }
        let mut parts = String::new();
        if self.parts.len() > 1 {
            let tasks = self
                .tasks
                .iter()
                .zip(1..)
                .map(|(name, number): (_, usize)| plain(&number.to_string(), &shown(name)));
            let options = keyed("", "datasetsAll") + &tasks.collect::<String>();
            parts += &label("dataset", format!("<select name=\"gdata\">{options}</select>"));
        }
        if self.has_recall() {
            let options: String = MEASURES
                .into_iter()
                .map(|(key, title)| plain(if key == "ndcg" { "" } else { key }, title))
                .collect();
            parts += &label("measure", format!("<select name=\"gmeasure\">{options}</select>"));
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
        format!("<form class=\"toolbar\" id=\"graded-form\">{parts}</form>")
    }
}
