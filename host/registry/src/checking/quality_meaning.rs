//! Checks that what a card declares of its data fits together and fits the task type.

use std::cmp::Ordering;

use mteb_base::suggest::hint;
use mteb_card::{Part, Quality, TaskCard};
use mteb_tasks::{Facts, Gold, facts, needs_training};

/// Calls `add` with the path and the message of each fault.
pub fn check_quality(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let Some(quality) = &card.quality else { return };
    check_types(card, quality, add);
    check_shares(quality, add);
    check_names(card, quality, add);
    check_artefacts(card, quality, add);
    for (column, [least, most]) in quality.characters.iter().filter(|(_, [least, most])| least > most) {
        let message = format!("expected the shortest and the longest, found {least} and {most}");
        add(&["quality", "characters", column], message);
    }
    if let Some([lowest, highest]) =
        quality.score_scale.filter(|[lowest, highest]| lowest.partial_cmp(highest) != Some(Ordering::Less))
    {
        let message = format!("expected the lowest and the highest score, found {lowest} and {highest}");
        add(&["quality", "score_scale"], message);
    }
    if let Some(most) = quality.max_difference.filter(|most| !(0.0..=f64::MAX).contains(most)) {
        add(&["quality", "max_difference"], format!("expected a number of at least 0, found {most}"));
    }
    if quality.score_bins == Some(0) {
        add(&["quality", "score_bins"], "expected at least 1, found 0".to_owned());
    }
}

/// Options that are for other task types.
fn check_types(card: &TaskCard, quality: &Quality, add: &mut dyn FnMut(&[&str], String)) {
    let task_type = card.task_type;
    let gold = facts(task_type).gold;
    let (has_labels, has_scores) = (matches!(gold, Gold::Labels(_)), matches!(gold, Gold::Scores(_)));
    let has_judgements = gold == Gold::Judgements;
    let options = [
        ("labels", !quality.labels.is_empty(), has_labels),
        ("label_shares", !quality.label_shares.is_empty(), has_labels),
        ("label_tolerance", quality.label_tolerance.is_some(), has_labels),
        ("top_grade", quality.top_grade.is_some(), has_judgements),
        ("min_grades", quality.min_grades.is_some(), has_judgements),
        ("min_candidates", quality.min_candidates.is_some(), has_judgements),
        ("score_scale", quality.score_scale.is_some(), has_scores),
        ("score_bins", quality.score_bins.is_some(), has_scores),
        ("min_bin_share", quality.min_bin_share.is_some(), has_scores),
        ("max_difference", quality.max_difference.is_some(), has_scores || matches!(gold, Gold::Values(_))),
    ];
    for (option, _, _) in options.iter().filter(|(_, is_set, fits)| *is_set && !fits) {
        add(&["quality", option], not_of(card, option));
    }
}

/// Limits of what can be measured for other task types alone, and limits that no figure can keep or
/// break.
fn check_artefacts(card: &TaskCard, quality: &Quality, add: &mut dyn FnMut(&[&str], String)) {
    let Some(artefacts) = &quality.artefacts else { return };
    let Facts { gold, text_columns, .. } = facts(card.task_type);
    let (has_judgements, is_pair) =
        (*gold == Gold::Judgements, text_columns.len() == 2 && !matches!(gold, Gold::Pairs | Gold::Unknown));
    let has_labels = matches!(gold, Gold::Labels(_));
    let shares = [
        (
            "max_surface",
            artefacts.max_surface,
            has_labels || matches!(gold, Gold::Scores(_) | Gold::Values(_)),
        ),
        ("max_one_side", artefacts.max_one_side, is_pair),
        ("max_query_blind", artefacts.max_query_blind, has_judgements),
        ("max_label_words", artefacts.max_label_words, has_labels && !is_pair),
        ("max_unjudged", artefacts.max_unjudged, has_judgements),
    ];
    for (option, share, fits) in shares {
        if share.is_some() && !fits {
            add(&["quality", "artefacts", option], not_of(card, option));
        }
        if let Some(share) = share.filter(|share| !(0.0..=1.0).contains(share)) {
            add(&["quality", "artefacts", option], format!("expected a number from 0 to 1, found {share}"));
        }
    }
    for (option, is_set) in [("bm25", artefacts.bm25.is_some()), ("grades_rise", artefacts.grades_rise)] {
        if is_set && !has_judgements {
            add(&["quality", "artefacts", option], not_of(card, option));
        }
    }
    for (option, range) in [("bm25", artefacts.bm25), ("tfidf", artefacts.tfidf)] {
        if let Some([least, most]) =
            range.filter(|[least, most]| !(-1.0 <= *least && least <= most && *most <= 1.0))
        {
            let message = format!("expected the least and the most, from -1 to 1, found {least} and {most}");
            add(&["quality", "artefacts", option], message);
        }
    }
}

