//! Scores of others that do not follow from the parts beside them, although these parts may not be all that they were made from.
//!
//! Of the 15,700 public result files, 33 clusterings have five of ten to thirty-one values of `v_measures`, as copied from the README of their
//! model, and four maxima over similarities are others than the similarities say. The official boards rank them, and so do those here, marked.

/// Files of others have some of their scores rounded to four decimals.
const ROUNDING: f64 = 1.01e-4;

/// What each similarity by which pairs are told apart is called in result files: today, and in those of before mteb 1.11.
const SIMILARITIES: [&[&str]; 4] =
    [&["cosine", "cos_sim"], &["dot", "dot_sim"], &["euclidean"], &["manhattan"]];

/// The similarity of the model itself, which may be one of these or another one.
const OWN: &str = "similarity";

/// The scores by name that a doubt may come from.
#[derive(Debug, Default)]
pub struct Parts {
    named: Vec<(String, f64)>,
    clusterings: Vec<f64>,
}

impl Parts {
    /// True if the score called `name` is a part of others, a maximum, or the mean of clusterings.
    pub fn is_wanted(name: &str) -> bool {
        name == "v_measure" || name == "v_measures" || name.starts_with("max_") || kind_of(name).is_some()
    }

    /// Adds what stands under `name`, all numbers of it.
    pub fn add(&mut self, name: &str, numbers: &[f64]) {
        match (name, numbers) {
            ("v_measures", all) => self.clusterings.extend(all),
            (name, [number]) => self.named.push((name.to_owned(), *number)),
            _ => {}
        }
    }

    /// Why the main score of an entry may not be right; `None` if nothing speaks against it.
    pub fn doubt(&self, main: f64) -> Option<String> {
        self.doubt_of_maximum(main).or_else(|| self.doubt_of_mean(main))
    }

    /// The maximum over similarities that is the main score, if it cannot be that of those beside it.
    fn doubt_of_maximum(&self, main: f64) -> Option<String> {
        let is_main = |(name, score): &&(String, f64)| name.starts_with("max_") && is_same(*score, main);
        let (name, maximum) = self.named.iter().find(is_main)?;
        let measure = name.strip_prefix("max_")?;
        let of_measure: Vec<&(String, f64)> = self
            .named
            .iter()
            .filter(|(part, score)| kind_of(part).is_some_and(|(_, of)| of == measure) && !score.is_nan())
            .collect();
        let (largest, score) = of_measure.iter().max_by(|left, right| left.1.total_cmp(&right.1))?;
        if is_same(*score, *maximum) {
            return None;
        }
        let are_all = SIMILARITIES.iter().all(|names| {
            of_measure.iter().any(|(part, _)| kind_of(part).is_some_and(|(kind, _)| names.contains(&kind)))
        });
        // One that is not beside it may be larger.
        (score > maximum || are_all)
            .then(|| format!("`{name}` is {maximum}, and the largest beside it, `{largest}`, is {score}"))
    }

    /// The mean of clusterings that is the main score, if it is not that of those beside it.
    fn doubt_of_mean(&self, main: f64) -> Option<String> {
        let is_main = |(name, score): &&(String, f64)| name == "v_measure" && is_same(*score, main);
        self.named.iter().find(is_main)?;
        let count = self.clusterings.len();
        let mean = self.clusterings.iter().sum::<f64>() / count as f64;
        (count > 0 && !is_same(mean, main)).then(|| {
            format!(
                "`v_measure` is {main:.6}, and the mean of the {count} values of `v_measures` beside it is {mean:.6}, which may not be \
                 all of them"
            )
        })
    }
}

fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() <= ROUNDING
}

/// The similarity and the measure of a score such as `cosine_ap`.
fn kind_of(name: &str) -> Option<(&str, &str)> {
    let kinds = SIMILARITIES.iter().flat_map(|names| names.iter()).chain([&OWN]);
    // The longer name first: `dot_sim_ap` is of `dot_sim`.
    let found = kinds.filter_map(|kind| Some((*kind, name.strip_prefix(kind)?.strip_prefix('_')?)));
    found.max_by_key(|(kind, _)| kind.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubt(main: f64, scores: &[(&str, &[f64])]) -> Option<String> {
        let mut parts = Parts::default();
        scores.iter().filter(|(name, _)| Parts::is_wanted(name)).for_each(|(name, all)| parts.add(name, all));
        parts.doubt(main)
    }

    #[test]
    fn a_maximum_below_one_of_its_similarities_is_doubted() {
        // Kingsoft-LLM/QZhou-Embedding on TwitterSemEval2015.
        let scores: [(&str, &[f64]); 6] = [
            ("similarity_ap", &[0.923_329]),
            ("cosine_ap", &[0.915_262]),
            ("manhattan_ap", &[0.923_832]),
            ("euclidean_ap", &[0.899_011]),
            ("dot_ap", &[0.867_429]),
            ("max_ap", &[0.867_429]),
        ];
        let expected = "`max_ap` is 0.867429, and the largest beside it, `manhattan_ap`, is 0.923832";
        assert_eq!(doubt(0.867_429, &scores).as_deref(), Some(expected));
    }

    #[test]
    fn a_maximum_above_all_its_similarities_is_doubted_where_none_of_them_is_missing() {
        let all: [(&str, &[f64]); 5] = [
            ("cos_sim_ap", &[0.7]),
            ("dot_sim_ap", &[0.6]),
            ("euclidean_ap", &[0.65]),
            ("manhattan_ap", &[0.5]),
            ("max_ap", &[0.8]),
        ];
        assert!(doubt(0.8, &all).is_some());
        // Of zeta-alpha-ai/Zeta-Alpha-E5-Mistral two similarities are known.
        assert_eq!(doubt(0.8, &[all[0], all[1], all[4]]), None);
        assert_eq!(doubt(0.7, &[all[0], all[1], all[2], all[3], ("max_ap", &[0.7])]), None);
        assert_eq!(
            doubt(0.6, &[("max_accuracy", &[0.8]), ("ap", &[0.6])]),
            None,
            "another score is the main one"
        );
    }

    #[test]
    fn a_mean_of_other_clusterings_than_those_beside_it_is_doubted() {
        let of = |values: &'static [f64]| doubt(0.45, &[("v_measure", &[0.45]), ("v_measures", values)]);
        assert_eq!((of(&[0.4, 0.5]), of(&[])), (None, None));
        let expected = "`v_measure` is 0.450000, and the mean of the 3 values of `v_measures` beside it is 0.500000, which may \
                        not be all of them";
        assert_eq!(of(&[0.4, 0.5, 0.6]).as_deref(), Some(expected));
    }
}