fn not_of(card: &TaskCard, option: &str) -> String {
    format!("a task of type {} has no option `{option}`", card.task_type)
}

/// Names of splits, parts, columns and labels that the task does not have: nothing would be checked
/// against them.
fn check_names(card: &TaskCard, quality: &Quality, add: &mut dyn FnMut(&[&str], String)) {
    let is_ranking = card.task_type.is_ranking();
    let parts: Vec<&str> = Part::of_rankings().map(Part::as_str).collect();
    let with_texts = Part::of_rankings().filter(|part| !part.text_columns().is_empty());
    let with_texts: Vec<&str> = with_texts.map(Part::as_str).collect();
    let mut splits: Vec<&str> = card.eval_splits.iter().map(String::as_str).collect();
    if needs_training(card) {
        splits.push(card.dataset.training_split());
    }
    let (what, known): (&str, &[&str]) = if is_ranking { ("parts", &parts) } else { ("splits", &splits) };
    for name in quality.records.keys().filter(|name| !known.contains(&name.as_str())) {
        add(&["quality", "records", name], unknown_message(what, known, name));
    }
    let texts: &[&str] = if is_ranking { &with_texts } else { facts(card.task_type).text_columns };
    let what = if is_ranking { "parts with texts" } else { "columns of texts" };
    for name in quality.characters.keys().filter(|name| !texts.contains(&name.as_str())) {
        add(&["quality", "characters", name], unknown_message(what, texts, name));
    }
    for (index, name) in
        quality.may_repeat.iter().enumerate().filter(|(_, name)| !texts.contains(&name.as_str()))
    {
        add(&["quality", "may_repeat", &index.to_string()], unknown_message(what, texts, name));
    }
    let labels: Vec<&str> = quality.labels.iter().map(String::as_str).collect();
    for name in
        quality.label_shares.keys().filter(|name| !labels.is_empty() && !labels.contains(&name.as_str()))
    {
        add(&["quality", "label_shares", name], unknown_message("`labels`", &labels, name));
    }
}

fn unknown_message(what: &str, known: &[&str], found: &str) -> String {
    format!(
        "expected one of the {what} {}, found: {found}{}",
        known.join(", "),
        hint(found, known.iter().copied(), "")
    )
}

/// Shares and similarities outside 0 to 1.
fn check_shares(quality: &Quality, add: &mut dyn FnMut(&[&str], String)) {
    let shares = [
        ("label_tolerance", quality.label_tolerance),
        ("max_similarity", quality.max_similarity),
        ("max_template_share", quality.max_template_share),
        ("min_type_token_ratio", quality.min_type_token_ratio),
        ("min_language_share", quality.min_language_share),
        ("min_bin_share", quality.min_bin_share),
    ];
    let is_share = |share: f64| (0.0..=1.0).contains(&share);
    for (option, share) in shares.iter().filter_map(|(option, share)| Some((*option, (*share)?))) {
        if !is_share(share) {
            add(&["quality", option], format!("expected a number from 0 to 1, found {share}"));
        }
    }
    for (label, share) in quality.label_shares.iter().filter(|(_, share)| !is_share(**share)) {
        add(&["quality", "label_shares", label], format!("expected a number from 0 to 1, found {share}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(task_type: &str, quality: &str) -> Vec<String> {
        let card = format!(
            "schema = 1\nname = \"T\"\ntype = \"{task_type}\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"d\"\n[quality]\n{quality}"
        );
        let mut messages = Vec::new();
        check_quality(&TaskCard::from_toml(&card).unwrap(), &mut |path, message| {
            messages.push(format!("{}: {message}", path.join(".")));
        });
        messages
    }

    #[test]
    fn a_difference_is_one_of_numbers_and_not_negative() {
        assert!(messages("STS", "max_difference = 0.5").is_empty());
        assert!(messages("Regression", "max_difference = 2.0").is_empty());
        assert_eq!(
            messages("Classification", "max_difference = 0.5"),
            ["quality.max_difference: a task of type Classification has no option `max_difference`"]
        );
        assert_eq!(
            messages("STS", "max_difference = -1.0"),
            ["quality.max_difference: expected a number of at least 0, found -1"]
        );
    }
}
